// Package underway counts operations in progress.
package underway

import (
	"context"
	"sync"
)

// Count counts operations in progress. Unlike with a [sync.WaitGroup], Wait
// ends with a context, and new operations may begin meanwhile. Its zero value
// is ready to use.
type Count struct {
	mu    sync.Mutex
	count int
	idle  chan struct{} // closed when the count is 0 again; nil if nothing waits for it
}

// Begin counts an operation that begins.
func (c *Count) Begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
}

// End records the end of an operation.
func (c *Count) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count--; c.count == 0 && c.idle != nil {
		close(c.idle)
		c.idle = nil
	}
}

// Wait waits until no operation is in progress, or returns the error of ctx.
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

// ended returns a channel that is closed when the count is 0, or nil if it is 0
// now.
func (c *Count) ended() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count > 0 && c.idle == nil {
		c.idle = make(chan struct{})
	}
	return c.idle
}
