package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
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
	if d != nil {
		if err := d.enter(req.Context()); err != nil {
			closeBody(req)
			end()
			return nil, err
		}
		req = d.guardBody(req) // a middleware may have replaced the body
	}
	ctx, cancel := limitAttempt(req.Context())
	var repeats *repeatLimit
	if d == nil && l.reporting {
		ctx, repeats = limitRepeats(ctx, cancel)
	}
	resp, err := l.next.RoundTrip(req.WithContext(ctx))
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
		cancel()
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
	*body = limitedBody{ReadCloser: resp.Body, ctx: ctx, cancel: cancel, end: end}
	resp.Body = body
	return resp, nil
}

// watched finds the delivery of a write. A middleware that replaced the context
// has lost it; such a request gets one of its own, so that net/http does not
// repeat it.
func (l *attemptLimit) watched(req *http.Request) (*http.Request, *delivery, func()) {
	d := deliveryFrom(req.Context())
	if d != nil || callFrom(req.Context()) != nil || req.Method == http.MethodGet || req.Method == http.MethodHead {
		return req, d, func() {}
	}
	req, d = watch(req, Create)
	return req, d, func() { d.cancel(nil) }
}

// limitedBody ends the time limit when the body has been read.
type limitedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelFunc
	end    func()
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
	b.cancel()
	b.end()
	return err
}
