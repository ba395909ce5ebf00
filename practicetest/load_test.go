package practicetest_test

import (
	"math"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestAPageOfALongCalendarCostsWhatAPageCosts compares the same page of a short and
// of a hundred times longer calendar: who looks at every event for one of them takes
// more than thirty times as long.
func TestAPageOfALongCalendarCostsWhatAPageCosts(t *testing.T) {
	t.Parallel()
	short, long := newLoad(t, 1_000), newLoad(t, 100_000)
	shortest, longest := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for range 7 { // in turns, and the least counts: the machine does other things too
		shortest, longest = min(shortest, short.time(50)), min(longest, long.time(50))
	}
	assert.Less(t, longest, 8*shortest)
}

// load asks for the first event that is to come, which needs no other.
type load struct {
	t      testing.TB
	server *practicetest.Server
	client *http.Client
}

func newLoad(t testing.TB, events int) load {
	s := practicetest.New(t, practicetest.WithEvents(events), practicetest.WithRequestLog(0))
	return load{t, s, s.HTTPClient()}
}

func (l load) ask() {
	r := httptest.NewRequestWithContext(l.t.Context(), http.MethodGet, l.server.BaseURL()+"/events?limit=1", nil)
	r.RequestURI = "" // a client's request has none
	r.Header.Set("X-Api-Key", l.server.Credentials().APIKey)
	r.Header.Set("Authorization", "Bearer "+l.server.Credentials().AccessToken)
	resp, err := l.client.Do(r)
	if !assert.NoError(l.t, err) {
		return
	}
	assert.Equal(l.t, http.StatusOK, resp.StatusCode)
	assert.NoError(l.t, resp.Body.Close())
}

func (l load) time(requests int) time.Duration {
	began := time.Now()
	for range requests {
		l.ask()
	}
	return time.Since(began)
}

// BenchmarkFirstEventFor64Clients tells how many requests a second 64 clients get
// answered that ask for the next of 100,000 events.
func BenchmarkFirstEventFor64Clients(b *testing.B) {
	l := newLoad(b, 100_000)
	var clients sync.WaitGroup
	var asked atomic.Int64
	began := time.Now()
	for range 64 {
		clients.Go(func() {
			for asked.Add(1) <= int64(b.N) {
				l.ask()
			}
		})
	}
	clients.Wait()
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "requests/s")
}

// BenchmarkStart tells how long a service with 100,000 events and 100,000 matters takes
// to begin.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		s, err := practicetest.Start(practicetest.WithEvents(100_000), practicetest.WithMatters(100_000))
		assert.NoError(b, err)
		assert.NoError(b, s.Close())
	}
}
