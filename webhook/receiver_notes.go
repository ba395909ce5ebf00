package webhook

import (
	"context"
	"time"
)

// noteGrace is how long an answer waits for the stores: an event that comes
// again right after the answer is then known.
const noteGrace = 100 * time.Millisecond

// sendNotes notifies the stores of the outcome of a request, also late: the
// answer does not wait for stores that hang, but Shutdown does. The last one is
// first: the turn of a record ends after the stores know of its event.
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

// notesAtOnce reports whether the stores are in memory and need no time.
func (r *Receiver) notesAtOnce() bool {
	return limitOf(r.settings.deduplicator, 1) == noLimit && limitOf(r.settings.sequencer, 1) == noLimit
}

// outcome is the result of the handlers of a request.
type outcome struct {
	err   error
	noted <-chan struct{} // closed when the stores know of it; nil when they do
}

// grace waits up to noteGrace for the stores, within the time of the request.
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
