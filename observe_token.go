package practice

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// tokenObserver observes the requests to the token endpoint. Such a request has
// the context of the call that first needed the token, so that a trace shows it
// there. Its end is reported by a call in the call's own goroutine, where a
// panic of an observer can be recovered.
type tokenObserver struct {
	next http.RoundTripper
	to   *observers
	mask func(error) error // removes secrets from an error

	mu    sync.Mutex
	ended []*tokenExchange // finished exchanges that are not reported yet
}

// report reports the finished requests to the token endpoint.
func (t *tokenObserver) report() {
	if t == nil {
		return
	}
	for e := t.takeEnded(); e != nil; e = t.takeEnded() {
		t.to.attemptEnded(e.ctx, e.seen, 0)
	}
}

// takeEnded removes one exchange, so that a panic of an observer loses only
// this one.
func (t *tokenObserver) takeEnded() *tokenExchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.ended) == 0 {
		return nil
	}
	e := t.ended[0]
	t.ended = t.ended[1:]
	return e
}

const tokenOperation = "Token"

func (t *tokenObserver) RoundTrip(req *http.Request) (*http.Response, error) {
	seen := Observation{
		Operation: tokenOperation, Method: req.Method, Server: req.URL.Scheme + "://" + req.URL.Host, Kind: ObservedTokenAttempt, Attempt: 1,
	}
	ctx := t.to.start(req.Context(), seen, http.Header{}) // the endpoint receives no trace headers
	seen.BytesSent = max(req.ContentLength, 0)
	exchange := &tokenExchange{observer: t, ctx: ctx, seen: seen, started: time.Now()}
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		exchange.ended(err)
		return nil, err
	}
	exchange.seen.Status, exchange.seen.Protocol = resp.StatusCode, resp.Proto
	exchange.ReadCloser, resp.Body = resp.Body, exchange
	return resp, nil
}

// tokenExchange is one request and, later, the body of its response.
type tokenExchange struct {
	io.ReadCloser
	observer *tokenObserver
	ctx      context.Context
	seen     Observation
	started  time.Time
	failed   error
	over     bool
}

func (e *tokenExchange) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	e.seen.BytesReceived += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		e.failed = err
	}
	return n, err
}

func (e *tokenExchange) Close() error {
	err := e.ReadCloser.Close()
	e.ended(e.failed)
	return err
}

func (e *tokenExchange) ended(err error) {
	if e.over {
		return
	}
	e.over = true
	e.seen.Duration = time.Since(e.started)
	if err != nil {
		e.seen.Err = e.observer.mask(err)
	}
	switch {
	case err != nil:
		e.seen.Reason = "no complete response"
	case e.seen.Status == http.StatusOK:
		e.seen.Reason = "success"
	default:
		e.seen.Reason = "status " + strconv.Itoa(e.seen.Status)
	}
	e.observer.mu.Lock()
	defer e.observer.mu.Unlock()
	e.observer.ended = append(e.observer.ended, e)
}
