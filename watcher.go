package practice

import (
	"context"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
)

// watcher tells the logger, the observer and the tracer of a client about one
// call. The zero value watches nothing.
type watcher struct {
	client   *Client
	ctx      context.Context // of the call, as the tracer wants it
	base     *Observation    // what everything that is seen of the call has in common
	started  time.Time
	attempts []context.Context // as the tracer wants them
}

// watched tells whether anybody wants to know.
func (c *Client) watched() bool {
	return c.settings.logger != nil || c.settings.observer != nil || c.settings.tracer != nil
}

func (c *Client) watch(ctx context.Context, base *Observation) watcher {
	if c.settings.tracer != nil {
		begun := *base
		begun.Call = true
		ctx = c.settings.tracer.Start(ctx, begun, nil)
	}
	return watcher{client: c, ctx: ctx, base: base, started: time.Now()}
}

// observation is what everything that is seen of the call has in common.
func (p *call) observation() *Observation {
	p.seen = Observation{
		Operation: p.op.name, Method: p.op.method, Path: p.op.path, RequestID: p.settings.requestID,
		Server: p.client.server, Page: p.listing,
	}
	return &p.seen
}

// Begin is told of each attempt by the transport before it is sent.
func (w *watcher) Begin(number int, req *http.Request) *http.Request {
	tracer := w.client.settings.tracer
	if tracer == nil {
		return req
	}
	begun := *w.base
	begun.Attempt = number
	added := http.Header{}
	ctx := tracer.Start(req.Context(), begun, added)
	w.attempts = append(w.attempts, ctx)
	return withAdded(req.WithContext(ctx), added)
}

// withAdded adds the headers of a tracer. The map of the request is left alone:
// it is that of all attempts.
func withAdded(req *http.Request, added http.Header) *http.Request {
	own := req.Header
	req.Header = own.Clone()
	for name, values := range added {
		for _, value := range values {
			if validHeaderName(name) && validHeaderValue(value) && !reservedHeader(name) && len(own.Values(name)) == 0 {
				req.Header.Add(name, value)
			}
		}
	}
	return req
}

// Attempt is told of each attempt by the transport.
func (w *watcher) Attempt(a transport.Attempt) {
	seen := *w.base
	seen.Attempt, seen.Status, seen.Duration = a.Number, a.Status, a.Duration
	seen.BytesSent, seen.BytesReceived = a.BytesSent, a.BytesReceived
	seen.Err, seen.Reason = a.Err, a.Reason
	ctx := w.ctx
	if a.Number <= len(w.attempts) {
		ctx = w.attempts[a.Number-1]
	}
	w.client.attemptEnded(ctx, seen, a.Wait)
}

func (w *watcher) finished(o outcome, err error) {
	if w.base == nil {
		return
	}
	seen := *w.base
	seen.Attempt, seen.Err = len(o.sent.Attempts), err
	if o.answer != nil {
		seen.Status = o.answer.Status
	}
	for i := range o.sent.Attempts {
		seen.BytesSent += o.sent.Attempts[i].BytesSent
		seen.BytesReceived += o.sent.Attempts[i].BytesReceived
	}
	w.ended(seen)
}

// ended tells all who want to know of the end of the call.
func (w *watcher) ended(seen Observation) {
	seen.Call, seen.Duration = true, time.Since(w.started)
	if observe := w.client.settings.observer; observe != nil {
		observe(w.ctx, seen)
	}
	w.client.logCall(w.ctx, seen)
	if tracer := w.client.settings.tracer; tracer != nil {
		tracer.End(w.ctx, seen)
	}
}

// attemptEnded tells all who want to know of the end of an attempt, and how long
// the wait for the next one is.
func (c *Client) attemptEnded(ctx context.Context, seen Observation, wait time.Duration) {
	if observe := c.settings.observer; observe != nil {
		observe(ctx, seen)
	}
	c.logAttempt(ctx, seen, wait)
	if tracer := c.settings.tracer; tracer != nil {
		tracer.End(ctx, seen)
	}
}
