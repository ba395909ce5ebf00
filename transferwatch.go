package practice

import (
	"context"
	"net/url"
	"sync/atomic"
	"time"
)

// transferWatch tells about a transfer: as one call, and about each of its
// exchanges with the storage. Nil watches nothing.
type transferWatch struct {
	watcher
	exchanges, sent, received atomic.Int64
}

type transferWatchKey struct{}

// watchTransfer begins a transfer. Its exchanges find it in the context.
func (c *Client) watchTransfer(ctx context.Context, operation string) (context.Context, *transferWatch) {
	if !c.watched() {
		return ctx, nil
	}
	w := &transferWatch{watcher: c.watch(ctx, &Observation{Operation: operation, Storage: true})}
	return context.WithValue(w.ctx, transferWatchKey{}, w), w
}

// end tells that the transfer is over.
func (w *transferWatch) end(err error) {
	if w == nil {
		return
	}
	seen := *w.base
	seen.Attempt, seen.Err = int(w.exchanges.Load()), err
	seen.BytesSent, seen.BytesReceived = w.sent.Load(), w.received.Load()
	w.ended(seen)
}

// exchange is an attempt to move bytes to or from the storage. Those of a series
// are numbered. The zero value has not begun.
type exchange struct {
	watch   *transferWatch // nil when there is nothing to tell, or nobody to tell it to
	ctx     context.Context
	number  int
	status  int
	started time.Time
	seen    *Observation
}

// begin gives the context for the exchange and the place for its status, which
// is nil when nobody wants to know.
func (e *exchange) begin(ctx context.Context, method string, to storageAddress) (context.Context, *int) {
	w, _ := ctx.Value(transferWatchKey{}).(*transferWatch)
	if w == nil {
		return ctx, nil
	}
	w.exchanges.Add(1)
	e.number++
	begun := *w.base
	begun.Method, begun.Attempt, begun.Server = method, e.number, serverOf(to)
	if tracer := w.client.settings.tracer; tracer != nil {
		ctx = tracer.Start(ctx, begun, nil)
	}
	e.seen = &begun
	e.watch, e.ctx, e.status, e.started = w, ctx, 0, time.Now()
	return ctx, &e.status
}

// serverOf leaves the path and the signature of an address out.
func serverOf(address storageAddress) string {
	u, err := url.Parse(address.url.Reveal())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// end tells how an exchange went, if one has begun. The attempt says what moved
// and why it failed, and what follows it.
func (e *exchange) end(a Attempt) {
	w := e.watch
	if w == nil {
		return
	}
	e.watch = nil
	w.sent.Add(a.BytesSent)
	w.received.Add(a.BytesReceived)
	e.seen.Status, e.seen.Duration = e.status, time.Since(e.started)
	e.seen.BytesSent, e.seen.BytesReceived, e.seen.Err, e.seen.Reason = a.BytesSent, a.BytesReceived, a.Err, a.Reason
	w.client.attemptEnded(e.ctx, *e.seen, a.Wait)
}
