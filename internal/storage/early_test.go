package storage

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheAnswerOfAStorageThatStopsReadingIsHeard checks a storage that refuses
// an upload without reading the body, and closes the connection while the body
// is being sent.
func TestTheAnswerOfAStorageThatStopsReadingIsHeard(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems may drop what came before the end of such a connection")
	}
	const size = 8 << 20
	inMemory := func(*testing.T) io.Reader { return strings.NewReader(strings.Repeat("x", size)) }
	inFile := func(t *testing.T) io.Reader { body, _ := newScan(t, size); return body }
	for name, test := range map[string]struct {
		start func(*httptest.Server)
		body  func(*testing.T) io.Reader
	}{
		"http":                       {(*httptest.Server).Start, inMemory},
		"http, a file":               {(*httptest.Server).Start, inFile},
		"https":                      {(*httptest.Server).StartTLS, inMemory},
		"https, a file that is read": {(*httptest.Server).StartTLS, inFile},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(refuseUnread(t, "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>"))
			test.start(server)
			client := New(Config{Transport: server.Client().Transport, Allowed: anywhere})
			t.Cleanup(func() {
				client.CloseIdleConnections()
				server.Close()
			})
			for range 5 {
				_, err := client.Put(t.Context(), Target{Address: server.URL + signed}, test.body(t), size)
				said, ok := errors.AsType[*StatusError](err)
				require.True(t, ok, "%v", err)
				assert.True(t, said.Expired())
			}
		})
	}
}

// refuseUnread returns a handler that responds without reading the body.
func refuseUnread(t *testing.T, refusal string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if !assert.NoError(t, err) {
			return
		}
		_, err = fmt.Fprintf(conn, "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", len(refusal), refusal)
		assert.NoError(t, err)
		assert.NoError(t, conn.Close())
	}
}
