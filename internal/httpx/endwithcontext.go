package httpx

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/panics"
)

// endTime bounds the time that an exchange has to end by itself after its
// context has.
const endTime = 250 * time.Millisecond

// EndWithContext returns a transport whose exchanges end with their context
// although next hangs. The HTTP/2 client of Go 1.26 does so for ever, once a
// peer has let the flow-control window of a stream overflow: each exchange of
// the connection, and each that would use it. Where HTTP/2 is possible, next
// runs in a goroutine of its own, which an exchange that hangs leaves behind.
//
// The context of a request must end after the body of its response was closed.
func EndWithContext(next http.RoundTripper) http.RoundTripper {
	return &endWithContext{next}
}

type endWithContext struct{ next http.RoundTripper }

func (l *endWithContext) RoundTrip(req *http.Request) (*http.Response, error) {
	if !mayBeHTTP2(l.next, req.URL.Scheme) {
		return l.next.RoundTrip(req)
	}
	e := &exchange{ctx: req.Context(), news: make(chan struct{}, 1)}
	e.room.L = &e.mu
	go e.run(l.next, req)
	if !e.await(func() bool { return e.answered }) {
		return nil, e.ctx.Err()
	}
	return e.resp, e.err
}

// mayBeHTTP2 reports whether exchanges of next may use HTTP/2. It reads nothing
// that a transport in use changes.
func mayBeHTTP2(next http.RoundTripper, scheme string) bool {
	standard, ok := next.(*http.Transport)
	switch {
	case !ok:
		return true
	case standard.Protocols == nil:
		return scheme == "https"
	case scheme == "https":
		return standard.Protocols.HTTP2()
	}
	return standard.Protocols.UnencryptedHTTP2()
}

// CloseIdleConnections calls the method of a transport. It returns after
// endTime although the transport hangs, as EndWithContext describes.
func CloseIdleConnections(of interface{ CloseIdleConnections() }) {
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		of.CloseIdleConnections()
	}()
	timer := time.NewTimer(endTime)
	defer timer.Stop()
	select {
	case <-closed:
	case <-timer.C:
	}
}

// exchange is an exchange in a goroutine, which stays ahead of the reader of
// the body by at most maxAhead bytes.
type exchange struct {
	ctx  context.Context
	news chan struct{} // of the goroutine; holds one
	box  panics.Box    // of a transport of the caller's

	mu       sync.Mutex
	answered bool
	resp     *http.Response
	err      error     // instead of resp
	ahead    []byte    // of the body
	failed   error     // of the body, after ahead
	over     bool      // the goroutine has ended
	left     bool      // nobody wants more
	room     sync.Cond // in ahead
}

const maxAhead = 64 << 10

// run performs the exchange. Whether or not somebody wants it, the body is
// closed.
func (e *exchange) run(next http.RoundTripper, req *http.Request) {
	defer e.tell(func() { e.over = true })
	e.box.Run(func() {
		resp, err := next.RoundTrip(req)
		if err != nil || resp == nil || resp.Body == nil || resp.Body == http.NoBody {
			e.tell(func() { e.answered, e.resp, e.err = true, resp, err })
			return
		}
		body, length := resp.Body, resp.ContentLength
		closeBody := sync.OnceFunc(func() { _ = body.Close() }) // its error has no reader
		defer closeBody()
		resp.Body = (*bodyAhead)(e)
		e.tell(func() { e.answered, e.resp = true, resp })
		e.readAhead(body, length, closeBody)
	})
}

// tell changes the state, and wakes who awaits it.
func (e *exchange) tell(change func()) {
	e.mu.Lock()
	change()
	e.mu.Unlock()
	select {
	case e.news <- struct{}{}:
	default: // there are some already
	}
}

// readAhead reads the body until it ends or nobody wants it. Each byte is
// handed over as it comes: readers may count the time without any. The body is
// closed before its reader meets the end.
func (e *exchange) readAhead(body io.Reader, length int64, closeBody func()) {
	size := int64(4 << 10)
	if length >= 0 {
		size = min(length+1, maxAhead/2) // one more, to meet the end
	}
	buffer := make([]byte, size)
	for e.wanted() {
		n, err := body.Read(buffer)
		if err != nil {
			closeBody()
		}
		e.tell(func() { e.ahead, e.failed = append(e.ahead, buffer[:n]...), err })
		if err != nil {
			return
		}
		if n == len(buffer) && n < maxAhead/2 {
			buffer = make([]byte, maxAhead/2)
		}
	}
}

// wanted waits for room for a piece, and reports whether anybody wants it.
func (e *exchange) wanted() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.ahead) > maxAhead/2 && !e.left {
		e.room.Wait()
	}
	return !e.left
}

// await waits until the state is as wanted or the goroutine has ended. It
// leaves the exchange and reports false if the context has ended before, and
// the exchange has had its time to end by itself.
func (e *exchange) await(wanted func() bool) bool {
	reached := func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return wanted() || e.over || e.left
	}
	done := e.ctx.Done()
	var late <-chan time.Time
	for !reached() {
		select {
		case <-e.news:
		case <-done:
			timer := time.NewTimer(endTime)
			defer timer.Stop()
			done, late = nil, timer.C
		case <-late:
			e.leave()
			return false
		}
	}
	e.box.Rethrow()
	return true
}

// leave lets the goroutine end as soon as it can.
func (e *exchange) leave() {
	e.tell(func() {
		e.left, e.ahead = true, nil
		e.room.Signal()
	})
}

// bodyAhead is the body of an exchange, read ahead by its goroutine.
type bodyAhead exchange

func (b *bodyAhead) Read(p []byte) (int, error) {
	e := (*exchange)(b)
	if !e.await(func() bool { return len(e.ahead) > 0 || e.failed != nil }) {
		return 0, e.ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left {
		return 0, http.ErrBodyReadAfterClose
	}
	if len(e.ahead) == 0 {
		return 0, e.failed
	}
	n := copy(p, e.ahead)
	e.ahead = e.ahead[n:]
	e.room.Signal()
	return n, nil
}

// Close leaves the rest to the goroutine, which the end of the context ends.
func (b *bodyAhead) Close() error {
	(*exchange)(b).leave()
	return nil
}
