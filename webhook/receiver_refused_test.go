package webhook_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// Otherwise the server reads the rest of the body before it responds, and a
// stranger holds the connection by not sending it.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method, header string
		want           int
	}{
		"unsigned":    {http.MethodPost, "Content-Length: 100\r\n", 401},
		"chunked":     {http.MethodPost, "Transfer-Encoding: chunked\r\n", 401},
		"not a POST":  {http.MethodPut, "Content-Length: 100\r\n", 405},
		"another key": {http.MethodPost, "Content-Length: 100\r\nTimestamp: 1\r\nSignature: 00\r\n", 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, pipes := serverOnPipes(newReceiver(t))
				server.Start()
				defer server.Close()
				connection, err := pipes.dial()
				require.NoError(t, err)
				defer connection.Close()
				began := time.Now()
				_, err = connection.Write([]byte(test.method + " / HTTP/1.1\r\nHost: a\r\n" + test.header + "\r\n1"))
				require.NoError(t, err)
				answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
				require.NoError(t, err)
				defer answer.Body.Close()
				assert.Equal(t, test.want, answer.StatusCode)
				assert.True(t, answer.Close)
				assert.Less(t, time.Since(began), time.Second)
			})
		})
	}
}

func TestABodyThatTheServerLimitsIsTooLarge(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	w := httptest.NewRecorder()
	http.MaxBytesHandler(receiver, 10).ServeHTTP(w, signed(t, sample(t, "error")))
	assert.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	assert.Equal(t, uint64(1), receiver.Refusals()[webhook.ErrBodyTooLarge])
}

// The sender has sent one byte more than the receiver takes, and sends no other.
func TestABodyThatIsTooLargeIsRefusedBeforeItsEnd(t *testing.T) {
	t.Parallel()
	for name, framing := range map[string]string{
		"of a known length": "Content-Length: 100\r\n\r\n" + strings.Repeat("x", 11),
		"in chunks":         "Transfer-Encoding: chunked\r\n\r\nb\r\n" + strings.Repeat("x", 11) + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, pipes := serverOnPipes(newReceiver(t, webhook.WithMaxBody(10)))
				server.Start()
				defer server.Close()
				began := time.Now()
				connection := sendHead(t, pipes, framing)
				defer connection.Close()
				answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
				require.NoError(t, err)
				defer answer.Body.Close()
				assert.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode)
				assert.True(t, answer.Close)
				assert.Less(t, time.Since(began), time.Second)
			})
		})
	}
}
