package practice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// DefaultAwaitTimeout is how long Await waits in all, unless WithAwaitTimeout
// or the context says otherwise.
const DefaultAwaitTimeout = time.Minute

// The waits between two reads of Await, unless WithAwaitInterval sets them.
const (
	firstAwait   = 100 * time.Millisecond
	longestAwait = 5 * time.Second
)

// ErrNotYet reports that the condition of Await did not hold in time.
var ErrNotYet = errors.New("the condition does not hold yet")

// Await reads a record until a condition holds, and returns it as it was read
// then. The conditions are [Exists], [Changed], [Gone] and [When]. Most writes
// are asynchronous: the service accepts them and carries them out later.
//
//	created, err := client.ActivityCodes.Create(ctx, code)
//	…
//	made, err := practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, created), practice.Exists())
//
// It reads at once, then after waits that double from 100 ms to 5 s, under the
// rate limit of the client. A record that is not found is part of the question;
// every other error of read ends it. When the time is over, or a source of
// WithFailures knows that the write has failed, the error is an *AwaitError,
// and the record is the one that was read last; the error is ErrNotFound as
// well when that was not found.
func Await[T any](ctx context.Context, read func(context.Context) (T, error), until Condition, options ...AwaitOption) (T, error) {
	a := awaiting{until: until, first: firstAwait, longest: longestAwait, limit: DefaultAwaitTimeout, began: time.Now()}
	var record T
	for _, option := range options {
		if option == nil {
			return record, &ConfigError{"Await", "got an option that is nil"}
		}
		option.applyAwait(&a)
	}
	if err := a.check(read == nil); err != nil {
		return record, err
	}
	ctx, cancel := context.WithTimeout(ctx, a.limit)
	defer cancel()
	for {
		var err error
		record, err = read(ctx)
		a.reads++
		missing := errors.Is(err, ErrNotFound)
		if err != nil && !missing {
			return record, a.ended(ctx, err)
		}
		held, refused := until.holds(record, missing)
		if held || refused != nil {
			return record, refused
		}
		if err := a.wait(ctx, err); err != nil {
			return record, err
		}
	}
}

// ReadLink returns a read for Await: of the record that a link leads to, such
// as the answer to a create.
func ReadLink[T any](client *Client, link *models.Link, opts ...CallOption) func(context.Context) (*T, error) {
	return func(ctx context.Context) (*T, error) {
		record := new(T)
		if link == nil {
			return nil, &ArgumentError{Operation: "ReadLink", Argument: "link", Reason: "must not be nil"}
		}
		if err := client.Follow(ctx, *link, record, opts...); err != nil {
			return nil, err
		}
		return record, nil
	}
}

// Condition is what Await waits for.
type Condition struct {
	holds func(record any, missing bool) (bool, error)
	err   error // why it cannot be judged
}

// Exists waits until the record is found.
func Exists() Condition {
	return Condition{holds: func(_ any, missing bool) (bool, error) { return !missing, nil }}
}

// Gone waits until the record is not found, or is marked as deleted. Await
// returns the marked record, else the zero value.
func Gone() Condition {
	return Condition{holds: func(record any, missing bool) (bool, error) {
		now, err := stampOf(record)
		return missing || err == nil && now.IsDeleted, nil
	}}
}

// Changed waits until the record differs from an earlier state of it: by its
// VersionID, else by LastUpdated, else by any of its fields. The version of a
// file is that of its content, so its DateModified counts too. It cannot tell
// whose change it sees.
func Changed(before any) Condition {
	was, err := stampOf(before)
	return Condition{err: err, holds: func(record any, missing bool) (bool, error) {
		now, err := stampOf(record)
		return !missing && err == nil && now.differs(was), nil
	}}
}

// When waits until holds returns true for what was read, which must be of type
// T. It is not asked about a record that is not found.
func When[T any](holds func(T) bool) Condition {
	if holds == nil {
		return Condition{}
	}
	return Condition{holds: func(record any, missing bool) (bool, error) {
		of, is := record.(T)
		switch {
		case missing:
			return false, nil
		case !is:
			return false, &ArgumentError{Operation: "Await", Argument: "until", Reason: fmt.Sprintf("is for a %v, and the read returned a %T", reflect.TypeFor[T](), record)}
		}
		return holds(of), nil
	}}
}

// stamp identifies a state of a record.
type stamp struct {
	VersionID    string          `json:"versionId"`
	DateModified json.RawMessage `json:"dateModified"` // of a file
	LastUpdated  json.RawMessage `json:"lastUpdated"`
	IsDeleted    bool            `json:"isDeleted"`
	whole        string
}

func stampOf(record any) (stamp, error) {
	text, err := json.Marshal(record)
	if err != nil {
		return stamp{}, err
	}
	s := stamp{whole: string(text)}
	if own, ok := models.Wire.Record(record); ok && !isNilPointer(own) {
		if revealed, err := codec.AppendRequest(nil, own, models.Wire); err == nil {
			s.whole = string(revealed) // all secrets have one mask
		}
	}
	_ = json.Unmarshal(text, &s) // members of another kind, and lists, are compared as a whole
	return s, nil
}

func (s stamp) differs(was stamp) bool {
	switch {
	case s.VersionID != "" && was.VersionID != "":
		return s.VersionID != was.VersionID || string(s.DateModified) != string(was.DateModified)
	case len(s.LastUpdated) > 0 && len(was.LastUpdated) > 0:
		return string(s.LastUpdated) != string(was.LastUpdated)
	}
	return s.whole != was.whole
}

// AwaitOption is a setting of Await.
type AwaitOption interface{ applyAwait(*awaiting) }

type awaitOption func(*awaiting)

func (f awaitOption) applyAwait(a *awaiting) { f(a) }

// WithAwaitTimeout sets how long Await waits in all; it must be above 0. The
// deadline of the context counts too.
func WithAwaitTimeout(limit time.Duration) AwaitOption {
	return awaitOption(func(a *awaiting) { a.limit = limit })
}

// WithAwaitInterval sets the first wait between two reads and the longest one,
// to which the waits double. Both must be above 0.
func WithAwaitInterval(first, longest time.Duration) AwaitOption {
	return awaitOption(func(a *awaiting) { a.first, a.longest = first, longest })
}

// WriteFailures tells of writes that failed after the service had accepted
// them. A *webhook.Tracker does.
type WriteFailures interface {
	// Failure returns why a write failed, and nil when nothing is known.
	Failure(ctx context.Context, requestID string) error
}

// WithFailures ends Await when the write with a RequestId is known to have
// failed. An error of the source itself ends it too.
func WithFailures(source WriteFailures, requestID string) AwaitOption {
	return awaitOption(func(a *awaiting) { a.source, a.requestID, a.sourced = source, requestID, true })
}

// AwaitError reports that the condition of Await was not met.
type AwaitError struct {
	Reads  int           // how often the record was read
	Waited time.Duration // since Await began
	Err    error         // ErrNotYet, the end of the context, or what WithFailures told
}

// Error says how long Await has waited, and why it ended.
func (e *AwaitError) Error() string {
	return fmt.Sprintf("practice: Await: after %v and reads: %d: %v", e.Waited.Round(time.Millisecond), e.Reads, oneLine(e.Err.Error()))
}

// Unwrap returns Err.
func (e *AwaitError) Unwrap() error { return e.Err }

// awaiting is one Await.
type awaiting struct {
	until          Condition
	first, longest time.Duration
	limit          time.Duration
	source         WriteFailures
	sourced        bool
	requestID      string

	began time.Time
	reads int
}

func (a *awaiting) check(noRead bool) error {
	refuse := func(argument, reason string) error {
		return &ArgumentError{Operation: "Await", Argument: argument, Reason: reason}
	}
	switch {
	case noRead:
		return refuse("read", "must not be nil")
	case a.until.err != nil:
		return refuse("until", "cannot be compared: "+a.until.err.Error())
	case a.until.holds == nil:
		return refuse("until", "must not be empty")
	case a.limit <= 0:
		return refuse("WithAwaitTimeout", "must be above 0")
	case a.first <= 0 || a.longest <= 0:
		return refuse("WithAwaitInterval", "must be above 0")
	case a.sourced && a.source == nil:
		return refuse("WithFailures", "must have a source")
	}
	return nil
}

// wait waits for the next read, unless there will be none. The latest one may
// not have found the record.
func (a *awaiting) wait(ctx context.Context, missing error) error {
	if a.source != nil {
		if err := a.source.Failure(ctx, a.requestID); err != nil {
			return a.failed(err)
		}
	}
	wait := backoff.Exponential(a.first, a.longest, a.reads-1)
	if deadline, limited := ctx.Deadline(); limited && time.Until(deadline) <= wait {
		return a.failed(notYet(missing))
	}
	if err := backoff.Sleep(ctx, wait); err != nil {
		return a.failed(err)
	}
	return nil
}

// notYet is ErrNotYet with what the latest read met, if that was an error.
func notYet(err error) error {
	if err == nil {
		return ErrNotYet
	}
	return fmt.Errorf("%w: %w", ErrNotYet, err)
}

// ended is the error of a read, which may be the end of the time.
func (a *awaiting) ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return a.failed(notYet(err))
	}
	return err
}

func (a *awaiting) failed(err error) error {
	return &AwaitError{Reads: a.reads, Waited: time.Since(a.began), Err: err}
}
