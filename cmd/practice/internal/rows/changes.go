package rows

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/once"
)

// state holds the journal's facts about a row that changes or deletes a record.
type state struct {
	seen string // version of the record when the dry run saw it or before it was sent
	sent bool
	done bool
}

// step is what happens to a row next.
type step string

const (
	stepNone   step = "none"   // it was done before
	stepWrite  step = "write"  // note the version, then send
	stepFinish step = "finish" // its effect is there
	stepRefuse step = "refuse" // someone else has changed the record since
)

// next decides what happens to a row. It writes only onto what the dry run or
// the journal saw.
func next(s state, there View) step {
	switch {
	case s.done:
		return stepNone
	case s.seen == "" || s.seen == there.Version:
		return stepWrite
	case there.Shows:
		return stepFinish
	}
	return stepRefuse
}

// stateOf reads the state of a row from its entry: its intent holds the version
// in place of an id, and the attempts count what was sent.
func stateOf(e once.Entry) state {
	return state{seen: e.Intent.ResourceID, sent: e.Intent.Attempt > 0, done: e.ID != ""}
}

func (s state) entry(key string) once.Entry {
	e := once.Entry{Intent: once.Intent{ResourceID: s.seen, At: time.Now()}}
	if s.sent {
		e.Intent.Attempt = 1
	}
	if s.done {
		e.ID = "done " + key
	}
	return e
}

// Change is a row that changes or deletes a record.
type Change struct {
	Key  string
	Look func(context.Context) (View, error) // nil: the record cannot be read
	Send func(context.Context) error
	// Unclear reports whether a request that ended with an error may have been
	// executed.
	Unclear func(error) bool
}

// Errors of rows.
var (
	ErrChanged = errors.New("the record has changed since it was first read: check the record and create a new list")
	ErrUnread  = errors.New("the row was already sent, its outcome is unknown, and its record cannot be read")
)

// writes is the maximum number of times that a change is sent while its outcome
// stays unknown.
const writes = 3

// Change sends a change, unless it was done before.
func (j *Journal) Change(ctx context.Context, c Change) Result {
	for tries := 1; ; tries++ {
		result, again := j.change(ctx, c)
		if !again || tries == writes {
			return result
		}
		if err := backoff.Sleep(ctx, backoff.Exponential(time.Second, 5*time.Second, tries)); err != nil {
			return result
		}
	}
}

// change makes a step, and reports whether the outcome is unknown and can be
// looked at.
func (j *Journal) change(ctx context.Context, c Change) (r Result, again bool) {
	old, err := j.file.Load(ctx, c.Key)
	if err != nil {
		return Result{Status: Failed, Err: fatal{err}}, false
	}
	before, there := stateOf(old), View{}
	switch {
	case before.done:
		return Result{Status: Accepted, Before: true}, false
	case c.Look != nil:
		if there, err = c.Look(ctx); err != nil {
			return undecided(before, Failed, err), false
		}
	case before.sent:
		return Result{Status: Unknown, Err: ErrUnread}, false
	}
	switch next(before, there) {
	case stepRefuse:
		return undecided(before, Changed, ErrChanged), false
	case stepFinish:
		return j.finish(ctx, c.Key, old, there.Version), false
	}
	sent := state{seen: there.Version, sent: true}.entry(c.Key)
	if err := j.file.Store(ctx, c.Key, old, sent); err != nil {
		return Result{Status: Failed, Err: fatal{err}}, false
	}
	whole := context.WithoutCancel(ctx) // a request under way ends by itself, so that its outcome is known
	err = c.Send(whole)
	switch {
	case err == nil:
		return j.finish(whole, c.Key, sent, there.Version), false
	case c.Unclear(err):
		return Result{Status: Unknown, Err: err}, c.Look != nil
	}
	if kept := j.file.Store(whole, c.Key, sent, old); kept != nil {
		return Result{Status: Failed, Err: fatal{errors.Join(err, kept)}}, false
	}
	return undecided(before, Failed, err), false
}

// undecided returns the result of a row that was not written: it is unknown if
// the row was sent before.
func undecided(before state, status Status, err error) Result {
	if before.sent {
		status = Unknown
	}
	return Result{Status: status, Err: err}
}

func (j *Journal) finish(ctx context.Context, key string, old once.Entry, version string) Result {
	err := j.file.Store(ctx, key, old, state{seen: version, sent: true, done: true}.entry(key))
	if err != nil {
		err = fatal{err}
	}
	return Result{Status: Accepted, Err: err}
}

// See notes what a dry run sees. A row that was sent before keeps what was seen
// then.
func (j *Journal) See(ctx context.Context, key string, there View) (before bool, err error) {
	old, err := j.file.Load(ctx, key)
	if s := stateOf(old); err != nil || s.sent || s.done {
		return s.done, err
	}
	return false, j.file.Store(ctx, key, old, state{seen: there.Version}.entry(key))
}
