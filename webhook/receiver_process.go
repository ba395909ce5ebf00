package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// settleLimit is the time for telling the stores how a delivery went, also when its own time is over.
const settleLimit = 5 * time.Second

// task is how a delivery is handled: within its request, or from a queue.
type task struct {
	owner   string        // for the Deduplicator
	lease   time.Duration // likewise
	patient bool          // it can wait for a store that fails
}

// process does everything that a delivery causes.
func (r *Receiver) process(ctx context.Context, d *delivery, todo []work, t task) error {
	tracked := r.track(ctx, d)
	if tracked != nil && t.patient {
		return tracked
	}
	if r.settings.own.caused(d, r.settings.verifier.tolerance) {
		r.dropOwn(ctx, d)
		return tracked
	}
	if len(todo) > 0 {
		if err := r.handleOnce(ctx, d, todo, t); err != nil {
			return err
		}
	}
	return tracked
}

// handleOnce handles the event unless that was done, or is being done. Where nobody can wait for a Deduplicator that
// fails, the event is rather handled twice than lost: whether the service would send it again is not specified.
func (r *Receiver) handleOnce(ctx context.Context, d *delivery, todo []work, t task) error {
	claim, err := r.claim(ctx, d, t)
	switch {
	case err != nil && t.patient:
		return err
	case err != nil:
		r.reportStore(ctx, d, err)
	case claim == ClaimDone:
		r.count.duplicates.Add(1)
		return nil
	case claim == ClaimInProgress:
		return ErrInProgress
	}
	r.advise(ctx, d)
	return r.handle(ctx, d, todo, t)
}

// handle calls the handlers and tells the stores how it went.
func (r *Receiver) handle(ctx context.Context, d *delivery, todo []work, t task) (err error) {
	err = errEndedGoroutine
	// Deferred, because a handler can end its goroutine; then the error stays as it is.
	defer func() { r.settle(ctx, d, t, err) }()
	return judge(ctx, protect(func() error { return run(ctx, todo) }))
}

// settle tells the stores how it went.
func (r *Receiver) settle(ctx context.Context, d *delivery, t task, err error) {
	if err != nil {
		r.count.failed.Add(1)
	} else {
		r.count.handled.Add(1)
	}
	if !r.settings.identifies() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleLimit)
	defer cancel()
	if err != nil {
		r.release(ctx, d, t)
		return
	}
	r.commit(ctx, d)
	r.advance(ctx, d)
}

// run does the work in order until some of it fails.
func run(ctx context.Context, todo []work) error {
	for _, w := range todo {
		if err := w(ctx); err != nil {
			return err
		}
	}
	return nil
}

// protect turns a panic into an error.
func protect(f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return f()
}

// errEndedGoroutine is the outcome of a handler that ended its goroutine.
var errEndedGoroutine = fmt.Errorf("%w: %w", ErrHandler, &PanicError{})

// judge tells a handler that gave up because the time was over from one that failed.
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
