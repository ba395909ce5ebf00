package webhook

import (
	"context"
	"time"
)

// noteGrace limits how long a response waits for the Deduplicator, so that a
// redelivery right after the response is recognised as a duplicate.
const noteGrace = 100 * time.Millisecond

// sendNote notifies the Deduplicator of the result of a request. The response
// does not wait for one that hangs, but Shutdown does.
func (r *Receiver) sendNote(ctx context.Context, d *delivery) {
	if d.note == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	r.report(ctx, d, 0, storeError("note", protect(func() error { d.note(ctx); return nil })))
	d.note = nil
}

// outcome is the result of the handlers of a request.
type outcome struct {
	err   error
	noted <-chan struct{} // closed when the Deduplicator has been notified; nil if it already has been
}

// grace waits until the Deduplicator has been notified, at most for noteGrace
// and until the deadline of the request.
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
