package practicetest

import (
	"cmp"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/practicetest/internal/memnet"
	"github.com/practicesdk/practice-go/practicetest/internal/objectstore"
)

// serve responds to a request as the fault requires.
func (f Fault) serve(part string, w http.ResponseWriter, r *http.Request, next http.Handler) {
	if backoff.Sleep(r.Context(), f.Delay) != nil {
		reset(w)
		return
	}
	switch f.Kind {
	case FaultLatency:
		next.ServeHTTP(w, r)
	case FaultResetBefore:
		_, _ = io.CopyN(io.Discard, r.Body, f.After) // a client that disconnects earlier gets a reset too
		reset(w)
	case FaultResetAfter:
		f.resetAfter(w, r, next)
	case FaultTruncated:
		f.cut(w, r, next, func(w http.ResponseWriter) { hangUp(w, (net.Conn).Close) })
	case FaultStall:
		f.stall(w, r, next)
	case FaultSlow:
		f.slow(w, r, next)
	case FaultEndless:
		f.endless(w)
	case FaultHTML:
		f.answer(w, cmp.Or(f.Status, http.StatusBadGateway), "text/html; charset=utf-8", gatewayPage)
	case FaultRateLimit:
		f.fail(part, w, r, http.StatusTooManyRequests)
	default:
		f.fail(part, w, r, http.StatusInternalServerError)
	}
}

func (f Fault) resetAfter(w http.ResponseWriter, r *http.Request, next http.Handler) {
	if f.After > 0 {
		f.cut(w, r, next, reset)
		return
	}
	next.ServeHTTP(&discardedAnswer{header: http.Header{}}, r)
	_, _ = io.Copy(io.Discard, r.Body) // otherwise the client would notice the fault by a failed write
	reset(w)
}

func (f Fault) stall(w http.ResponseWriter, r *http.Request, next http.Handler) {
	wait := func(w http.ResponseWriter) {
		_, _ = io.Copy(io.Discard, r.Body) // net/http detects a disconnected client only after the body was read
		<-r.Context().Done()
		reset(w)
	}
	if f.After > 0 {
		f.cut(w, r, next, wait)
		return
	}
	wait(w)
}

func (f Fault) endless(w http.ResponseWriter) {
	f.header(w, cmp.Or(f.ContentType, "application/json"))
	w.WriteHeader(cmp.Or(f.Status, http.StatusOK))
	block := []byte(cmp.Or(f.Body, strings.Repeat(" ", 4<<10)))
	for {
		if _, err := w.Write(block); err != nil {
			return // the client has disconnected
		}
	}
}

// fail responds with an error object in the format of the part.
func (f Fault) fail(part string, w http.ResponseWriter, r *http.Request, status int) {
	status = cmp.Or(f.Status, status)
	switch part {
	case PartToken:
		wire := oauthError{Code: "invalid_request", Text: "This fault was injected by the test."}
		if status >= http.StatusInternalServerError || status == http.StatusTooManyRequests {
			wire.Code = "temporarily_unavailable"
		}
		f.answer(w, status, "application/json", string(encode(wire)))
	case PartStorage:
		f.answer(w, status, "application/xml", string(objectstore.ErrorBody("InternalError", "This fault was injected by the test.")))
	default:
		if f.Body == "" && callOf(r).bare(status) {
			f.retryAfter(w)
			w.WriteHeader(status)
			return
		}
		body := refuse(status, "This fault was injected by the test.").body(r.URL.EscapedPath(), "", false)
		f.answer(w, status, "application/problem+json", string(body))
	}
}

func (f Fault) answer(w http.ResponseWriter, status int, contentType, body string) {
	f.header(w, cmp.Or(f.ContentType, contentType))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, cmp.Or(f.Body, body)) // fails only if the client has disconnected
}

func (f Fault) header(w http.ResponseWriter, contentType string) {
	w.Header().Set("Content-Type", contentType)
	f.retryAfter(w)
}

func (f Fault) retryAfter(w http.ResponseWriter) {
	if f.RetryAfter != "" {
		w.Header().Set("Retry-After", f.RetryAfter)
	}
}

const gatewayPage = "<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>" +
	"<body><h1>502 Bad Gateway</h1><hr>gateway</body></html>\n"

// discardedAnswer is an http.ResponseWriter that discards the response.
type discardedAnswer struct{ header http.Header }

func (d *discardedAnswer) Header() http.Header         { return d.header }
func (d *discardedAnswer) Write(p []byte) (int, error) { return len(p), nil }
func (d *discardedAnswer) WriteHeader(int)             {}

// reset resets the connection instead of sending a response.
func reset(w http.ResponseWriter) { hangUp(w, resetConn) }

// hangUp takes over the connection and closes it with end. If the connection
// cannot be taken over, it makes the HTTP server abort the request.
func hangUp(w http.ResponseWriter, end func(net.Conn) error) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_ = end(c) // there is nowhere to report a failed close
}

// resetConn closes c so that the peer receives a connection reset. On TCP,
// closing with a linger time of 0 sends one.
func resetConn(c net.Conn) error {
	switch c := c.(type) {
	case *memnet.Conn:
		c.Reset()
		return nil
	case *net.TCPConn:
		if err := c.SetLinger(0); err != nil {
			return err
		}
	}
	return c.Close()
}
