package webhook

import (
	"context"
	"time"
)

// OutcomeState is what is known of a write. Specification, Errors.
type OutcomeState int

// What may be known of a write. None of them says that it succeeded: the service has no such signal.
// Specification, Errors.
const (
	// OutcomePending says that nothing was heard, and that it is too early to make anything of that.
	OutcomePending OutcomeState = iota
	// OutcomeNoErrorWithin says that nothing was heard for as long as was asked for.
	OutcomeNoErrorWithin
	// OutcomeObserved says that a change event of the write came, and no error. Another part of it may yet fail.
	OutcomeObserved
	// OutcomeFailed says that an error event of the write came.
	OutcomeFailed
)

// String names the state.
func (s OutcomeState) String() string {
	switch s {
	case OutcomePending:
		return "pending"
	case OutcomeNoErrorWithin:
		return "no error within the time"
	case OutcomeObserved:
		return "observed"
	case OutcomeFailed:
		return "failed"
	default:
		return "unknown"
	}
}

// Outcome is what is known of a write at a moment. It is no more certain than the events are: a payload is not signed,
// and an event may be lost. Specification, Errors.
type Outcome struct {
	// State sums it up. Specification, Errors.
	State OutcomeState
	// Since is the time that has passed from the registration of the write until now, by the clocks of both processes.
	Since time.Duration
	// Failed is the error event, when State is OutcomeFailed; else nil. Its Failure is never nil.
	// Specification, Errors.
	Failed *TrackedEvent
	// Observed is the first other event, also of a write that failed; nil when none came.
	// Specification, Delivery rules.
	Observed *TrackedEvent
}

// Outcome tells what is known of a write. Without any event it is OutcomeNoErrorWithin when at least the time quiet has
// passed since it was registered, and OutcomePending before. A write that was not registered, or so long ago that the
// store has forgotten it, is [ErrNotTracked]. Specification, Errors.
func (t *Tracker) Outcome(ctx context.Context, requestID string, quiet time.Duration) (Outcome, error) {
	record, err := t.store.Load(ctx, trackerKey(requestID))
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Since: t.now().Sub(record.Registered), Failed: record.Failed, Observed: record.Observed}
	switch {
	case record.Failed != nil:
		o.State = OutcomeFailed
	case record.Observed != nil:
		o.State = OutcomeObserved
	case o.Since >= quiet:
		o.State = OutcomeNoErrorWithin
	}
	return o, nil
}

// Wait waits until the outcome is no longer pending. When ctx ends first, it gives the outcome so far and the error of
// ctx. Specification, Errors.
func (t *Tracker) Wait(ctx context.Context, requestID string, quiet time.Duration) (Outcome, error) {
	for {
		o, err := t.look(ctx, requestID, quiet)
		if err != nil || o.State != OutcomePending {
			return o, err
		}
	}
}

// look gives the outcome; when it is pending it waits for a reason to look again.
func (t *Tracker) look(ctx context.Context, requestID string, quiet time.Duration) (Outcome, error) {
	key := trackerKey(requestID)
	w := t.enter(key) // first, or news between the look and the wait would be missed
	defer t.leave(key, w)
	o, err := t.Outcome(ctx, requestID, quiet)
	if err != nil || o.State != OutcomePending {
		return o, err
	}
	timer := time.NewTimer(min(t.poll, quiet-o.Since))
	defer timer.Stop()
	select {
	case <-w.news:
	case <-timer.C:
	case <-ctx.Done():
	}
	return o, ctx.Err()
}
