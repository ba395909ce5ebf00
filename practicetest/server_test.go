package practicetest_test

import (
	"context"
	"fmt"
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

func TestRequestsAreRecorded(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithClock(start))
	folders := "/matters/" + s.Firm().MatterID + "/documents/folders"
	c := call(t, s)
	a := c.with("RequestId", "r-1").do("POST", folders, `{"name":"n"}`).want(202)
	assert.Equal(t, "r-1", a.Header.Get("RequestId"), "the RequestId comes back")
	s.Tolerate(func() {
		lost := c.with("RequestId", "r-2").get("/nothing?a=%20b").want(404)
		assert.Equal(t, []string{"r-2", "r-2"}, []string{lost.Header.Get("RequestId"), lost.text("traceId")}, "with an error, too")
	})
	assert.NotContains(t, c.get("/bankaccounts").Header, "Requestid")
	grant(t, s, clientCredentials())

	got := s.Requests()
	require.Len(t, got, 4)
	first := got[0]
	assert.Equal(t, []any{practicetest.PartAPI, "createFolder", "POST", "/practice/v1" + folders, 202, "r-1", `{"name":"n"}`, int64(12), start},
		[]any{first.Part, first.Operation, first.Method, first.Path, first.Status, first.RequestID, string(first.Body), first.BodyBytes, first.When})
	assert.Equal(t, s.Credentials().APIKey, first.Header.Get("x-api-key"))
	assert.Equal(t, []any{"", "a=%20b", 404}, []any{got[1].Operation, got[1].RawQuery, got[1].Status})
	assert.Equal(t, []any{practicetest.PartToken, "token", 200}, []any{got[3].Part, got[3].Operation, got[3].Status})

	first.Header.Set("x-api-key", "changed")
	assert.NotEqual(t, "changed", s.Requests()[0].Header.Get("x-api-key"), "it is a copy")
	s.ResetRequests()
	assert.Empty(t, s.Requests())
}

func TestTheRecordIsBounded(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithRequestLog(2))
	for _, path := range []string{"/bankaccounts", "/webhooks", "/events"} {
		call(t, s).get(path)
	}
	assert.Len(t, s.Requests(), 2)
	assert.Equal(t, "listEvents", s.Requests()[1].Operation)
	up := call(t, s).get("/matters/" + s.Firm().MatterID + "/documents/files/" + s.Firm().FileID + "/upload").text("uploadUrl")
	call(t, s).put(up, strings.Repeat("x", 3*practicetest.MaxRecordedBody))
	last := s.Requests()[1]
	assert.Equal(t, []any{practicetest.MaxRecordedBody, int64(3 * practicetest.MaxRecordedBody)}, []any{len(last.Body), last.BodyBytes})

	none := practicetest.New(t, practicetest.WithRequestLog(0))
	call(t, none).get("/bankaccounts").want(200)
	assert.Empty(t, none.Requests())
}

// reporter is a test that notes its failures.
type reporter struct {
	testing.TB
	cleanups []func()
	failures []string
}

func (r *reporter) Helper()          {}
func (r *reporter) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *reporter) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func TestAStrictServiceFailsItsTest(t *testing.T) {
	t.Parallel()
	failing := &reporter{TB: t}
	s := practicetest.New(failing)
	c := call(t, s)
	c.get("/nothing").want(404)
	assert.Equal(t, []string{"practicetest: GET /practice/v1/nothing: the interface has no such path"}, failing.failures)
	assert.Equal(t, []string{"GET /practice/v1/nothing: the interface has no such path"}, s.Violations())
	excused := s.Tolerate(func() { c.do("PUT", "/bankaccounts", "{}").want(405) })
	assert.Len(t, excused, 1)
	assert.Len(t, failing.failures, 1, "what is expected is no failure")
	assert.Empty(t, s.Tolerate(func() {}))
	for _, f := range failing.cleanups {
		f()
	}
	assert.Len(t, failing.failures, 1)

	started, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	call(t, started).get("/nothing").want(404)
	assert.Len(t, started.Violations(), 1)
	require.NoError(t, started.Close())
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

// roundTripper answers without a network.
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

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithEvents(2000))
	f := s.Firm()
	c := call(t, s)
	paths := []string{"/bankaccounts", "/events?Limit=50", "/staff/" + f.StaffID, "/contacts/" + f.ContactID + "/tags"}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			for n := range 5 {
				switch (i + n) % 5 {
				case 0:
					a := c.do("POST", "/contacts/"+f.ContactID+"/tags", fmt.Sprintf(`["tag %d"]`, i))
					assert.Equal(t, 201, a.Status)
				default:
					assert.Equal(t, 200, c.get(paths[(i+n)%5-1]).Status)
				}
			}
		})
	}
	wg.Wait()
	assert.Len(t, s.Requests(), 1000)
	assert.Len(t, c.get("/contacts/"+f.ContactID+"/tags").list("value"), 3+200)
}

func BenchmarkAPageOfEvents(b *testing.B) {
	s := practicetest.New(b, practicetest.WithEvents(20000), practicetest.WithRequestLog(0))
	c := call(b, s)
	c.get("/events?From=2000-01-01T00:00:00")
	b.ReportAllocs()
	for b.Loop() {
		c.get("/events?From=2000-01-01T00:00:00&Offset=10000&Limit=500").want(200)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		s := practicetest.New(b)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
