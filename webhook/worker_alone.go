package webhook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// aloneWait is the time that an isolated message waits; nothing new begins.
const aloneWait = 10 * time.Second

// errNoOutcome is the reason of a dead letter that may have ended processes.
var errNoOutcome = errors.New("the last attempt had no outcome")

// errNotAlone returns a message to the queue. It is no attempt.
var errNotAlone = fmt.Errorf("%w: another message is handled alone", ErrInProgress)

// alone refuses a message that ended its processes too often, and isolates one
// that may do so. The others wait not much longer than handlers may take.
func (w *worker) alone(ctx context.Context, h *held) (join func(), err error) {
	switch lapsed := h.job.Lapsed(); {
	case h.attempt+lapsed > w.settings.retry.Attempts:
		return nil, fmt.Errorf("%w: %w", ErrHandler, Permanent(errNoOutcome))
	case lapsed < 2: // the first lapse is rather that of a neighbour, of a deployment or of the network
		return func() {}, nil
	case !w.gate.isolate():
		return nil, errNotAlone
	}
	ended := sync.OnceFunc(w.gate.join)
	waiting, cancel := context.WithTimeout(ctx, aloneWait)
	defer cancel()
	_ = w.gate.empty(waiting) // handlers that take longer are better joined than waited for
	late := time.AfterFunc(backoff.SaturatingAdd(w.settings.handlerTimeout, settleLimit), ended)
	return func() { late.Stop(); ended() }, nil
}

// gate admits many messages, or one alone.
type gate struct {
	mu      sync.Mutex
	inside  map[string]bool // by the id of the message
	alone   bool            // one is alone, or waits to be
	changed sync.Cond
}

// enter admits a message. It returns false while another one is alone, or this
// one is inside, because its lease was lost and it was leased again.
func (g *gate) enter(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.alone || g.inside[id] {
		return false
	}
	if g.inside == nil {
		g.inside = map[string]bool{}
	}
	g.inside[id] = true
	return true
}

func (g *gate) leave(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.inside, id)
	g.changed.Broadcast()
}

// isolate closes the gate for others, and reports whether it was open.
func (g *gate) isolate() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.alone {
		return false
	}
	g.alone = true
	return true
}

// join opens the gate again.
func (g *gate) join() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.alone = false
	g.changed.Broadcast()
}

// open waits until no message is to be alone.
func (g *gate) open(ctx context.Context) error {
	return g.wait(ctx, func() bool { return !g.alone })
}

// empty waits until the caller is alone.
func (g *gate) empty(ctx context.Context) error {
	return g.wait(ctx, func() bool { return len(g.inside) == 1 })
}

func (g *gate) wait(ctx context.Context, ready func() bool) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if ready() {
		return nil
	}
	g.changed.L = &g.mu
	defer context.AfterFunc(ctx, func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.changed.Broadcast()
	})()
	for !ready() && ctx.Err() == nil {
		g.changed.Wait()
	}
	return ctx.Err()
}
