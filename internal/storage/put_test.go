package storage

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestASuccessIsOnlyBelievedWhenItIsOne checks uploads that a proxy or a faulty
// storage answers with 200 without storing them.
func TestASuccessIsOnlyBelievedWhenItIsOne(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		status      int
		contentType string
		body        string
		code        string // error code in a response with status 200
		good        bool
	}{
		{"no body", 200, "", "", "", true},
		{"created", 201, "", "", "", true},
		{"no content", 204, "", "", "", true},
		{"some text", 200, "text/plain", "stored", "", true},
		{"another document", 200, "application/xml", "<CopyObjectResult/>", "", true},
		{"an error", 200, "application/xml", "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>m</Message></Error>", "InternalError", false},
		{"a page", 200, "text/html; charset=utf-8", "<html>Log in first</html>", "", false},
		{"too much", 200, "application/json", strings.Repeat(" ", maxErrorBody+1), "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client, address := serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", test.contentType)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			_, err := client.Put(t.Context(), Target{Address: address + signed}, strings.NewReader("x"), 1)
			switch {
			case test.good:
				require.NoError(t, err)
			case test.code != "":
				refused, ok := errors.AsType[*StatusError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, test.code, refused.Code)
				assert.True(t, refused.Temporary())
			default:
				require.ErrorIs(t, err, ErrAnswer)
			}
		})
	}
}

// TestTheSourceIsNotReadBehindTheAnswer checks that the source is not read
// after Put has returned, although net/http may read a body longer.
func TestTheSourceIsNotReadBehindTheAnswer(t *testing.T) {
	t.Parallel()
	proceed, read := make(chan struct{}), make(chan error, 1)
	client := New(Config{Allowed: anywhere, Transport: roundTripper(func(req *http.Request) (*http.Response, error) {
		_, _ = io.CopyN(io.Discard, req.Body, 2)
		go func() {
			<-proceed
			_, err := req.Body.Read(make([]byte, 1))
			read <- err
		}()
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
	})})
	source := strings.NewReader("content")
	require.NoError(t, putting(client.Put(t.Context(), Target{Address: "https://storage.example.test/a"}, source, 7)))
	close(proceed)
	require.ErrorIs(t, <-read, http.ErrBodyReadAfterClose)
	assert.Equal(t, 5, source.Len())
}

func TestWhatAStatusMeans(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                        string
		answer                      StatusError
		refused, expired, temporary bool
	}{
		{"403", StatusError{Status: 403, Code: "AccessDenied", Message: "Access Denied"}, true, false, false},
		{"403, expired", StatusError{Status: 403, Code: "AccessDenied", Message: "Request has expired"}, true, true, false},
		{"401", StatusError{Status: 401}, true, false, false},
		{"400, token expired", StatusError{Status: 400, Code: "ExpiredToken"}, true, true, false},
		{"400", StatusError{Status: 400, Code: "InvalidArgument"}, false, false, false},
		{"400, the connection was slow", StatusError{Status: 400, Code: "RequestTimeout"}, false, false, true},
		{"400, the body was cut", StatusError{Status: 400, Code: "IncompleteBody"}, false, false, true},
		{"404", StatusError{Status: 404}, false, false, false},
		{"408", StatusError{Status: 408}, false, false, true},
		{"412", StatusError{Status: 412}, false, false, false},
		{"429", StatusError{Status: 429}, false, false, true},
		{"500", StatusError{Status: 500}, false, false, true},
		{"500 that speaks of expiry", StatusError{Status: 500, Message: "cache expired"}, false, false, true},
		{"501", StatusError{Status: 501}, false, false, false},
		{"503", StatusError{Status: 503, Code: "SlowDown"}, false, false, true},
		{"307", StatusError{Status: 307}, false, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.refused, test.answer.Refused(), "refused")
			assert.Equal(t, test.expired, test.answer.Expired(), "expired")
			assert.Equal(t, test.temporary, test.answer.Temporary(), "temporary")
		})
	}
}

// putting returns the error of a Put and discards the entity tag.
func putting(_ string, err error) error { return err }

func TestPutTellsWhichVersionWasStored(t *testing.T) {
	t.Parallel()
	client, address := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", `"v1"`) })
	etag, err := client.Put(t.Context(), Target{Address: address + signed}, strings.NewReader("x"), 1)
	require.NoError(t, err)
	assert.Equal(t, `"v1"`, etag)
}

// TestASourceThatEndsItsGoroutineEndsTheCall checks a source that calls
// runtime.Goexit, as t.FailNow does: the goroutine of the caller ends, and no
// exchange is left waiting.
func TestASourceThatEndsItsGoroutineEndsTheCall(t *testing.T) {
	t.Parallel()
	client, address := serve(t, func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
	returned := false
	var call sync.WaitGroup
	call.Go(func() {
		_, _ = client.Put(t.Context(), Target{Address: address + signed}, exiting{}, 1)
		returned = true
	})
	call.Wait()
	assert.False(t, returned)
}

type exiting struct{}

func (exiting) Read([]byte) (int, error) { runtime.Goexit(); return 0, nil }
