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

	mu       sync.Mutex
	arrivals int  // number of responses
	largest  int  // largest size in a response
	shrank   bool // a response has a smaller size than one that had come before its request was sent

	running panics.Group
	taken   *pendingPage // latest page that was taken; nil for none
	pending []*pendingPage
	size    int // known size of the whole list; 0 when unknown
	stride  int // distance between positions; 0 when unknown
}

type pendingPage struct {
	at     Position
	after  int // number of responses before the request
	least  int // largest size before the request
	number int // number of the response, from 1
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
// requested. It requests a page once more if the list had another size than
// that of the page before, whose response had not come when the request was
// sent: the records between them may have moved either way.
func (q *queue) take(at Position) (*Page, error) {
	for {
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
			if head.err == nil && q.taken != nil && head.overlaps(q.taken) {
				q.drop()
				q.taken = nil
				continue
			}
			q.taken = head
			return head.page, head.err
		case <-q.ctx.Done():
			return nil, context.Cause(q.ctx)
		}
	}
}

// overlaps reports whether a page was requested before the response with the
// page before had come, and reports another size.
func (p *pendingPage) overlaps(before *pendingPage) bool {
	size, told := p.page.Size.Get()
	earlier, toldEarlier := before.page.Size.Get()
	return p.after < before.number && told && toldEarlier && size != earlier
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
	if len(q.pending) > 0 && q.pending[0].at != at {
		q.drop()
		q.stride = 0
	}
}

// drop cancels the prefetched pages.
func (q *queue) drop() {
	for _, wrong := range q.pending {
		wrong.cancel()
	}
	q.pending = nil
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
	q.mu.Lock()
	pending := &pendingPage{at: at, after: q.arrivals, least: q.largest, cancel: cancel, done: make(chan struct{})}
	q.mu.Unlock()
	q.pending = append(q.pending, pending)
	q.running.Go(func() {
		defer cancel()
		pending.page, pending.err = q.fetch(ctx, at)
		q.note(pending)
	}, func(bool) { close(pending.done) })
}

// note records the arrival of a response and its size. A size is smaller than
// before only if its request was sent after the response with the larger one
// had come: responses that overlap may come in any order.
func (q *queue) note(pending *pendingPage) {
	if pending.page == nil {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrivals++
	pending.number = q.arrivals
	if size, told := pending.page.Size.Get(); told && size >= 0 {
		q.shrank = q.shrank || size < pending.least
		q.largest = max(q.largest, size)
	}
}

// arrived returns the largest size in a response so far, and whether the list
// became shorter.
func (q *queue) arrived() (largest int, shrank bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.largest, q.shrank
}

// stop cancels all pending requests and waits for their goroutines.
func (q *queue) stop() {
	q.cancel()
	q.running.Wait()
}
