package httpx

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/panics"
)

// endTime limits the time in which an exchange must end after its context has
// ended.
const endTime = 250 * time.Millisecond

// EndWithContext returns a transport whose exchanges end with their context
// even if next hangs. The HTTP/2 client of Go 1.26 hangs forever once a peer
// has let the flow-control window of a stream overflow: all exchanges of the
// connection, and all that would use it. If HTTP/2 is possible, next runs in a
// separate goroutine, which an exchange that hangs leaves behind.
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
	e := &exchange{ctx: req.Context(), changed: make(chan struct{}, 1)}
	e.hasRoom.L = &e.mu
	go e.run(l.next, req)
	if !e.await(func() bool { return e.answered }) {
		return nil, e.ctx.Err()
	}
	return e.resp, e.err
}

// mayBeHTTP2 reports whether exchanges of next may use HTTP/2. It reads only
// fields that do not change while a transport is in use.
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

// CloseIdleConnections closes the idle connections of a transport. It returns
// after endTime even if the transport hangs, as EndWithContext describes.
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

// exchange is an exchange in a separate goroutine, which reads the body at most
// maxAhead bytes ahead of the caller.
type exchange struct {
	ctx     context.Context
	changed chan struct{} // signals a change of the fields below; capacity 1
	box     panics.Box    // holds a panic of the caller's transport

	mu        sync.Mutex
	answered  bool // RoundTrip has returned resp or err
	resp      *http.Response
	err       error
	ahead     []byte // bytes of the body that the caller has not read yet
	readErr   error  // error that ended the body, for the read after ahead
	ended     bool   // the goroutine has ended
	abandoned bool   // the caller no longer needs the body
	hasRoom   sync.Cond
}

const maxAhead = 64 << 10

// run performs the exchange. It closes the body in any case.
func (e *exchange) run(next http.RoundTripper, req *http.Request) {
	defer e.update(func() { e.ended = true })
	e.box.Run(func() {
		resp, err := next.RoundTrip(req)
		if err != nil || resp == nil || resp.Body == nil || resp.Body == http.NoBody {
			e.update(func() { e.answered, e.resp, e.err = true, resp, err })
			return
		}
		body, length := resp.Body, resp.ContentLength
		closeBody := sync.OnceFunc(func() { _ = body.Close() }) // the error has no consequence
		defer closeBody()
		resp.Body = (*bodyAhead)(e)
		e.update(func() { e.answered, e.resp = true, resp })
		e.readAhead(body, length, closeBody)
	})
}

// update changes the fields and wakes up the waiting goroutine.
func (e *exchange) update(change func()) {
	e.mu.Lock()
	change()
	e.mu.Unlock()
	select {
	case e.changed <- struct{}{}:
	default: // a signal is already pending
	}
}

// readAhead reads the body until it ends or the caller abandons it. It passes
// on each read at once, because the caller may limit the time without data. It
// closes the body before the caller reads its end.
func (e *exchange) readAhead(body io.Reader, length int64, closeBody func()) {
	size := int64(4 << 10)
	if length >= 0 {
		size = min(length+1, maxAhead/2) // one byte more, to read the end of the body
	}
	buffer := make([]byte, size)
	for e.waitForRoom() {
		n, err := body.Read(buffer)
		if err != nil {
			closeBody()
		}
		e.update(func() { e.ahead, e.readErr = append(e.ahead, buffer[:n]...), err })
		if err != nil {
			return
		}
		if n == len(buffer) && n < maxAhead/2 {
			buffer = make([]byte, maxAhead/2)
		}
	}
}

// waitForRoom waits until ahead has room for another read. It returns false if
// the caller has abandoned the body.
func (e *exchange) waitForRoom() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.ahead) > maxAhead/2 && !e.abandoned {
		e.hasRoom.Wait()
	}
	return !e.abandoned
}

// await waits until reached returns true or the goroutine has ended. If the
// context ends, it waits up to endTime for the exchange to end. Then it
// abandons the exchange and returns false.
func (e *exchange) await(reached func() bool) bool {
	done := func() bool {
		e.mu.Lock()
		defer e.mu.Unlock()
		return reached() || e.ended || e.abandoned
	}
	canceled := e.ctx.Done()
	var late <-chan time.Time
	for !done() {
		select {
		case <-e.changed:
		case <-canceled:
			timer := time.NewTimer(endTime)
			defer timer.Stop()
			canceled, late = nil, timer.C
		case <-late:
			e.abandon()
			return false
		}
	}
	e.box.Rethrow()
	return true
}

// abandon makes the goroutine end as soon as possible.
func (e *exchange) abandon() {
	e.update(func() {
		e.abandoned, e.ahead = true, nil
		e.hasRoom.Signal()
	})
}

// bodyAhead is the body of an exchange that is read ahead.
type bodyAhead exchange

func (b *bodyAhead) Read(p []byte) (int, error) {
	e := (*exchange)(b)
	if !e.await(func() bool { return len(e.ahead) > 0 || e.readErr != nil }) {
		return 0, e.ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.abandoned {
		return 0, http.ErrBodyReadAfterClose
	}
	if len(e.ahead) == 0 {
		return 0, e.readErr
	}
	n := copy(p, e.ahead)
	e.ahead = e.ahead[n:]
	e.hasRoom.Signal()
	return n, nil
}

// Close abandons the body. The goroutine ends with the context at the latest.
func (b *bodyAhead) Close() error {
	(*exchange)(b).abandon()
	return nil
}
