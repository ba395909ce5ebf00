package practice

import "sync"

// lazy is a value that is made when it is first wanted, once however many want
// it at the same time. A failure is not kept: the next one makes it again.
// Waiting holds no lock, so that the time of a testing/synctest bubble goes on.
type lazy[T any] struct {
	mu      sync.Mutex
	current *lazyResult[T]
}

type lazyResult[T any] struct {
	done  chan struct{}
	value T
	err   error
}

func (l *lazy[T]) get(produce func() (T, error)) (T, error) {
	l.mu.Lock()
	if r := l.current; r != nil {
		l.mu.Unlock()
		<-r.done
		return r.value, r.err
	}
	r := &lazyResult[T]{done: make(chan struct{})}
	l.current = r
	l.mu.Unlock()
	defer close(r.done)
	r.value, r.err = produce()
	if r.err != nil {
		l.mu.Lock()
		l.current = nil
		l.mu.Unlock()
	}
	return r.value, r.err
}
