package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Backlog holds the size and age of a queue.
type Backlog struct {
	// Messages is the number of messages, without dead letters.
	Messages int
	// Oldest is the time at which the oldest message was put. Zero for an empty
	// queue.
	Oldest time.Time
}

// Measurer is a [Queue] that can measure its backlog.
type Measurer interface {
	Queue
	// Backlog returns the current size and age of the queue.
	Backlog(ctx context.Context) (Backlog, error)
}

// Backlog measures the queue of the receiver. The error matches
// [errors.ErrUnsupported] if it has no queue or the queue is not a [Measurer].
func (r *Receiver) Backlog(ctx context.Context) (Backlog, error) {
	queue, ok := r.settings.queue.(Measurer)
	if !ok {
		return Backlog{}, fmt.Errorf("webhook: the backlog of the queue: %w", errors.ErrUnsupported)
	}
	return ask(ctx, r, "queue", r.settings.storeTimeout, queue.Backlog)
}
