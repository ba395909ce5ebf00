package practicetest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestAStartAllocatesLittleForARecord counts the allocations for a small and a
// large firm, to check that unused data is not generated.
func TestAStartAllocatesLittleForARecord(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	begin := func(n int) float64 {
		return allocated(func() {
			s, err := practicetest.Start(practicetest.WithEvents(n), practicetest.WithMatters(n))
			require.NoError(t, err)
			require.NoError(t, s.Close())
		}).objects
	}
	begin(10) // allocates what is needed only once
	assert.Less(t, begin(11_000)-begin(1_000), 2.0*20_000, "of 10,000 more events and as many matters")
}

// TestAPageAllocatesWhatAPageCosts compares the bytes allocated for a page of a
// short list and of a long one.
func TestAPageAllocatesWhatAPageCosts(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	short, long := newLoad(t, 100), newLoad(t, 20_000)
	for _, path := range []string{"/events?limit=1", "/matters?limit=1", "/matters?limit=1&offset=90"} {
		ask := func(l load) float64 {
			l.ask(path)
			return allocated(func() {
				for range 20 {
					l.ask(path)
				}
			}).bytes
		}
		assert.Less(t, ask(long), 2*ask(short), path)
	}
}

// allocation holds the number and the size of a process's allocations.
type allocation struct{ objects, bytes float64 }

// allocated measures the allocations of by. The garbage collector is off,
// because it empties pools, which would then be filled again.
func allocated(by func()) allocation {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	by()
	runtime.ReadMemStats(&after)
	return allocation{float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)}
}

// load sends requests for pages.
type load struct {
	t      testing.TB
	server *practicetest.Server
	client *http.Client
}

func newLoad(t testing.TB, records int) load {
	s := practicetest.New(t, practicetest.WithEvents(records), practicetest.WithMatters(records), practicetest.WithRequestLog(0))
	return load{t, s, s.HTTPClient()}
}

func (l load) ask(path string) {
	r := httptest.NewRequestWithContext(l.t.Context(), http.MethodGet, l.server.BaseURL()+path, nil)
	r.RequestURI = "" // clients must not set RequestURI
	r.Header.Set("X-Api-Key", l.server.Credentials().APIKey)
	r.Header.Set("Authorization", "Bearer "+l.server.Credentials().AccessToken)
	resp, err := l.client.Do(r)
	if !assert.NoError(l.t, err) {
		return
	}
	assert.Equal(l.t, http.StatusOK, resp.StatusCode)
	_, err = io.Copy(io.Discard, resp.Body) // so that net/http reuses the connection
	assert.NoError(l.t, err)
	assert.NoError(l.t, resp.Body.Close())
}
