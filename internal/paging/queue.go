package paging

import (
	"context"
	"runtime"
	"sync"

	"github.com/practicesdk/practice-go/internal/panics"
)

// queue requests pages ahead of the one being consumed. Positions ahead are
// guesses from the size of the list; wrong guesses are dropped.
type queue struct {
	ctx    context.Context
	cancel context.CancelFunc
	fetch  func(context.Context, Position) (*Page, error)
	ahead  int

	mu    sync.Mutex
	sizes []int // sizes of the list in responses

	running panics.Group
	pending []*pendingPage
	size    int // known size of the whole list; 0 when unknown
	stride  int // distance between positions; 0 when unknown
}

type pendingPage struct {
	at     Position
	cancel context.CancelFunc
	done   chan struct{}
	page   *Page
	err    error
}

func newQueue(ctx context.Context, ahead int, fetch func(context.Context, Position) (*Page, error)) *queue {
	ctx, cancel := context.WithCancel(ctx)
	return &queue{ctx: ctx, cancel: cancel, fetch: fetch, ahead: ahead}
}

// take waits for the page at a position. Meanwhile the following pages are
// requested.
func (q *queue) take(at Position) (*Page, error) {
	q.align(at)
	if len(q.pending) == 0 {
		q.start(at)
	}
	head := q.pending[0]
	q.pending = q.pending[1:]
	q.extend(head.at)
	runtime.Gosched() // lets the new request start before the consumer continues
	select {
	case <-head.done:
		if head.page == nil && head.err == nil {
			q.running.Rethrow()
		}
		return head.page, head.err
	case <-q.ctx.Done():
		return nil, context.Cause(q.ctx)
	}
}

// prefetch requests up to ahead pages, starting at next.
func (q *queue) prefetch(next Position, size, stride int) {
	q.size = size
	if q.stride == 0 {
		q.stride = stride
	}
	q.align(next)
	if len(q.pending) == 0 && q.ahead > 0 {
		q.start(next)
		q.extend(next)
	}
}

// align drops the prefetched pages if the service continues at another
// position.
func (q *queue) align(at Position) {
	if len(q.pending) == 0 || q.pending[0].at == at {
		return
	}
	for _, wrong := range q.pending {
		wrong.cancel()
	}
	q.pending, q.stride = nil, 0
}

// extend adds positions after the last requested one.
func (q *queue) extend(last Position) {
	if n := len(q.pending); n > 0 {
		last = q.pending[n-1].at
	}
	// The other parameters of a link cannot be predicted.
	for q.stride > 0 && last.Query == "" && len(q.pending) < q.ahead {
		last.Offset += q.stride
		last.Plain = false
		if last.Offset >= q.size {
			return
		}
		q.start(last)
	}
}

func (q *queue) start(at Position) {
	ctx, cancel := context.WithCancel(q.ctx)
	pending := &pendingPage{at: at, cancel: cancel, done: make(chan struct{})}
	q.pending = append(q.pending, pending)
	q.running.Go(func() {
		defer cancel()
		pending.page, pending.err = q.fetch(ctx, at)
		q.note(pending.page)
	}, func(bool) { close(pending.done) })
}

// note records the size in a response.
func (q *queue) note(page *Page) {
	if page == nil {
		return
	}
	if size, told := page.Size.Get(); told && size >= 0 {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.sizes = append(q.sizes, size)
	}
}

// arrived returns the sizes in responses since the last call, in the order of
// arrival.
func (q *queue) arrived() []int {
	q.mu.Lock()
	defer q.mu.Unlock()
	sizes := q.sizes
	q.sizes = nil
	return sizes
}

// stop cancels all pending requests and waits for their goroutines.
func (q *queue) stop() {
	q.cancel()
	q.running.Wait()
}
