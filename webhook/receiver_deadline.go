package webhook

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// perform does the work and gives its outcome, or ErrUnfinished when the time is over first. The work then goes on,
// to be waited for in Shutdown: a goroutine cannot be stopped, and the service must have its answer.
func (r *Receiver) perform(ctx context.Context, d *delivery, job func(context.Context) error) error {
	done, left := make(chan error), make(chan struct{})
	r.running.begin()
	go func() {
		defer r.running.end()
		defer d.leave()
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
		r.report(ctx, d, classify(ErrUnfinished).status, err)
	}
}

// running counts goroutines at work. Other than a sync.WaitGroup it lets go of a waiter whose context ends, and new
// work may begin while somebody waits.
type running struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when the count is 0 again
}

func (r *running) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count++; r.count == 1 {
		r.idle = make(chan struct{})
	}
}

func (r *running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count--; r.count == 0 {
		close(r.idle)
	}
}

func (r *running) wait(ctx context.Context) error {
	r.mu.Lock()
	count, idle := r.count, r.idle
	r.mu.Unlock()
	if count == 0 {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
