package practice

import (
	"context"
	"runtime"
	"sync"
)

// pageQueue requests pages ahead of the one being consumed. Positions ahead
// are guesses from the size of the list; a guess that turns out wrong is
// dropped.
type pageQueue[T any] struct {
	ctx    context.Context
	cancel context.CancelFunc
	fetch  func(context.Context, position) (*chunk[T], error)
	ahead  int

	running sync.WaitGroup
	queue   []*pendingPage[T]
	size    int // of the whole list as known so far; 0 when unknown
	stride  int // distance between pages; 0 when unknown
}

type pendingPage[T any] struct {
	at     position
	cancel context.CancelFunc
	done   chan struct{}
	page   *chunk[T]
	err    error
}

func newPageQueue[T any](ctx context.Context, ahead int, fetch func(context.Context, position) (*chunk[T], error)) *pageQueue[T] {
	ctx, cancel := context.WithCancel(ctx)
	return &pageQueue[T]{ctx: ctx, cancel: cancel, fetch: fetch, ahead: ahead}
}

// take waits for the page at a position while the following ones are on their
// way.
func (q *pageQueue[T]) take(at position) (*chunk[T], error) {
	q.align(at)
	if len(q.queue) == 0 {
		q.start(at)
	}
	head := q.queue[0]
	q.queue = q.queue[1:]
	q.extend(head.at)
	runtime.Gosched() // the new request goes out before the consumer goes on
	select {
	case <-head.done:
		return head.page, head.err
	case <-q.ctx.Done():
		return nil, context.Cause(q.ctx)
	}
}

// prefetch requests the pages from next on, as far as ahead allows.
func (q *pageQueue[T]) prefetch(next position, size, stride int) {
	q.size = size
	if q.stride == 0 {
		q.stride = stride
	}
	q.align(next)
	if len(q.queue) == 0 && q.ahead > 0 {
		q.start(next)
		q.extend(next)
	}
}

// align drops the guesses when the service goes on somewhere else.
func (q *pageQueue[T]) align(at position) {
	if len(q.queue) == 0 || q.queue[0].at == at {
		return
	}
	for _, wrong := range q.queue {
		wrong.cancel()
	}
	q.queue, q.stride = nil, 0
}

// extend guesses further pages behind the last one that is on its way.
func (q *pageQueue[T]) extend(last position) {
	if n := len(q.queue); n > 0 {
		last = q.queue[n-1].at
	}
	// What a link says beyond the offset cannot be guessed.
	for q.stride > 0 && last.extra == "" && len(q.queue) < q.ahead {
		last.offset += q.stride
		last.silent = false
		if last.offset >= q.size {
			return
		}
		q.start(last)
	}
}

func (q *pageQueue[T]) start(at position) {
	ctx, cancel := context.WithCancel(q.ctx)
	pending := &pendingPage[T]{at: at, cancel: cancel, done: make(chan struct{})}
	q.queue = append(q.queue, pending)
	q.running.Go(func() {
		defer close(pending.done)
		defer cancel()
		pending.page, pending.err = q.fetch(ctx, at)
	})
}

// stop ends all requests on the way and waits until they are gone.
func (q *pageQueue[T]) stop() {
	q.cancel()
	q.running.Wait()
}
