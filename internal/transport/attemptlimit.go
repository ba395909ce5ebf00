package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"

	"github.com/practicesdk/practice-go/internal/httpx"
)

// attemptLimit is the innermost handler. It limits the time of one attempt,
// including the body, and reports to the delivery of a write.
type attemptLimit struct {
	next http.RoundTripper
	// reporting is set if next is known to report its connections. Any other
	// transport may have sent something unless its error proves otherwise.
	reporting bool
	// sequential is set if a call has one attempt at a time, because there is
	// no middleware that could send several.
	sequential bool
}

func (l *attemptLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	req, d, end := l.watched(req)
	limited := limitAttempt(req.Context(), l.sequential)
	if d != nil {
		if err := d.enter(limited); err != nil { // the time limit may have passed already
			closeBody(req)
			limited.finish()
			end()
			return nil, err
		}
		req = d.guardBody(req, l.trust()) // a middleware may have replaced the body
	}
	var ctx context.Context = limited
	var repeats *repeatLimit
	if d == nil {
		ctx, repeats = limitRepeats(limited, l.reporting)
	}
	resp, err := l.next.RoundTrip(l.within(httpx.ReadEarlyResponse(ctx, req.ContentLength), req))
	if resp == nil && err == nil {
		err = errNoAnswer
	}
	if err != nil {
		err = contextCause(ctx, err)
		switch {
		case d != nil:
			err = d.failed(err, l.reporting)
		case repeats.passed():
			err = errRepeated
		}
		limited.finish()
		end()
		return nil, err
	}
	if d != nil {
		d.answer(resp.StatusCode)
	}
	if resp.Body == nil { // a caller's transport may leave it nil
		resp.Body = http.NoBody
	}
	resp.Body = l.limitBody(limitedBody{ReadCloser: resp.Body, ctx: ctx, limited: limited, end: end})
	return resp, nil
}

// limitBody returns a pointer to body. It uses memory of the call if no other
// attempt can use that.
func (l *attemptLimit) limitBody(body limitedBody) *limitedBody {
	if call := callFrom(body.ctx); l.sequential && call != nil {
		call.limitedBody = body
		return &call.limitedBody
	}
	own := body // a pointer to body itself would allocate for every call
	return &own
}

// within returns req with ctx. Without middleware req is already a copy for
// this attempt, so it is changed in place.
func (l *attemptLimit) within(ctx context.Context, req *http.Request) *http.Request {
	if !l.sequential {
		return req.WithContext(ctx)
	}
	*req = *req.WithContext(ctx)
	return req
}

// trust returns how the next transport treats the trace of a delivery.
func (l *attemptLimit) trust() bodyTrust {
	if l.reporting {
		return traced
	}
	return untraced
}

// watched returns the request to send, the delivery of a write or nil, and a
// function that ends it. If a middleware replaced the context, the request gets
// a separate delivery, so that net/http does not repeat it, because even a
// write must be sent only once.
func (l *attemptLimit) watched(req *http.Request) (*http.Request, *delivery, func()) {
	d := deliveryFrom(req.Context())
	if d != nil && isOwnRead(req) {
		return req.WithContext(&ownReadContext{req.Context(), d.outer}), nil, func() {}
	}
	if d != nil || callFrom(req.Context()) != nil {
		return req, d, func() {}
	}
	req, d = watch(req, Create)
	return req, d, func() { d.cancel(nil) }
}

// isOwnRead reports whether req is a read that a middleware sends during a
// write. A read is never a copy of the write, even for the same URL.
func isOwnRead(req *http.Request) bool {
	call := callFrom(req.Context())
	return call != nil && req.Method != call.Method && (req.Method == http.MethodGet || req.Method == http.MethodHead)
}

// ownReadContext hides the delivery of a write from a read of a middleware.
type ownReadContext struct {
	context.Context
	outer context.Context // context of the delivery
}

func (c *ownReadContext) Value(key any) any {
	if key == (deliveryKey{}) {
		return nil
	}
	value := c.Context.Value(key)
	if _, is := value.(*httptrace.ClientTrace); is {
		return c.outer.Value(key)
	}
	return value
}

// limitedBody ends the time limit when it is closed.
type limitedBody struct {
	io.ReadCloser
	ctx     context.Context
	limited *limitedContext // nil if there is no limit
	end     func()
}

func (b *limitedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = contextCause(b.ctx, err)
	}
	return n, err
}

func (b *limitedBody) Close() error {
	err := b.ReadCloser.Close()
	if b.limited != nil {
		b.limited.finish()
	}
	b.end()
	return err
}
