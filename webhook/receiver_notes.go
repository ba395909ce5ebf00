package webhook

import (
	"context"
	"time"
)

// noteGrace is how long the answer to a request waits for the notes about it.
// Stores that are well need a small part of that, and an event that comes again
// right after the answer is then known.
const noteGrace = 100 * time.Millisecond

// note has the stores told how a delivery went, also when its own time is over:
// within a request once its outcome is known, which does not wait for stores
// that hang. Shutdown does.
func (r *Receiver) note(ctx context.Context, d *delivery, t *task, tell func(context.Context)) {
	if t.patient {
		tell(context.WithoutCancel(ctx))
		return
	}
	d.notes = append(d.notes, tell)
}

// tellNotes tells the stores what was noted. As with deferred calls, the first
// comes last: the turn of a record ends after the stores know of its event.
func (r *Receiver) tellNotes(ctx context.Context, d *delivery) {
	if len(d.notes) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	for i := len(d.notes) - 1; i >= 0; i-- {
		r.reportStore(ctx, d, storeError("note", protect(func() error { d.notes[i](ctx); return nil })))
	}
	d.notes = nil
}

// tellsAtOnce tells whether notes take no time, as they do when the stores are
// in memory.
func (r *Receiver) tellsAtOnce() bool {
	return limitOf(r.settings.deduplicator, 1) == noLimit && limitOf(r.settings.sequencer, 1) == noLimit
}

// outcome is what the handlers of a request made of it.
type outcome struct {
	err  error
	told <-chan struct{} // closed when the stores know of it; nil when they do
}

// grace waits a little for the stores to know of the outcome, within the time
// of the request.
func (o outcome) grace(ctx context.Context) {
	if o.told == nil {
		return
	}
	timer := time.NewTimer(noteGrace)
	defer timer.Stop()
	select {
	case <-o.told:
	case <-timer.C:
	case <-ctx.Done():
	}
}
