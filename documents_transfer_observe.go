package practice

import (
	"context"
	"net/url"
	"time"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// observeTransfer begins a transfer. Its exchanges find it in the context.
func (c *Client) observeTransfer(ctx context.Context, operation string) (context.Context, *wholeObserver) {
	return c.observeWhole(ctx, Observation{Operation: operation, Storage: true})
}

// observeExchange tells about an exchange with the storage. It belongs to the
// transfer that the context names; without one there is nothing to tell.
func observeExchange(ctx context.Context, begun transfer.Exchange) (context.Context, func(int, transport.Attempt)) {
	w, _ := ctx.Value(wholeKey{}).(*wholeObserver)
	if w == nil {
		return ctx, nil
	}
	seen := w.base
	seen.Method, seen.Attempt, seen.Server = begun.Method, begun.Number, serverOf(begun.Address)
	ctx = w.client.traced(ctx, seen, nil)
	started := time.Now()
	return ctx, func(status int, ended transport.Attempt) {
		seen.Status, seen.Duration = status, time.Since(started)
		seen.BytesSent, seen.BytesReceived, seen.Err, seen.Reason = ended.BytesSent, ended.BytesReceived, ended.Err, ended.Reason
		w.exchanged(seen, ended.Wait)
		w.client.attemptEnded(ctx, seen, ended.Wait)
	}
}

// exchanged counts an exchange with the storage.
func (w *wholeObserver) exchanged(seen Observation, wait time.Duration) {
	seen.Attempt, seen.Waits = 1, Waits{Retry: wait}
	w.add(seen)
}

// serverOf leaves the path and the signature of an address out.
func serverOf(address models.Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
