package subscribe_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook/subscribe"
)

// Ensure with 1,000 subscriptions of a client, in a service that fails after
// creations and whose pages are unreliable.
func TestEnsureAmongManySubscriptions(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, plain *practice.Client) {
		for i := range 1000 {
			other := testkit.SubscriptionOf("fee.updated", "error")
			other.Name, other.EventNotificationURL = fmt.Sprint("other ", i), fmt.Sprintf("https://app.example.test/other/%d", i)
			require.NoError(t, testkit.Discard(plain.Webhooks.Create(t.Context(), other)))
		}
		service := &unreliableLists{breaks: true}
		client := server.Client(t, practice.WithRetries(0), practice.WithMiddleware(service.wrap))
		spec := wanted()
		report, err := subscribe.Ensure(t.Context(), client, spec)
		require.NoError(t, err, "it looks for what may have been made")
		assert.NotNil(t, report.Missed)
		assert.Equal(t, 1, service.creations)
		service.plan(false, "")
		report, err = subscribe.Ensure(t.Context(), client, spec)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Kept, report.Action)
		pages := service.plan(false, "")
		require.Greater(t, len(pages), 1)

		for _, empty := range pages[1:] { // an empty first page is an empty list
			service.plan(false, empty)
			_, err = subscribe.Ensure(t.Context(), client, spec)
			_, told := errors.AsType[*practice.PagingError](err)
			assert.True(t, told, "page %s says nothing: %v", empty, err)
			assert.Equal(t, 1, service.creations, "nothing is made without having seen all")
		}
		service.plan(false, "")
		report, err = subscribe.Ensure(t.Context(), client, spec)
		require.NoError(t, err)
		assert.Equal(t, subscribe.Kept, report.Action, "what the lost answer had made")
		assert.Equal(t, 1, service.creations)
		assert.Empty(t, report.Duplicates)
		assert.GreaterOrEqual(t, len(report.Others), 1000)
	})
}

// unreliableLists is a service with wrong lists. Several pages are prefetched.
type unreliableLists struct {
	mu        sync.Mutex
	breaks    bool   // creations return an error
	empty     string // query of the page that is returned empty
	creations int
	pages     []string // queries, in order
}

// plan sets the behaviour of the service. It returns the pages requested since
// the last call.
func (u *unreliableLists) plan(breaks bool, empty string) (asked []string) {
	synctest.Wait() // wait for cancelled requests
	u.mu.Lock()
	defer u.mu.Unlock()
	asked, u.pages, u.breaks, u.empty = u.pages, nil, breaks, empty
	return asked
}

func (u *unreliableLists) wrap(next http.RoundTripper) http.RoundTripper {
	return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if err != nil {
			return resp, err
		}
		u.mu.Lock()
		defer u.mu.Unlock()
		switch {
		case req.Method == http.MethodPost:
			u.creations++
			if u.breaks {
				resp.StatusCode = http.StatusInternalServerError
			}
		case strings.HasSuffix(req.URL.Path, "/webhooks"):
			u.pages = append(u.pages, req.URL.RawQuery)
			if u.empty != "" && req.URL.RawQuery == u.empty {
				resp.Body = io.NopCloser(bytes.NewReader([]byte(`{"value":[]}`)))
				resp.ContentLength = -1
			}
		}
		return resp, err
	})
}
