// Package turns implements locks by key.
package turns

import (
	"context"
	"sync"
)

// Turns holds a lock for each key. Its zero value is ready to use. It is safe
// for concurrent use.
type Turns[K comparable] struct {
	mu    sync.Mutex
	byKey map[K]*turn
}

type turn struct {
	taken chan struct{} // semaphore of the key
	users int           // number of callers that hold the lock or wait for it
}

// Take locks a key. The caller must call leave to unlock it. If ctx ends first,
// Take returns its cause.
func (t *Turns[K]) Take(ctx context.Context, key K) (leave func(), err error) {
	mine := t.enter(key)
	select {
	case mine.taken <- struct{}{}:
		return func() { <-mine.taken; t.leave(key, mine) }, nil
	case <-ctx.Done():
		t.leave(key, mine)
		return nil, context.Cause(ctx)
	}
}

func (t *Turns[K]) enter(key K) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := t.byKey[key]
	if mine == nil {
		mine = &turn{taken: make(chan struct{}, 1)}
		if t.byKey == nil {
			t.byKey = map[K]*turn{}
		}
		t.byKey[key] = mine
	}
	mine.users++
	return mine
}

func (t *Turns[K]) leave(key K, mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if mine.users--; mine.users == 0 {
		delete(t.byKey, key)
	}
}

// Len returns the number of keys that are locked or waited for.
func (t *Turns[K]) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.byKey)
}
