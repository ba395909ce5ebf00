package webhook

import (
	"context"
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/internal/underway"
	"github.com/practicesdk/practice-go/models"
)

// The methods in this file call the stores. Without a store they do nothing.

func (r *Receiver) claim(ctx context.Context, d *delivery, t *task) (Claim, error) {
	if r.settings.deduplicator == nil {
		return ClaimNew, nil
	}
	return askFirst(ctx, r, d, "deduplicator", limitOf(r.settings.deduplicator, t.limit), func(ctx context.Context) (Claim, error) {
		return r.settings.deduplicator.Claim(ctx, d.identity, t.owner, t.lease)
	})
}

func (r *Receiver) commit(ctx context.Context, d *delivery, t *task) error {
	if r.settings.deduplicator == nil {
		return nil
	}
	return r.callStore(ctx, "deduplicator", limitOf(r.settings.deduplicator, t.limit), func(ctx context.Context) error {
		return r.settings.deduplicator.Commit(ctx, d.identity)
	})
}

// release releases the claim and reports a failure to the error hook.
func (r *Receiver) release(ctx context.Context, d *delivery, t *task) error {
	if r.settings.deduplicator == nil {
		return nil
	}
	err := r.callStore(ctx, "deduplicator", limitOf(r.settings.deduplicator, t.limit), func(ctx context.Context) error {
		return r.settings.deduplicator.Release(ctx, d.identity, t.owner)
	})
	r.report(ctx, d, 0, err)
	return err
}

// track records an error event in the tracker, if there is one.
func (r *Receiver) track(ctx context.Context, d *delivery, limit time.Duration) error {
	if r.settings.tracker == nil || d.notification.kind != models.EventTypeError.Type() {
		return nil
	}
	_, err := askFirst(ctx, r, d, "tracker", limitOf(r.settings.tracker.store, limit), func(ctx context.Context) (struct{}, error) {
		return struct{}{}, r.settings.tracker.feed(ctx, d)
	})
	return err
}

// noLimit means that a store answers at once and needs no time limit.
const noLimit = 0

// limitOf returns the time limit for a call of a store. Stores in memory answer
// at once, and a goroutine per call would cost more than the call.
func limitOf(store any, limit time.Duration) time.Duration {
	switch store.(type) {
	case nil, *MemoryStore:
		return noLimit
	default:
		return limit
	}
}

// ask calls a store and waits for the result, at most for limit, even if the
// store ignores its context.
func ask[V any](ctx context.Context, r *Receiver, name string, limit time.Duration, call func(context.Context) (V, error)) (value V, err error) {
	if limit == noLimit {
		err = protect(func() (err error) { value, err = call(ctx); return err })
		return value, storeError(name, err)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case a := <-apart(&r.running, func() (V, error) { return call(ctx) }):
		return a.value, storeError(name, a.err)
	case <-ctx.Done():
		return value, storeError(name, ctx.Err())
	}
}

// answered holds the result of a call to a store.
type answered[V any] struct {
	value V
	err   error
}

// apart calls a store in a new goroutine and returns the channel of its result.
// The goroutine may end without returning.
func apart[V any](at *underway.Count, call func() (V, error)) <-chan answered[V] {
	answers := make(chan answered[V], 1)
	at.Begin()
	go func() {
		defer at.End()
		a := answered[V]{err: &PanicError{}}
		defer func() { answers <- a }()
		a.err = protect(func() (err error) { a.value, err = call(); return err })
	}()
	return answers
}

// callStore calls a store that returns only an error.
func (r *Receiver) callStore(ctx context.Context, name string, limit time.Duration, call func(context.Context) error) error {
	_, err := ask(ctx, r, name, limit, func(ctx context.Context) (struct{}, error) { return struct{}{}, call(ctx) })
	return err
}

// storeError wraps an error, or panic, of a store in ErrStore.
func storeError(name string, err error) error {
	if err == nil {
		return nil
	}
	if broken, ok := err.(*PanicError); ok { //nolint:errorlint // a wrapped one is an error of the store
		broken.ofStore = true
	}
	return fmt.Errorf("%w: %s: %w", ErrStore, name, err)
}
