package practicetest_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
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
