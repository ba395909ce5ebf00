package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// WithSerialRecords handles the events of one record one at a time: those of this receiver, and with a [Deduplicator],
// which holds the turn, those of all processes that share it. It does not sort them: an event may still come before an
// older one. But from a queue the advice of a [Sequencer] no longer changes while a handler works on it, so that a handler
// which leaves stale events alone never puts an older state over a newer one, as long as stores answer and leases last. A
// worker that waits for a turn handles nothing else meanwhile. Events without a record take no turns.
func WithSerialRecords() ReceiverOption {
	return receiverOption(func(s *settings) error {
		s.serial = true
		return nil
	})
}

// turnPause is how often a process asks whether another has ended its turn.
const turnPause = 50 * time.Millisecond

// turns are those of the records that this process handles, or waits for.
type turns struct {
	mu     sync.Mutex
	queues map[string][]chan struct{} // the first has the turn; each is closed when its turn comes
}

// take waits for the turn of a record. The function that it returns ends the turn.
func (t *turns) take(ctx context.Context, record string) (end func(), err error) {
	mine := make(chan struct{})
	t.mu.Lock()
	if t.queues == nil {
		t.queues = map[string][]chan struct{}{}
	}
	if t.queues[record] = append(t.queues[record], mine); len(t.queues[record]) == 1 {
		close(mine)
	}
	t.mu.Unlock()
	select {
	case <-mine:
		return func() { t.leave(record, mine) }, nil
	case <-ctx.Done():
		t.leave(record, mine)
		return nil, ctx.Err()
	}
}

// leave takes one out of the queue, and gives the turn to the next if he had it.
func (t *turns) leave(record string, who chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	queue := t.queues[record]
	for i, waiting := range queue {
		if waiting != who {
			continue
		}
		queue = append(queue[:i:i], queue[i+1:]...)
		if i == 0 && len(queue) > 0 {
			close(queue[0])
		}
		break
	}
	if t.queues[record] = queue; len(queue) == 0 {
		delete(t.queues, record)
	}
}

// turn waits until no other event of the record is being handled.
func (r *Receiver) turn(ctx context.Context, d *delivery, t task) (end func(), err error) {
	if !r.settings.serial || d.record == "" {
		return func() {}, nil
	}
	leave, err := r.turns.take(ctx, d.record)
	if err != nil {
		return nil, storeError("turn of the record", err)
	}
	if r.settings.deduplicator == nil {
		return leave, nil
	}
	shared := &delivery{identity: d.record}
	for {
		claim, err := r.claim(ctx, shared, t)
		switch {
		case err == nil && claim == ClaimInProgress:
			err = storeError("turn of the record", pause.Sleep(ctx, turnPause))
		case err == nil:
			t.turn.set(d.record)
			return func() { t.turn.set(""); r.release(context.WithoutCancel(ctx), shared, t); leave() }, nil
		}
		if err != nil {
			leave()
			return nil, err
		}
	}
}
