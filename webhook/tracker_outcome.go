package webhook

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// OutcomeState is the known state of a write.
type OutcomeState int

// States of a write. There is none for success, because the service does not
// report it.
const (
	// OutcomePending means that no event has arrived yet.
	OutcomePending OutcomeState = iota
	// OutcomeNoErrorWithin means that no event arrived within the quiet time.
	OutcomeNoErrorWithin
	// OutcomeObserved means that a change event of the write arrived, and no
	// error. Another part of the write may still fail.
	OutcomeObserved
	// OutcomeFailed means that an error event of the write arrived.
	OutcomeFailed
)

// String returns the name of the state.
func (s OutcomeState) String() string {
	return nameOf(int(s), "pending", "no error within the time", "observed", "failed")
}

// Outcome is the known state of a write at one moment. It is only as reliable
// as the events: payloads are not signed, and events may be lost.
type Outcome struct {
	// State summarises the fields below.
	State OutcomeState
	// Since is the time since the registration, by the clocks of both
	// processes.
	Since time.Duration
	// Failed is the error event, with its Failure, or nil.
	Failed *TrackedEvent
	// Observed is the first event other than an error event, or nil. A failed
	// write may have one, too.
	Observed *TrackedEvent
}

// Outcome returns the known state of a write. If no event has arrived, it is
// OutcomePending until the quiet time since the registration has passed, and
// then OutcomeNoErrorWithin. A write that was not registered, or that the store
// has forgotten, is [ErrNotTracked].
func (t *Tracker) Outcome(ctx context.Context, requestID string, quiet time.Duration) (Outcome, error) {
	return t.outcome(ctx, requestID, quiet, func(registered time.Time) time.Duration { return t.now().Sub(registered) })
}

// outcome returns the outcome of a write; since returns its age.
func (t *Tracker) outcome(ctx context.Context, requestID string, quiet time.Duration, since func(time.Time) time.Duration) (Outcome, error) {
	record, err := t.load(ctx, requestID)
	if err != nil {
		return Outcome{}, err
	}
	o := Outcome{Since: since(record.Registered), Failed: record.Failed, Observed: record.Observed}
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

func (t *Tracker) load(ctx context.Context, requestID string) (TrackRecord, error) {
	return limited(ctx, t, func(ctx context.Context) (TrackRecord, error) { return t.store.Load(ctx, trackerKey(requestID)) })
}

// elapsed returns a function that returns the time since the registration of a
// write. It compares the clocks of both processes once and then adds monotonic
// time, so that setting a clock has no effect.
func (t *Tracker) elapsed() func(registered time.Time) time.Duration {
	var first time.Duration
	var began *backoff.Stopwatch
	return func(registered time.Time) time.Duration {
		if began == nil {
			first, began = t.now().Sub(registered), new(backoff.Start())
		}
		return first + began.Passed()
	}
}

// Wait waits until the outcome is no longer pending. If ctx ends first, it
// returns the outcome so far and the error of ctx. It takes at most the quiet
// time and one call of the store, even if a clock is set meanwhile.
func (t *Tracker) Wait(ctx context.Context, requestID string, quiet time.Duration) (Outcome, error) {
	passed := time.NewTimer(quiet) // an upper bound, because the write was registered before
	defer passed.Stop()
	since := t.elapsed()
	for {
		o, over, err := t.look(ctx, requestID, quiet, since, passed.C)
		if err == nil && over && o.State == OutcomePending {
			o.State = OutcomeNoErrorWithin
		}
		if err != nil || o.State != OutcomePending {
			return o, err
		}
	}
}

// look returns the outcome. If it is pending, look first waits for news or for
// the poll interval. over reports that the quiet time has passed.
func (t *Tracker) look(
	ctx context.Context, requestID string, quiet time.Duration, since func(time.Time) time.Duration, passed <-chan time.Time,
) (o Outcome, over bool, err error) {
	key := trackerKey(requestID)
	w := t.enter(key) // registered before the read, so that no news is missed
	defer t.leave(key, w)
	o, err = t.outcome(ctx, requestID, quiet, since)
	if err != nil || o.State != OutcomePending {
		return o, false, err
	}
	timer := time.NewTimer(min(t.poll, quiet-max(o.Since, 0)))
	defer timer.Stop()
	select {
	case <-w.news:
	case <-timer.C:
	case <-passed:
		o, err = t.outcome(ctx, requestID, quiet, since)
		return o, true, err
	case <-ctx.Done():
	}
	return o, false, ctx.Err()
}

// Failure returns a *[WriteError] if an error event of the write has arrived,
// nil if none has, and otherwise the error of the store. A write that was not
// registered is [ErrNotTracked].
func (t *Tracker) Failure(ctx context.Context, requestID string) error {
	record, err := t.load(ctx, requestID)
	if err != nil || record.Failed == nil {
		return err
	}
	return &WriteError{RequestID: requestID, Event: *record.Failed}
}

// WriteError reports a write that failed after the service had accepted it.
type WriteError struct {
	RequestID string       // RequestId of the write
	Event     TrackedEvent // the error event, with its Failure
}

// Error returns the message of the service.
func (e *WriteError) Error() string {
	text := "webhook: the write " + e.RequestID + " failed after it was accepted"
	if e.Event.Failure != nil && e.Event.Failure.Message != "" {
		text += ": " + e.Event.Failure.Message
	}
	return text
}
