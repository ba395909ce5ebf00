package practice

import (
	"context"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
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

// watchExchange tells about an exchange with the storage. It belongs to the
// transfer that the context names; without one there is nothing to tell.
func watchExchange(ctx context.Context, begun transfer.Exchange) (context.Context, func(int, transport.Attempt)) {
	w, _ := ctx.Value(transferWatchKey{}).(*transferWatch)
	if w == nil {
		return ctx, nil
	}
	w.exchanges.Add(1)
	seen := *w.base
	seen.Method, seen.Attempt, seen.Server = begun.Method, begun.Number, serverOf(begun.Address)
	if tracer := w.client.settings.tracer; tracer != nil {
		ctx = tracer.Start(ctx, seen, nil)
	}
	started := time.Now()
	return ctx, func(status int, ended transport.Attempt) {
		w.sent.Add(ended.BytesSent)
		w.received.Add(ended.BytesReceived)
		seen.Status, seen.Duration = status, time.Since(started)
		seen.BytesSent, seen.BytesReceived, seen.Err, seen.Reason = ended.BytesSent, ended.BytesReceived, ended.Err, ended.Reason
		w.client.attemptEnded(ctx, seen, ended.Wait)
	}
}

// serverOf leaves the path and the signature of an address out.
func serverOf(address models.Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
