package webhook

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// WithSerialRecords handles the events of one record one at a time. From a
// queue, it handles them in the order in which they were put, even if several
// processes share the queue. An event that fails delays the later ones of its
// record, and no others, until it succeeds or becomes a dead letter. The order
// is set when an event is put, so use the option for each receiver that puts
// events into the queue. Events without a record are not ordered.
//
// The service itself may send an older event after a newer one. With a
// [Sequencer] its [Event.Order] is OrderStale, and no other event of the record
// is handled meanwhile. So a handler that ignores stale events never replaces a
// newer state by an older one, as long as stores respond and leases last.
//
// Within requests, the option applies to the deliveries of this receiver, and
// with a [Deduplicator], also to those of other processes that share it.
func WithSerialRecords() ReceiverOption {
	return setting("WithSerialRecords", false, "", func(s *settings) { s.serial = true })
}

// turnPause is the wait between two attempts to claim the lock of a record.
const turnPause = 50 * time.Millisecond

// turn waits until no other event of the record is being handled, and holds the
// lock of the record until the stores have been notified. A queue needs no
// lock, because it serialises its messages.
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
		d.share.spent = spent // waiting for the previous event does not use up the time of the stores
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
				_ = r.release(ctx, shared, t) // release reports the error
			})
			return nil
		}
		if err != nil {
			leave()
			return err
		}
	}
}
