package webhook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// perform does the work and gives its outcome, or ErrUnfinished when the time is over first. The work then goes on,
// to be waited for in Shutdown: a goroutine cannot be stopped, and the service must have its answer.
func (r *Receiver) perform(ctx context.Context, d *delivery, todo []work) error {
	if len(todo) == 0 {
		return nil
	}
	done, left := make(chan error), make(chan struct{})
	r.running.begin()
	go func() {
		defer r.running.end()
		outcome := error(&PanicError{})
		// Deferred, because a handler can end its goroutine; then the outcome stays as it is.
		defer func() {
			select {
			case done <- outcome:
			case <-left:
				r.reportLate(ctx, d, outcome)
			}
		}()
		outcome = run(ctx, todo)
	}()
	select {
	case err := <-done:
		return judge(ctx, err)
	case <-ctx.Done():
		close(left)
		return fmt.Errorf("%w: %w", ErrUnfinished, ctx.Err())
	}
}

// run does the work in order until some of it fails, and turns a panic into an error.
func run(ctx context.Context, todo []work) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	for _, w := range todo {
		if err := w(ctx); err != nil {
			return err
		}
	}
	return nil
}

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

// reportLate reports a failure after the delivery was answered, unless it only says that the time was over.
func (r *Receiver) reportLate(ctx context.Context, d *delivery, err error) {
	if failure := judge(ctx, err); errors.Is(failure, ErrHandler) {
		r.report(ctx, d, statusOf(ErrUnfinished), failure)
	}
}
