package nats

import (
	"context"
	"sync"
)

// busy counts what must end before the engine may.
type busy struct {
	closing context.Context // ends when nothing new may begin
	end     context.CancelCauseFunc

	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when closing has begun and nothing is left
}

func newBusy() *busy {
	b := &busy{idle: make(chan struct{})}
	b.closing, b.end = context.WithCancelCause(context.Background())
	return b
}

// begin is false when nothing may begin any more. Otherwise done must follow.
func (b *busy) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing.Err() != nil {
		return false
	}
	b.count++
	return true
}

func (b *busy) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count--
	b.settle()
}

// close is true for the first call only.
func (b *busy) close(cause error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing.Err() != nil {
		return false
	}
	b.end(cause)
	b.settle()
	return true
}

// settle is called with the lock held.
func (b *busy) settle() {
	if b.count == 0 && b.closing.Err() != nil {
		close(b.idle)
	}
}

func (b *busy) wait(ctx context.Context) error {
	select {
	case <-b.idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// with gives a context that also ends when the engine does.
func (b *busy) with(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(b.closing, func() { cancel(context.Cause(b.closing)) })
	return ctx, func() { stop(); cancel(nil) }
}
