package practicetest_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// inMemoryAndOverTCP runs a test with an in-memory service and with one on TCP.
func inMemoryAndOverTCP(t *testing.T, test func(t *testing.T, s *practicetest.Server)) {
	t.Helper()
	t.Run("in memory", func(t *testing.T) { t.Parallel(); test(t, practicetest.New(t)) })
	t.Run("over TCP", func(t *testing.T) {
		t.Parallel()
		s, err := practicetest.Start()
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		test(t, s)
	})
}

// createFolder sends a request to create a folder and returns its result.
func createFolder(t *testing.T, s *practicetest.Server, name string) (status int, err error) {
	t.Helper()
	address := s.BaseURL() + "/matters/" + s.Firm().MatterID + "/documents/folders"
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(`{"name":"`+name+`"}`))
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", s.Credentials().APIKey)
	request.Header.Set("Authorization", "Bearer "+s.Credentials().AccessToken)
	request.Header.Set("Content-Type", "application/json-patch+json")
	response, err := s.HTTPClient().Do(request)
	if err != nil {
		return 0, err
	}
	_, err = io.ReadAll(response.Body)
	require.NoError(t, response.Body.Close())
	return response.StatusCode, err
}

func TestAFaultSaysWhetherTheRequestWasProcessed(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		fault     practicetest.Fault
		status    int   // 0 if the client receives no response
		err       error // error of the connection
		processed bool
	}{
		"a status":         {practicetest.Fault{Status: 503}, 503, nil, false},
		"latency":          {practicetest.Fault{Kind: practicetest.FaultLatency, Delay: time.Millisecond}, 202, nil, true},
		"a rate limit":     {practicetest.Fault{Kind: practicetest.FaultRateLimit}, 429, nil, false},
		"reset before":     {practicetest.Fault{Kind: practicetest.FaultResetBefore}, 0, syscall.ECONNRESET, false},
		"reset after":      {practicetest.Fault{Kind: practicetest.FaultResetAfter}, 0, syscall.ECONNRESET, true},
		"truncated":        {practicetest.Fault{Kind: practicetest.FaultTruncated}, 202, io.ErrUnexpectedEOF, true},
		"a gateway's page": {practicetest.Fault{Kind: practicetest.FaultHTML}, 502, nil, false},
	}
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		for name, tt := range tests {
			tt.fault.Operation = "createFolder"
			s.Inject(tt.fault)
			status, err := createFolder(t, s, name)
			assert.Equal(t, tt.status, status, name)
			require.ErrorIs(t, err, tt.err, name)
			s.Settle()
			listing := call(t, s).get("/matters/" + s.Firm().MatterID + "/documents/folders").want(http.StatusOK)
			assert.Equal(t, tt.processed, strings.Contains(listing.Body, `"`+name+`"`), name)
		}
	})
}

func TestFaultsReachEveryPartOfTheService(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		file := "/matters/" + s.Firm().MatterID + "/documents/files/" + s.Firm().FileID
		storage := func(method, address string) answer {
			request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(""))
			require.NoError(t, err)
			return send(t, s, request)
		}
		for operation, ask := range map[string]func() answer{
			"getStaff": func() answer { return call(t, s).get("/staff/" + s.Firm().StaffID) },
			"token":    func() answer { return grant(t, s, url.Values{"grant_type": {"client_credentials"}}) },
			"storage.get": func() answer {
				return storage(http.MethodGet, call(t, s).get(file+"/download").text("downloadUrl"))
			},
			"storage.put": func() answer {
				return storage(http.MethodPut, call(t, s).get(file+"/upload").text("uploadUrl"))
			},
		} {
			assert.Equal(t, http.StatusOK, ask().Status, operation)
			s.Inject(practicetest.Fault{Operation: operation, Status: http.StatusServiceUnavailable, RetryAfter: "3"})
			disturbed := ask()
			assert.Equal(t, http.StatusServiceUnavailable, disturbed.Status, operation)
			assert.Equal(t, "3", disturbed.Header.Get("Retry-After"), operation)
			requests := s.Requests()
			assert.Equal(t, operation, requests[len(requests)-1].Operation)
			assert.Equal(t, http.StatusServiceUnavailable, requests[len(requests)-1].Status)
			assert.Equal(t, http.StatusOK, ask().Status, operation)
		}
		s.Inject(practicetest.Fault{Times: -1})
		s.ClearFaults()
		call(t, s).get("/staff/" + s.Firm().StaffID).want(http.StatusOK)
	})
}

func TestCloseEndsWhatAFaultHoldsUp(t *testing.T) {
	t.Parallel()
	for _, fault := range []practicetest.Fault{
		{Kind: practicetest.FaultStall},
		{Kind: practicetest.FaultStall, After: 1},
		{Kind: practicetest.FaultLatency, Delay: time.Hour},
		{Kind: practicetest.FaultEndless},
		{Kind: practicetest.FaultSlow, BytesPerSecond: 1},
	} {
		t.Run(fault.Kind.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := practicetest.New(t, practicetest.WithStrict(false))
				s.Inject(fault)
				ended, closed := make(chan error, 1), make(chan struct{})
				go func() {
					response, err := s.HTTPClient().Get(s.BaseURL() + "/staff/" + s.Firm().StaffID)
					if err == nil {
						<-closed
						_, err = io.ReadAll(response.Body)
						_ = response.Body.Close()
					}
					ended <- err
				}()
				pass(time.Second)
				before := time.Now()
				require.NoError(t, s.Close())
				close(closed)
				require.Error(t, <-ended)
				assert.Less(t, time.Since(before), time.Second)
			})
		})
	}
}
