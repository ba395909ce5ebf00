package webhook

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// WithSerialRecords handles the events of one record one at a time, and from a
// queue in the order in which they were put there, whichever of the processes
// that share the queue takes them. An event that fails holds back the later
// ones of its record, and no others, until it succeeds or becomes a dead
// letter. The receiver that puts an event decides, so give the option to each
// receiver of a queue. Events without a record are not ordered.
//
// The service itself may send an older event after a newer one. With a
// [Sequencer] its [Event.Order] is OrderStale, and that advice does not change
// while a handler works on it: a handler that leaves stale events alone never
// puts an older state over a newer one, as long as stores answer and leases
// last.
//
// Within requests, the turn of a record is that of the receiver, and with a
// [Deduplicator], which holds it, that of the processes that share it.
func WithSerialRecords() ReceiverOption {
	return setting("WithSerialRecords", false, "", func(s *settings) { s.serial = true })
}

// turnPause is the time between two claims of a turn that others have.
const turnPause = 50 * time.Millisecond

// turn waits until no other event of the record is being handled, until the
// stores know of this one. A queue sees to that by itself.
func (r *Receiver) turn(ctx context.Context, d *delivery, t *task) error {
	if !r.settings.serial || d.record == "" || t.patient {
		return nil
	}
	leave, err := r.turns.Take(ctx, d.record)
	if err != nil {
		return storeError("turn of the record", err)
	}
	if r.settings.deduplicator == nil {
		d.notes = append(d.notes, func(context.Context) { leave() })
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
			d.notes = append(d.notes, func(ctx context.Context) {
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
