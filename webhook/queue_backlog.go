package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Backlog holds the size and age of a queue.
type Backlog struct {
	// Messages counts the messages without the dead letters.
	Messages int
	// Oldest is the time at which the oldest message was put. Zero without any.
	Oldest time.Time
}

// Measurer is a [Queue] that measures its backlog.
type Measurer interface {
	Queue
	// Backlog measures the queue.
	Backlog(ctx context.Context) (Backlog, error)
}

// Backlog measures the queue of the receiver. The error matches
// [errors.ErrUnsupported] when it has no queue, or its queue is no [Measurer].
func (r *Receiver) Backlog(ctx context.Context) (Backlog, error) {
	queue, ok := r.settings.queue.(Measurer)
	if !ok {
		return Backlog{}, fmt.Errorf("webhook: the backlog of the queue: %w", errors.ErrUnsupported)
	}
	return ask(ctx, r, "queue", r.settings.storeTimeout, queue.Backlog)
}
