package webhook

import (
	"context"
	"errors"
	"fmt"
)

// perform does the work and gives its outcome, or ErrUnfinished when the time is over first. The work then goes on,
// to be waited for in Shutdown: a goroutine cannot be stopped, and the service must have its answer.
func (r *Receiver) perform(ctx context.Context, d *delivery, job func(context.Context) error) error {
	done, left := make(chan error), make(chan struct{})
	r.running.begin()
	go func() {
		defer r.running.end()
		outcome := errEndedGoroutine
		// Deferred, because a handler can end its goroutine; then the outcome stays as it is.
		defer func() {
			select {
			case done <- outcome:
			case <-left:
				r.reportLate(ctx, d, outcome)
			}
		}()
		outcome = protect(func() error { return job(ctx) })
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		close(left)
		return fmt.Errorf("%w: %w", ErrUnfinished, ctx.Err())
	}
}

// reportLate reports a failure of a handler after the delivery was answered.
func (r *Receiver) reportLate(ctx context.Context, d *delivery, err error) {
	if errors.Is(err, ErrHandler) {
		r.report(ctx, d, statusOf(ErrUnfinished), err)
	}
}
