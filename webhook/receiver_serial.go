package webhook

import (
	"context"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// WithSerialRecords handles the events of one record one at a time, and from a
// queue in the order in which they were put there, whichever of the processes
// that share the queue takes them. An event that fails holds back the later
// ones of its record, and no others, until it succeeds or becomes a dead
// letter; the next one is then due at once. The receiver that puts an event
// decides, so give the option to all that share a queue.
//
// The service itself may send an older event after a newer one, and then it
// comes after it. With a [Sequencer] its [Event.Order] is OrderStale, and that
// advice does not change while a handler works on it: a handler that leaves
// stale events alone never puts an older state over a newer one, as long as
// stores answer and leases last.
//
// Within requests, the turn of a record is that of the receiver, and with a
// [Deduplicator], which holds it, that of all processes that share it. Events
// without a record are not ordered.
func WithSerialRecords() ReceiverOption {
	return setting("WithSerialRecords", false, "", func(s *settings) { s.serial = true })
}

// turnPause is the time between two claims of a turn that another process
// holds.
const turnPause = 50 * time.Millisecond

// turns holds the records that are handled within requests.
type turns struct {
	mu      sync.Mutex
	records map[string]*recordTurn
}

type recordTurn struct {
	taken  chan struct{} // holds a value while somebody has the turn
	people int           // who have it, or wait
}

// take waits for the turn of a record. The function that it returns ends the
// turn.
func (t *turns) take(ctx context.Context, record string) (end func(), err error) {
	turn := t.enter(record)
	select {
	case turn.taken <- struct{}{}:
		return func() { <-turn.taken; t.leave(record, turn) }, nil
	case <-ctx.Done():
		t.leave(record, turn)
		return nil, ctx.Err()
	}
}

func (t *turns) enter(record string) *recordTurn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.records == nil {
		t.records = map[string]*recordTurn{}
	}
	if t.records[record] == nil {
		t.records[record] = &recordTurn{taken: make(chan struct{}, 1)}
	}
	t.records[record].people++
	return t.records[record]
}

func (t *turns) leave(record string, turn *recordTurn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if turn.people--; turn.people == 0 {
		delete(t.records, record)
	}
}

// turn waits until no other event of the record is being handled, until the
// stores know of this one. A queue sees to that by itself.
func (r *Receiver) turn(ctx context.Context, d *delivery, t *task) error {
	if !r.settings.serial || d.record == "" || t.patient {
		return nil
	}
	return r.waitForTurn(ctx, d, t)
}

func (r *Receiver) waitForTurn(ctx context.Context, d *delivery, t *task) error {
	leave, err := r.turns.take(ctx, d.record)
	if err != nil {
		return storeError("turn of the record", err)
	}
	if r.settings.deduplicator == nil {
		r.note(ctx, d, t, func(context.Context) { leave() })
		return nil
	}
	shared := &delivery{identity: d.record, share: d.share}
	spent := d.share.spent
	for {
		d.share.spent = spent // it is the event before that takes its time
		asked := startOfLease()
		claim, err := r.claim(ctx, shared, t)
		switch {
		case err == nil && claim == ClaimInProgress:
			err = storeError("turn of the record", backoff.Sleep(ctx, turnPause))
		case err == nil:
			kept := r.keep(ctx, shared, t, asked)
			r.note(ctx, d, t, func(ctx context.Context) {
				defer leave()
				kept.end()
				_ = r.release(ctx, shared, t) // it was reported
			})
			return nil
		}
		if err != nil {
			leave()
			return err
		}
	}
}
