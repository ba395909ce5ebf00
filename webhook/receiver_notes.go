package webhook

import (
	"context"
	"time"
)

// noteGrace limits how long a response waits for the stores, so that a
// redelivery right after the response is recognised as a duplicate.
const noteGrace = 100 * time.Millisecond

// sendNotes notifies the stores of the result of a request. The response does
// not wait for stores that hang, but Shutdown does. It runs the notes in
// reverse order, so that the lock of a record is released after the stores know
// of its event.
func (r *Receiver) sendNotes(ctx context.Context, d *delivery) {
	if len(d.notes) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	for i := len(d.notes) - 1; i >= 0; i-- {
		r.report(ctx, d, 0, storeError("note", protect(func() error { d.notes[i](ctx); return nil })))
	}
	d.notes = nil
}

// notesAtOnce reports whether all stores are in memory and answer at once.
func (r *Receiver) notesAtOnce() bool {
	return limitOf(r.settings.deduplicator, 1) == noLimit && limitOf(r.settings.sequencer, 1) == noLimit
}

// outcome is the result of the handlers of a request.
type outcome struct {
	err   error
	noted <-chan struct{} // closed when the stores have been notified; nil if they already have been
}

// grace waits until the stores have been notified, at most for noteGrace and
// until the deadline of the request.
func (o outcome) grace(ctx context.Context) {
	if o.noted == nil {
		return
	}
	timer := time.NewTimer(noteGrace)
	defer timer.Stop()
	select {
	case <-o.noted:
	case <-timer.C:
	case <-ctx.Done():
	}
}
