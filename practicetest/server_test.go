package practicetest_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

func TestTheOriginsDiffer(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		hosts := map[string]bool{}
		for _, address := range []string{s.BaseURL(), s.StorageURL(), s.TokenURL()} {
			parsed, err := url.Parse(address)
			require.NoError(t, err)
			assert.NotEmpty(t, parsed.Path, "no origin is addressed by its root")
			hosts[parsed.Host] = true
		}
		assert.Len(t, hosts, 3)
		assert.True(t, strings.HasPrefix(s.AuthorizeURL(), strings.TrimSuffix(s.TokenURL(), "/token")))

		f := s.Firm()
		c := call(t, s).asClient()
		c.get("/bankaccounts").want(200)
		at := c.get("/matters/" + f.MatterID + "/documents/files/" + f.FileID + "/download").text("downloadUrl")
		content, _ := s.FileContent(f.FileID)
		assert.Equal(t, string(content), c.storage("GET", at, "", nil).Body)
		inbox := subscribe(t, s, "error")
		s.Emit(practicetest.Event{Type: "error"})
		inbox.wait(1)
	})
}

func TestCloseEndsEverythingAndTwiceIsHarmless(t *testing.T) {
	t.Parallel()
	inMemoryAndOverTCP(t, func(t *testing.T, s *practicetest.Server) {
		s.Inject(practicetest.Fault{Operation: "listEvents", Kind: practicetest.FaultStall})
		receiver, entered := make(chan struct{}), make(chan struct{}, 1)
		origin, err := s.Mount(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(receiver)
			<-r.Context().Done()
		}))
		require.NoError(t, err)
		call(t, s).do("POST", "/webhooks", `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"`+origin+`/x"}`).want(200)
		s.Emit(practicetest.Event{Type: "error"})
		<-receiver
		var failed atomic.Bool
		var wg sync.WaitGroup
		wg.Go(func() {
			request, err := http.NewRequest(http.MethodGet, s.BaseURL()+"/events", nil)
			if err != nil {
				return
			}
			trace := &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { entered <- struct{}{} }}
			response, err := s.HTTPClient().Do(request.WithContext(httptrace.WithClientTrace(request.Context(), trace)))
			failed.Store(err != nil)
			if err == nil {
				_ = response.Body.Close()
			}
		})
		<-entered
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
		s.ClearFaults() // the service may have ended before the fault was used
		wg.Wait()
		assert.True(t, failed.Load(), "a request under way is cut")
		_, err = s.HTTPClient().Get(s.BaseURL())
		require.Error(t, err)
		_, err = s.Mount(http.NotFoundHandler())
		require.ErrorIs(t, err, http.ErrServerClosed)
	})
}

func TestAddressesThatCannotBeListenedOn(t *testing.T) {
	t.Parallel()
	taken, err := practicetest.Start()
	require.NoError(t, err)
	defer func() { assert.NoError(t, taken.Close()) }()
	host := strings.TrimPrefix(taken.StorageURL(), "http://")
	for _, address := range []string{"", "127.0.0.1", "127.0.0.1:no-such-port", host[:strings.Index(host, "/")]} {
		_, err := practicetest.Start(practicetest.WithListenAddress(address))
		require.Error(t, err, address)
	}
}

func TestTheServiceLivesInABubble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := practicetest.New(t, practicetest.WithLatency(30*time.Second), practicetest.WithTokenLifetime(time.Hour))
		began := time.Now()
		call(t, s).get("/bankaccounts").want(200)
		assert.Equal(t, 30*time.Second, time.Since(began))
		pass(time.Hour)
		call(t, s).get("/bankaccounts").want(401)
		c := call(t, s).asClient()
		folder := c.do("POST", "/matters/"+s.Firm().MatterID+"/documents/folders", `{"name":"n"}`).want(202)
		c.get("/matters/" + s.Firm().MatterID + "/documents/folders/" + folder.text("id")).want(200)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.BaseURL()+"/bankaccounts", nil)
		require.NoError(t, err)
		_, err = s.HTTPClient().Do(request)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestNotificationsReachAListenerOfTheTest(t *testing.T) {
	t.Parallel()
	arrived := make(chan string, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { arrived <- r.URL.Path }))
	defer receiver.Close()
	s := practicetest.New(t)
	call(t, s).do("POST", "/webhooks", `{"name":"n","eventTypes":["error"],"eventNotificationUrl":"`+receiver.URL+`/in"}`).want(200)
	s.Emit(practicetest.Event{Type: "error"})
	require.NoError(t, s.Flush(t.Context()))
	assert.Equal(t, "/in", <-arrived)
}

// roundTripper is a RoundTripper that needs no network.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestNotificationsGoThroughTheCallersClient(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithWebhookClient(&http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 204, Body: http.NoBody, Request: r}, nil
	})}))
	s.Emit(practicetest.Event{Type: "stageset.updated"})
	require.NoError(t, s.Flush(t.Context()))
	require.Len(t, s.Deliveries(), 1)
	assert.Equal(t, []any{s.Firm().WebhookID, 204}, []any{s.Deliveries()[0].SubscriptionID, s.Deliveries()[0].Status})
}
