package acceptance_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// answersByHand returns a client on an in-memory network whose servers all
// respond with answer, once per connection.
func answersByHand(t *testing.T, answer func(w io.Writer, req *http.Request)) *http.Client {
	t.Helper()
	var serving sync.WaitGroup
	wire := &http.Transport{MaxResponseHeaderBytes: 256 << 10, DialContext: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		serving.Go(func() {
			defer func() { _ = far.Close() }() // the peer may have closed it
			req, err := http.ReadRequest(bufio.NewReader(far))
			if err != nil {
				return
			}
			if _, err := io.Copy(io.Discard, req.Body); err == nil {
				answer(far, req)
			}
		})
		return near, nil
	}}
	t.Cleanup(func() {
		wire.CloseIdleConnections()
		serving.Wait()
	})
	return &http.Client{Transport: wire}
}

const (
	headOf200 = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	hugeSize  = 16 << 20
)

// flood writes head, and then again in an endless loop until the reader is
// gone.
func flood(head, again string) func(io.Writer) {
	return func(w io.Writer) {
		again := strings.Repeat(again, 1+1024/len(again))
		_, err := io.WriteString(w, head)
		for err == nil {
			_, err = io.WriteString(w, again)
		}
	}
}

// drip writes head, and then a byte every five seconds until the reader is
// gone.
func drip(head string) func(io.Writer) {
	return func(w io.Writer) {
		_, err := io.WriteString(w, head)
		for err == nil {
			<-time.After(5 * time.Second)
			_, err = io.WriteString(w, " ")
		}
	}
}

func says(texts ...string) func(io.Writer) {
	return func(w io.Writer) { _, _ = io.WriteString(w, strings.Join(texts, "")) } // the reader may be gone
}

// bomb returns a response that is small on the wire and large when
// decompressed.
func bomb(t *testing.T) func(io.Writer) {
	t.Helper()
	var body bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&body, gzip.BestCompression)
	require.NoError(t, err)
	_, err = compressed.Write(bytes.Repeat([]byte{' '}, hugeSize))
	require.NoError(t, err)
	require.NoError(t, compressed.Close())
	require.Less(t, body.Len(), 32<<10)
	return says(headOf200, "Content-Encoding: gzip\r\nContent-Length: ", fmt.Sprint(body.Len()), "\r\n\r\n", body.String())
}

// TestHostileAnswersAreBounded checks that every call ends in time and with
// little memory, however bad the response. It measures all allocations and so
// does not run in parallel.
func TestHostileAnswersAreBounded(t *testing.T) {
	soak.NotWithRaceDetector(t, "it counts allocations")
	const maxBody, limit = 1 << 20, 30 * time.Second
	for _, test := range []struct {
		name         string
		answer       func(io.Writer)
		read, create string
		took         time.Duration // time of a create, which is sent once
	}{
		{"a bomb", bomb(t), tooLarge, ambiguous, 0},
		{"a body without end", flood(headOf200+"\r\n", "["), tooLarge, ambiguous, 0},
		{"chunks without end", flood(headOf200+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n[\r\n"), tooLarge, ambiguous, 0},
		{"deep nesting", says(headOf200, "\r\n", strings.Repeat("[", maxBody)), undecoded, undecoded, 0},
		{"deep nesting in a refusal", says("HTTP/1.1 400 No\r\n\r\n", strings.Repeat(`{"a":`, maxBody/5)), refused, refused, 0},
		{"a length beyond the limit", says(headOf200, "Content-Length: 1125899906842624\r\n\r\n{}"), tooLarge, ambiguous, 0},
		{"a length that is not delivered", says(headOf200, "Content-Length: 1000000\r\n\r\n{}"), noAnswer, ambiguous, 0},
		{"a length below what comes", says(headOf200, "Connection: close\r\nContent-Length: 1\r\n\r\n{\"id\":\"1\"}"), undecoded, undecoded, 0},
		{"two lengths", says(headOf200, "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} "), noAnswer, ambiguous, 0},
		{"a negative length", says(headOf200, "Content-Length: -2\r\n\r\n{}"), noAnswer, ambiguous, 0},
		{"headers without end", flood(headOf200, "X-Header: y\r\n"), noAnswer, ambiguous, 0},
		{"a header without end", flood(headOf200+"X-Header: ", "y"), noAnswer, ambiguous, 0},
		{"trailers without end", flood(headOf200+"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", "X-Header: y\r\n"), noAnswer, ambiguous, 0},
		{"interim answers without end", flood("", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"), noAnswer, ambiguous, 0},
		{"a body in drops", drip(headOf200 + "\r\n{"), noAnswer, ambiguous, limit},
		{"headers in drops", drip(headOf200 + "X-Header: y"), noAnswer, ambiguous, limit},
		{"a refusal in drops", drip("HTTP/1.1 403 No\r\n\r\n{"), refused, refused, limit},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				client, err := practice.NewClient("http://api.localhost/v1", practice.WithoutCredentials(), practice.WithMaxBody(maxBody), practice.WithAttemptTimeout(limit),
					practice.WithTimeout(0), practice.WithHTTPClient(answersByHand(t, func(w io.Writer, _ *http.Request) {
						sent++
						test.answer(w)
					})))
				require.NoError(t, err)
				measured(t, 2*hugeSize, func() {
					err = testkit.Discard(client.Staff.Get(t.Context(), "1"))
				})
				assert.Equal(t, test.read, resultOf(err), "%v", err)
				assert.Equal(t, map[bool]int{true: 4, false: 1}[test.read == noAnswer], sent)
				started := time.Now()
				measured(t, hugeSize, func() {
					err = testkit.Discard(client.Documents.CreateFolder(t.Context(), "m1", models.FolderWrite{Name: "x"}))
				})
				assert.Equal(t, test.create, resultOf(err), "%v", err)
				assert.Equal(t, test.took, time.Since(started))
				assert.LessOrEqual(t, len(err.Error()), 1000)
			})
		})
	}
}

// measured runs do and fails if it allocates more than the given number of
// bytes.
func measured(t *testing.T, allowed uint64, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, allowed)
}

// TestTheHeadersOfAnAnswerAreBounded checks the limit of the default transport
// over a real connection.
func TestTheHeadersOfAnAnswerAreBounded(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if assert.NoError(t, err) {
			flood(headOf200, "X-Header: y\r\n")(conn)
			assert.NoError(t, conn.Close())
		}
	}))
	t.Cleanup(server.Close)
	client, err := practice.NewClient(server.URL, practice.WithoutCredentials(), practice.WithRetries(0))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	require.ErrorContains(t, testkit.Discard(client.Staff.Get(t.Context(), "1")), "exceeded 262144 bytes")
}
