package practice_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// Ensure among 1,000 subscriptions of a client, in a service that answers a creation with
// a failure and whose pages cannot be relied on.
func TestEnsureAmongManySubscriptions(t *testing.T) {
	t.Parallel()
	inBubble(t, func(t *testing.T, server *practicetest.Server, plain *practice.Client) {
		for i := range 1000 {
			other := subscriptionOf("fee.updated", "error")
			other.Name, other.EventNotificationURL = fmt.Sprint("other ", i), fmt.Sprintf("https://app.example.test/other/%d", i)
			require.NoError(t, discard(plain.Webhooks.Create(t.Context(), other)))
		}
		var creations, lists int
		breaks, empties := true, 0
		client := server.Client(t, practice.WithRetries(0), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(req *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(req)
				if err != nil {
					return resp, err
				}
				switch req.Method {
				case http.MethodPost:
					creations++
					if breaks {
						resp.StatusCode = http.StatusInternalServerError
					}
				case http.MethodGet:
					if lists++; lists == empties {
						resp.Body = io.NopCloser(bytes.NewReader([]byte(`{"value":[]}`)))
						resp.ContentLength = -1
					}
				}
				return resp, err
			})
		}))
		spec := wanted()
		report, err := client.Webhooks.Ensure(t.Context(), spec)
		require.NoError(t, err, "it looks for what may have been made")
		assert.NotNil(t, report.Missed)
		assert.Equal(t, 1, creations)
		lists = 0
		report, err = client.Webhooks.Ensure(t.Context(), spec)
		require.NoError(t, err)
		assert.Equal(t, practice.WebhookKept, report.Action)
		pages := lists
		require.Greater(t, pages, 1)

		breaks = false
		for empty := 2; empty <= pages; empty++ { // an empty first page is an empty list
			lists, empties = 0, empty
			_, err = client.Webhooks.Ensure(t.Context(), spec)
			_, told := errors.AsType[*practice.PagingError](err)
			assert.True(t, told, "page %d of %d says nothing: %v", empty, pages, err)
			assert.Equal(t, 1, creations, "nothing is made without having seen all")
		}
		empties = 0
		report, err = client.Webhooks.Ensure(t.Context(), spec)
		require.NoError(t, err)
		assert.Equal(t, practice.WebhookKept, report.Action, "what the lost answer had made")
		assert.Equal(t, 1, creations)
		assert.Empty(t, report.Duplicates)
		assert.GreaterOrEqual(t, len(report.Others), 1000)
	})
}
