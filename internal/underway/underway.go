// Package underway counts work that is under way.
package underway

import (
	"context"
	"sync"
)

// Count counts work that has begun and not ended. Unlike that of a
// [sync.WaitGroup], its Wait ends with a context, and new work may begin
// meanwhile. Its zero value is ready for use.
type Count struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when the count is 0 again; nil when nobody waits for that
}

// Begin counts work that begins.
func (c *Count) Begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
}

// End counts work that has ended.
func (c *Count) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count--; c.count == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// Wait waits until no work is under way, or returns the error of ctx.
func (c *Count) Wait(ctx context.Context) error {
	idle := c.ended()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ended returns a channel that is closed when the count is 0; nil if it is 0
// now.
func (c *Count) ended() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count > 0 && c.idle == nil {
		c.idle = make(chan struct{})
	}
	return c.idle
}
