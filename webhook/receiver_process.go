package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// settleLimit is the time by which a claim outlasts the time limit of the
// handlers. It also limits a call that ends the lease of a message.
const settleLimit = 5 * time.Second

// task holds the limits for one delivery, within its request or from a queue.
type task struct {
	owner   string        // owner of the claim
	lease   time.Duration // duration of the claim
	limit   time.Duration // time limit for a call of a store
	time    time.Duration // time limit of the handlers; 0 if they have the rest of the request
	patient bool          // may wait for a store that fails
	todo    []work        // calls of the handlers

	// begin is called before any code of the handlers runs, including the
	// decoding of their types, and join after they have returned.
	begin func(context.Context) (join func(), err error)

	lose context.CancelCauseFunc // cancels the context of the handlers; nil without a Deduplicator, and within a request
	kept *renewal                // renewal of the claim; nil without a claim

	// Only for a message from a queue:
	bindings []binding       // bindings of the handlers, instead of todo
	slot     *slot           // slot of the worker
	over     <-chan struct{} // closed when Run must return
}

// process records an error event in the tracker and handles the delivery,
// unless it is an own event. Without the record a failed write would look
// successful: an event from a queue waits for it, and a request fails after the
// handlers, because only a repetition can record the event.
func (r *Receiver) process(ctx context.Context, d *delivery, t *task) error {
	tracked := r.track(ctx, d, t.limit)
	if tracked != nil && t.patient {
		return tracked
	}
	if r.settings.own.caused(d, r.settings.tolerance) {
		return cmp.Or(r.dropOwn(ctx, d, t), tracked)
	}
	if len(t.todo)+len(t.bindings) > 0 {
		if err := r.handleOnce(ctx, d, t); err != nil {
			return err
		}
	}
	return tracked
}

// handleOnce handles the event unless it was already handled or is being
// handled. If the Deduplicator fails within a request, it handles the event
// anyway, because the service may not send it again: handling it twice is
// better than losing it.
func (r *Receiver) handleOnce(ctx context.Context, d *delivery, t *task) error {
	if r.settings.deduplicator != nil && t.patient {
		if r.worker.isUnheard(d.identity) {
			return r.worker.settleQueued(context.WithoutCancel(ctx), d, t, nil)
		}
		ctx, t.lose = context.WithCancelCause(ctx)
		defer t.lose(nil)
	}
	asked := startOfLease()
	claim, err := r.claim(ctx, d, t)
	switch {
	case err != nil && t.patient:
		_ = r.release(ctx, d, t) // it may hold although the response was lost; release reports the error
		return err
	case err != nil:
		r.report(ctx, d, 0, err)
	case claim == ClaimDone:
		r.count.duplicates.Add(1)
		return nil
	case claim == ClaimInProgress:
		return ErrInProgress
	}
	if err == nil {
		t.kept = r.keep(ctx, d, t, asked)
	}
	return r.handle(ctx, d, t)
}

// handle calls the handlers and notifies the stores of the result.
func (r *Receiver) handle(ctx context.Context, d *delivery, t *task) (err error) {
	err = errEndedGoroutine
	// Deferred, because a handler may call runtime.Goexit. err then keeps its
	// initial value.
	defer func() { err = r.settle(ctx, d, t, err) }()
	join, failure := t.begin(ctx)
	if failure != nil {
		return failure
	}
	defer join()
	todo, failure := t.bind(d)
	if failure != nil {
		return failure
	}
	if t.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t.time)
		defer cancel()
		overdue := time.AfterFunc(backoff.SaturatingAdd(t.time, settleLimit), func() {
			r.count.overdue.Add(1)
			r.report(context.WithoutCancel(ctx), d, 0, errOverdue)
		})
		defer overdue.Stop()
	}
	return lost(ctx, judge(ctx, protect(func() error { return r.wrapped(d, todo)(ctx) })))
}

// settle notifies the stores of the result. It returns the error of the
// handlers, or of a store that must record the result.
func (r *Receiver) settle(ctx context.Context, d *delivery, t *task, err error) error {
	switch {
	case err == nil:
		r.count.handled.Add(1)
	case classify(err).ran():
		r.count.failed.Add(1)
	}
	if !r.settings.identifies() {
		return err
	}
	if t.patient {
		return r.worker.settleQueued(context.WithoutCancel(ctx), d, t, err)
	}
	d.note = func(ctx context.Context) {
		t.kept.end()
		if err != nil && classify(err).fate != fateDead {
			_ = r.release(ctx, d, t) // release reports the error
			return
		}
		r.report(ctx, d, 0, r.commit(ctx, d, t))
	}
	return err
}

// bind returns the calls of the handlers. A message from a queue is decoded
// only here, because decoding runs code of the handlers' types.
func (t *task) bind(d *delivery) (todo []work, err error) {
	if t.bindings == nil {
		return t.todo, nil
	}
	err = protectHandlers(func() (err error) { todo, err = bindAll(t.bindings, d); return err })
	return todo, err
}

// run calls the handlers in order until one fails.
func run(ctx context.Context, todo []work) error {
	for _, w := range todo {
		if err := w(ctx); err != nil {
			return err
		}
	}
	return nil
}

// protect calls f and returns a panic as an error.
func protect(f func() error) (err error) {
	defer func() {
		switch value := recover().(type) {
		case nil:
		case *PanicError: // raised again from another goroutine, with the stack of that goroutine
			err = value
		default:
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}

// protectHandlers is protect for the user's code, whose panics are ErrHandler.
func protectHandlers(f func() error) error { return ofHandlers(protect(f)) }

// ofHandlers returns err, with ErrHandler added to a panic.
func ofHandlers(err error) error {
	if broken, ok := err.(*PanicError); ok { //nolint:errorlint // a wrapped one has its reason
		return fmt.Errorf("%w: %w", ErrHandler, broken)
	}
	return err
}

// errOverdue reports handlers that ignore the end of their context. The worker
// waits for them.
var errOverdue = fmt.Errorf("%w: some handlers did not return after their context ended", ErrUnfinished)

// errEndedGoroutine reports a handler that ended its goroutine.
var errEndedGoroutine = fmt.Errorf("%w: %w", ErrHandler, &PanicError{})

// judge returns ErrUnfinished for a handler that failed because its context
// ended, and ErrHandler for any other failure.
func judge(ctx context.Context, err error) error {
	switch over := ctx.Err(); {
	case err == nil:
		return nil
	case over != nil && errors.Is(err, over):
		return fmt.Errorf("%w: %w", ErrUnfinished, err)
	default:
		return fmt.Errorf("%w: %w", ErrHandler, err)
	}
}
