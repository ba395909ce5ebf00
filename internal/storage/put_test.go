package storage

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

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
		{"accepted", 202, "", "", "", true},
		{"no information of its own", 203, "text/plain", "stored", "", true},
		{"no content", 204, "", "", "", true},
		{"a status that nobody knows", 299, "", "", "", true},
		{"no body, of the type of a page", 200, "text/html", "", "", true},
		{"spaces, of the type of a page", 200, "text/html", "\r\n", "", true},
		{"a text of the type of a page", 200, "text/html", "stored", "", true},
		{"some text", 200, "text/plain", "stored", "", true},
		{"a text that names a page", 200, "text/plain", "stored <html>", "", true},
		{"another document", 200, "application/xml", "<CopyObjectResult/>", "", true},
		{"a result with a name of errors", 200, "application/xml", "<Result><Errors>0</Errors></Result>", "", true},
		{"much", 200, "application/json", strings.Repeat(" ", maxErrorBody+1), "", true},
		{"a text without end", 200, "application/json", strings.Repeat(" ", maxErrorBody+maxBody), "", false},
		{"an error", 200, "application/xml", "<?xml version=\"1.0\"?>\n<Error><Code>InternalError</Code><Message>m</Message></Error>", "InternalError", false},
		{"an error of another type", 201, "text/plain", "\ufeff<Error><Code>InternalError</Code></Error>", "InternalError", false},
		{"an error within its response", 200, "", "<ErrorResponse><Error><Code>Throttling</Code></Error></ErrorResponse>", "Throttling", false},
		{"an error of much text", 200, "", "<Error><Code>InternalError</Code>" + strings.Repeat(" ", maxErrorBody), "InternalError", false},
		{"a document behind a comment", 200, "", "<!-- stored --><PostResponse/>", "", true},
		{"a page", 200, "text/html; charset=utf-8", "<html>Log in first</html>", "", false},
		{"a page of another type", 200, "application/octet-stream", "\n <!DOCTYPE html>\n<title>Log in first</title>", "", false},
		{"a page behind a mark", 200, "", "\ufeff<!doctype HTML><head>", "", false},
		{"a page behind a comment", 202, "", "<!-- proxy --><HTML>", "", false},
		{"a page that is XML", 200, "application/xml", "<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"x\"><html xmlns=\"y\">", "", false},
		{"a page without a beginning", 202, "", "<body>Log in first", "", false},
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
		{"501", StatusError{Status: 501}, false, false, true},
		{"599", StatusError{Status: 599}, false, false, true},
		{"425", StatusError{Status: 425}, false, false, true},
		{"400, asked to wait", StatusError{Status: 400, Asked: true}, false, false, true},
		{"403, asked to wait", StatusError{Status: 403, Asked: true, RetryAfter: time.Second}, true, false, true},
		{"404, asked to wait", StatusError{Status: 404, Asked: true}, false, false, true},
		{"307, asked to wait", StatusError{Status: 307, Asked: true}, false, false, true},
		{"409", StatusError{Status: 409}, false, false, false},
		{"409, of another code", StatusError{Status: 409, Code: "BucketNotEmpty"}, false, false, false},
		{"409, another operation", StatusError{Status: 409, Code: "OperationAborted"}, false, false, true},
		{"409, another condition", StatusError{Status: 409, Code: "ConditionalRequestConflict"}, false, false, true},
		{"412, another condition", StatusError{Status: 412, Code: "ConditionalRequestConflict"}, false, false, false},
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
