package acceptance_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestHostileTokenEndpointsAreBounded checks that, whatever the token endpoint
// responds, no request is sent and the error is short. The response is decoded
// by x/oauth2. The test measures memory and so does not run in parallel.
func TestHostileTokenEndpointsAreBounded(t *testing.T) {
	soak.NotWithRaceDetector(t, "it counts allocations")
	for _, test := range []struct {
		name   string
		answer func(io.Writer)
		status int
		most   time.Duration // for four attempts and the waits between them
	}{
		{"a bomb", bomb(t), 0, time.Minute},
		{"a body without end", flood(headOf200+"\r\n"+`{"access_token":"`, "a"), 0, time.Minute},
		{"deep nesting", says(headOf200, "\r\n", strings.Repeat("[", 1<<20)), 0, time.Minute},
		{"deep nesting in a refusal", says("HTTP/1.1 400 No\r\n\r\n", strings.Repeat(`{"error":`, 1<<16)), 400, 0},
		{"a refusal without end", flood("HTTP/1.1 400 No\r\nContent-Type: application/json\r\n\r\n"+`{"error":"`, "a"), 400, 0},
		{"headers without end", flood(headOf200, "X-Header: y\r\n"), 0, time.Minute},
		{"a body in drops", drip(headOf200 + "\r\n{"), 0, 3 * time.Minute},
		{"an unending wait", says("HTTP/1.1 503 No\r\nRetry-After: 3153600000\r\nContent-Length: 0\r\n\r\n"), 503, 3 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client, err := practice.NewClient("http://api.localhost/v1", practice.WithTimeout(0),
					practice.WithTokens(auth.ClientCredentials{TokenURL: "http://token.localhost/token", ClientID: "id", ClientSecret: models.NewSecret("marked")}),
					practice.WithHTTPClient(answersByHand(t, func(w io.Writer, req *http.Request) {
						assert.Equal(t, "token.localhost", req.Host, "there is no token")
						asked++
						test.answer(w)
					})))
				require.NoError(t, err)
				started := time.Now()
				measured(t, 2*hugeSize, func() {
					err = testkit.Discard(client.Documents.CreateFolder(t.Context(), "m1", models.FolderWrite{Name: "x"}))
				})
				failed, ok := errors.AsType[*auth.TokenError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, test.status, failed.StatusCode)
				assert.LessOrEqual(t, time.Since(started), test.most)
				assert.Positive(t, asked)
				assert.LessOrEqual(t, asked, 4)
				assert.LessOrEqual(t, len(err.Error()), 1000)
				assert.NotContains(t, err.Error(), "marked")
			})
		})
	}
}

// TestHostileStoragesAreBounded checks that a storage that sends too much, too
// little or nothing more creates no complete file. The service announces the
// size. The test measures memory and so does not run in parallel.
func TestHostileStoragesAreBounded(t *testing.T) {
	soak.NotWithRaceDetector(t, "it counts allocations")
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
	for _, test := range []struct {
		name   string
		answer func(io.Writer)
	}{
		{"a body without end", flood(head+"\r\n", "x")},
		{"chunks without end", flood(head+"Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n")},
		{"a length beyond the size", flood(head+"Content-Length: 1125899906842624\r\n\r\n", "x")},
		{"a length below the size", says(head, "Content-Length: 1\r\n\r\nx")},
		{"a length that is not delivered", says(head, "Content-Length: 7\r\n\r\nx")},
		{"a bomb", bomb(t)},
		{"a range of another file", says("HTTP/1.1 206 Part\r\nContent-Range: bytes 0-0/1125899906842624\r\nContent-Length: 1\r\n\r\nx")},
		{"headers without end", flood(head, "X-Header: y\r\n")},
		{"a refusal without end", flood("HTTP/1.1 403 No\r\n\r\n<Error><Code>", "x")},
		{"a deep refusal", flood("HTTP/1.1 403 No\r\n\r\n", "<x>")},
		{"nothing after the headers", silence(head + "Content-Length: 7\r\n\r\n")},
		{"a wait of years", says("HTTP/1.1 503 No\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				client, err := practice.NewClient("http://api.localhost/v1", practice.WithAPIKey("key"), practice.WithIdleTimeout(time.Minute), practice.WithTimeout(0),
					practice.WithHTTPClient(answersByHand(t, func(w io.Writer, req *http.Request) {
						if req.Host == "api.localhost" {
							body := testkit.DownloadFrom("http://files.localhost/f1", 7)
							says(headOf200, "Connection: close\r\n\r\n", body)(w)
							return
						}
						asked++
						assert.Empty(t, req.Header.Get("X-Api-Key"))
						test.answer(w)
					})))
				require.NoError(t, err)
				var got bytes.Buffer
				started := time.Now()
				measured(t, 2*hugeSize, func() {
					_, err = client.Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
				})
				require.Error(t, err)
				assert.Equal(t, "f1", testkit.FailedTransfer(t, err, "Documents.Download").FileID)
				assert.LessOrEqual(t, got.Len(), 7)
				assert.Positive(t, asked)
				assert.LessOrEqual(t, time.Since(started), time.Hour)
				assert.LessOrEqual(t, len(err.Error()), 1000)
			})
		})
	}
}

// silence writes head, and then nothing until the reader is gone.
func silence(head string) func(io.Writer) {
	return func(w io.Writer) {
		_, err := io.WriteString(w, head)
		if gone, ok := w.(io.Reader); ok && err == nil {
			_, _ = gone.Read(make([]byte, 1)) // returns at the end of the connection
		}
	}
}
