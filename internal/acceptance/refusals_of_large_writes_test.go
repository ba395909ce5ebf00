package acceptance_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestARefusalOfALargeWriteIsHeard checks a server that refuses a request
// without reading its body, and closes the connection while the body is being
// sent. If the client missed that response, the write would count as possibly
// executed.
func TestARefusalOfALargeWriteIsHeard(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems may drop what came before the end of such a connection")
	}
	large := models.MemoWrite{Title: "Long", Text: strings.Repeat("x", 8<<20), UserID: testkit.SomeID}
	for method, write := range map[string]func(*practice.Client) error{
		"a create": func(c *practice.Client) error {
			return testkit.Discard(c.Memos.Create(t.Context(), testkit.SomeID, large))
		},
		"a replacement": func(c *practice.Client) error {
			return testkit.Discard(c.Memos.Update(t.Context(), testkit.SomeID, testkit.SomeID, large))
		},
	} {
		for _, status := range []int{http.StatusForbidden, http.StatusConflict, http.StatusRequestEntityTooLarge} {
			t.Run(fmt.Sprint(method, " ", status), func(t *testing.T) {
				t.Parallel()
				var requests atomic.Int32
				server := httptest.NewServer(refuseUnread(t, status, &requests))
				t.Cleanup(server.Close)
				err := write(testkit.BareClient(t, server.URL))
				answer, ok := errors.AsType[*practice.Error](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, status, answer.StatusCode)
				assert.False(t, testkit.IsAmbiguous(err))
				assert.EqualValues(t, 1, requests.Load())
			})
		}
	}
}

// refuseUnread returns a handler that responds without reading the body.
func refuseUnread(t *testing.T, status int, requests *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		conn, _, err := http.NewResponseController(w).Hijack()
		if !assert.NoError(t, err) {
			return
		}
		_, err = fmt.Fprintf(conn, "HTTP/1.1 %d X\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}", status)
		assert.NoError(t, err)
		assert.NoError(t, conn.Close())
	}
}
