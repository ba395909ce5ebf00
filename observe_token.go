package practice

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
)

// tokenObserver is the link that tells about requests to the token endpoint. The
// context of such a request is that of the call that needed the token first, so
// that a trace shows it there. Its end is told by a call, in the goroutine of the
// call: nobody else could catch what an observer panics with.
type tokenObserver struct {
	next   http.RoundTripper
	client *Client

	mu    sync.Mutex
	ended []*tokenExchange // that nobody was told of yet
}

// tell tells of the requests to the token endpoint that have ended.
func (t *tokenObserver) tell() {
	if t == nil {
		return
	}
	for e := t.takeEnded(); e != nil; e = t.takeEnded() {
		t.client.attemptEnded(e.ctx, e.seen, 0)
	}
}

// takeEnded is one at a time, so that one that an observer panics with costs no other.
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
		Operation: tokenOperation, Method: req.Method, Server: req.URL.Scheme + "://" + req.URL.Host, Token: true, Attempt: 1,
	}
	ctx := t.client.traced(req.Context(), seen, http.Header{}) // none is sent there
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

// tokenExchange is one such request, and then the body of its answer.
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
		e.seen.Err = e.observer.client.mask(&transport.Call{}).Error(err)
	}
	switch {
	case err != nil:
		e.seen.Reason = "no whole answer"
	case e.seen.Status == http.StatusOK:
		e.seen.Reason = "success"
	default:
		e.seen.Reason = "status " + strconv.Itoa(e.seen.Status)
	}
	e.observer.mu.Lock()
	defer e.observer.mu.Unlock()
	e.observer.ended = append(e.observer.ended, e)
}
