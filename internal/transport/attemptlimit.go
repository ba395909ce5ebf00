package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"

	"github.com/practicesdk/practice-go/internal/httpx"
)

// attemptLimit is the innermost link: it bounds one attempt in time, body
// included, and takes part in the delivery of a write.
type attemptLimit struct {
	next http.RoundTripper
	// reporting tells that next is known to report its connections; any other
	// transport may have sent something unless its failure proves otherwise.
	reporting bool
	// sequential tells that a call has one attempt at a time: no middleware
	// stands between, which might make more of one.
	sequential bool
}

func (l *attemptLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	req, d, end := l.watched(req)
	limited := limitAttempt(req.Context(), l.sequential)
	if d != nil {
		if err := d.enter(limited); err != nil { // the limit may have passed already
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
	if resp.Body == nil { // a transport of the caller may forget it
		resp.Body = http.NoBody
	}
	body := new(limitedBody)
	if call := callFrom(ctx); l.sequential && call != nil {
		body = &call.limitedBody
	}
	*body = limitedBody{ReadCloser: resp.Body, ctx: ctx, limited: limited, end: end}
	resp.Body = body
	return resp, nil
}

// within gives the request its context. Without a middleware the request is a copy
// that this chain made for the attempt: it takes the context itself.
func (l *attemptLimit) within(ctx context.Context, req *http.Request) *http.Request {
	if !l.sequential {
		return req.WithContext(ctx)
	}
	*req = *req.WithContext(ctx)
	return req
}

// trust says what the next transport makes of the trace of a delivery.
func (l *attemptLimit) trust() bodyTrust {
	if l.reporting {
		return traced
	}
	return untraced
}

// watched finds the delivery of a write. A middleware that replaced the context
// has lost it; such a request gets one of its own, so that net/http does not
// repeat it, whatever its method: a call may say of any that it is sent once.
func (l *attemptLimit) watched(req *http.Request) (*http.Request, *delivery, func()) {
	d := deliveryFrom(req.Context())
	if d != nil && looks(req) {
		return req.WithContext(&lookContext{req.Context(), d.outer}), nil, func() {}
	}
	if d != nil || callFrom(req.Context()) != nil {
		return req, d, func() {}
	}
	req, d = watch(req, Create)
	return req, d, func() { d.cancel(nil) }
}

// looks reports a read that a middleware makes of its own in the middle of a write: a
// read is never a copy of it, whatever its address.
func looks(req *http.Request) bool {
	call := callFrom(req.Context())
	return call != nil && req.Method != call.Method && (req.Method == http.MethodGet || req.Method == http.MethodHead)
}

// lookContext keeps what net/http tells about a look from the delivery of the write.
type lookContext struct {
	context.Context
	outer context.Context // of the delivery
}

func (c *lookContext) Value(key any) any {
	if key == (deliveryKey{}) {
		return nil
	}
	value := c.Context.Value(key)
	if _, is := value.(*httptrace.ClientTrace); is {
		return c.outer.Value(key)
	}
	return value
}

// limitedBody ends the time limit when the body has been read.
type limitedBody struct {
	io.ReadCloser
	ctx     context.Context
	limited *limitedContext // nil when there is no limit
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
