package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
)

// attemptLimit is the innermost link: it bounds one attempt in time, body
// included, and notices whether a connection was there to send over.
type attemptLimit struct {
	next http.RoundTripper
	// traced tells that next is known to announce its connections; any other
	// transport may have sent something unless its failure proves otherwise.
	traced bool
}

func (l *attemptLimit) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callFrom(req.Context())
	ctx, cancel := call.limitAttempt(req.Context())
	traced := l.traced && call.Class != Read // a read that failed is repeated whether it was sent or not
	if traced {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			GotConn: func(httptrace.GotConnInfo) { call.connected.Store(true) },
		})
	}
	resp, err := l.next.RoundTrip(req.WithContext(ctx))
	if resp == nil && err == nil {
		err = errNoAnswer
	}
	if err != nil {
		err = contextCause(ctx, err)
		if !traced {
			call.connected.Store(!neverConnected(err))
		}
		cancel()
		return nil, err
	}
	call.connected.Store(true)
	if resp.Body == nil { // a transport of the caller may forget it
		resp.Body = http.NoBody
	}
	resp.Body = &limitedBody{ReadCloser: resp.Body, ctx: ctx, cancel: cancel}
	return resp, nil
}

// limitedBody ends the time limit when the body has been read.
type limitedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelFunc
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
	return err
}
