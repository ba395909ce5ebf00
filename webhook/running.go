package webhook

import (
	"context"
	"sync"
)

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
