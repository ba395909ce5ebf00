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
// exchanges with the storage. Nil observes nothing.
type transferObserver struct {
	callObserver
	exchanges, sent, received atomic.Int64
}

type transferObserverKey struct{}

// observeTransfer begins a transfer. Its exchanges find it in the context.
func (c *Client) observeTransfer(ctx context.Context, operation string) (context.Context, *transferObserver) {
	if !c.observed() {
		return ctx, nil
	}
	w := &transferObserver{callObserver: c.observe(ctx, &Observation{Operation: operation, Storage: true})}
	return context.WithValue(w.ctx, transferObserverKey{}, w), w
}

// end tells that the transfer is over.
func (w *transferObserver) end(err error) {
	if w == nil {
		return
	}
	seen := *w.base
	seen.Attempt, seen.Err = int(w.exchanges.Load()), err
	seen.BytesSent, seen.BytesReceived = w.sent.Load(), w.received.Load()
	w.ended(seen)
}

// observeExchange tells about an exchange with the storage. It belongs to the
// transfer that the context names; without one there is nothing to tell.
func observeExchange(ctx context.Context, begun transfer.Exchange) (context.Context, func(int, transport.Attempt)) {
	w, _ := ctx.Value(transferObserverKey{}).(*transferObserver)
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
