package webhook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// aloneWait limits the wait of an isolated message for the others, during which
// no new message begins.
const aloneWait = 10 * time.Second

// errNoOutcome is the reason of a dead letter whose handlers may have crashed
// processes.
var errNoOutcome = errors.New("the last attempt ended without an outcome")

// errNotAlone returns a message to the queue without counting an attempt.
var errNotAlone = fmt.Errorf("%w: a message that must be handled alone is in progress", ErrInProgress)

// alone dead-letters a message whose leases have lapsed too often, because it
// may have crashed its workers. From the second lapse on, it waits until no
// other message is handled, which delays the others by little more than the
// time limit of handlers.
func (w *worker) alone(ctx context.Context, h *held) (join func(), err error) {
	switch lapsed := h.job.Lapsed(); {
	case h.attempt+lapsed > w.settings.retry.Attempts:
		return nil, fmt.Errorf("%w: %w", ErrHandler, Permanent(errNoOutcome))
	case lapsed < 2: // the first lapse is more likely due to another message, a deployment or the network
		return func() {}, nil
	case !w.gate.isolate():
		return nil, errNotAlone
	}
	ended := sync.OnceFunc(w.gate.join)
	waiting, cancel := context.WithTimeout(ctx, aloneWait)
	defer cancel()
	_ = w.gate.empty(waiting) // do not wait longer for slow handlers of other messages
	late := time.AfterFunc(backoff.SaturatingAdd(w.settings.handlerTimeout, settleLimit), ended)
	return func() { late.Stop(); ended() }, nil
}

// gate admits many messages, or a single isolated one.
type gate struct {
	mu      sync.Mutex
	inside  map[string]bool // ids of the admitted messages
	alone   bool            // a message is isolated, or waits for isolation
	changed sync.Cond
}

// enter admits a message. It returns false while another message is isolated,
// or if this message is already inside, because its lease lapsed and it was
// leased again.
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

// isolate closes the gate to others and reports whether it was open.
func (g *gate) isolate() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.alone {
		return false
	}
	g.alone = true
	return true
}

// join reopens the gate.
func (g *gate) join() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.alone = false
	g.changed.Broadcast()
}

// open waits until no message is isolated.
func (g *gate) open(ctx context.Context) error {
	return g.wait(ctx, func() bool { return !g.alone })
}

// empty waits until the caller's message is the only one inside.
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
