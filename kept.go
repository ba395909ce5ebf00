package practice

import "sync"

// kept is a value that is made when it is first wanted, once however many want
// it at the same time, and kept unless that failed. Who waits does not hold a
// lock, so that the time of a testing/synctest bubble goes on.
type kept[T any] struct {
	mu      sync.Mutex
	current *making[T]
}

type making[T any] struct {
	done  chan struct{}
	value T
	err   error
}

func (k *kept[T]) get(produce func() (T, error)) (T, error) {
	k.mu.Lock()
	if m := k.current; m != nil {
		k.mu.Unlock()
		<-m.done
		return m.value, m.err
	}
	m := &making[T]{done: make(chan struct{})}
	k.current = m
	k.mu.Unlock()
	defer close(m.done)
	m.value, m.err = produce()
	if m.err != nil {
		k.mu.Lock()
		k.current = nil
		k.mu.Unlock()
	}
	return m.value, m.err
}
