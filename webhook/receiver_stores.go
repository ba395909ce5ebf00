package webhook

import (
	"context"
	"fmt"

	"github.com/practicesdk/practice-go/models"
)

// The methods here ask the stores that the receiver was given, and do nothing without one.

func (r *Receiver) claim(ctx context.Context, d *delivery, t task) (Claim, error) {
	if r.settings.deduplicator == nil {
		return ClaimNew, nil
	}
	claim, err := r.settings.deduplicator.Claim(ctx, d.identity, t.owner, t.lease)
	return claim, storeError("deduplicator", err)
}

func (r *Receiver) commit(ctx context.Context, d *delivery) {
	if r.settings.deduplicator != nil {
		r.reportStore(ctx, d, storeError("deduplicator", r.settings.deduplicator.Commit(ctx, d.identity)))
	}
}

func (r *Receiver) release(ctx context.Context, d *delivery, t task) {
	if r.settings.deduplicator != nil {
		r.reportStore(ctx, d, storeError("deduplicator", r.settings.deduplicator.Release(ctx, d.identity, t.owner)))
	}
}

// advise asks for the order of the event. Without an answer there is no advice.
func (r *Receiver) advise(ctx context.Context, d *delivery) {
	if r.settings.sequencer == nil || d.position == (Position{}) {
		return
	}
	order, err := r.settings.sequencer.Check(ctx, d.position)
	if err == nil {
		d.order = order
	}
	r.reportStore(ctx, d, storeError("sequencer", err))
}

func (r *Receiver) advance(ctx context.Context, d *delivery) {
	if r.settings.sequencer != nil && d.position != (Position{}) {
		r.reportStore(ctx, d, storeError("sequencer", r.settings.sequencer.Advance(ctx, d.position)))
	}
}

// track feeds the tracker. That an event was not recorded only matters for a failure: without it a write that failed
// would look well.
func (r *Receiver) track(ctx context.Context, d *delivery) error {
	if r.settings.tracker == nil {
		return nil
	}
	err := storeError("tracker", r.settings.tracker.feed(ctx, d))
	if err != nil && d.notification.kind != models.EventTypeError.Type() {
		r.reportStore(ctx, d, err)
		return nil
	}
	return err
}

func storeError(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %s: %w", ErrStore, name, err)
}

// reportStore tells the error hook of a failure that does not change the answer.
func (r *Receiver) reportStore(ctx context.Context, d *delivery, err error) {
	if err != nil {
		r.report(ctx, d, 0, err)
	}
}
