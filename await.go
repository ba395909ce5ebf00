package practice

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// DefaultAwaitTimeout is how long Await waits in total if neither
// WithAwaitTimeout nor the context sets a limit.
const DefaultAwaitTimeout = time.Minute

// Default waits between two reads of Await; see WithAwaitInterval.
const (
	firstAwait   = 100 * time.Millisecond
	longestAwait = 5 * time.Second
)

// ErrNotYet reports that the condition of Await was not met in time.
var ErrNotYet = errors.New("the condition has not been met yet")

// Await reads a record until a condition holds, and returns the record as it
// was then. The conditions are [Exists], [Changed], [Gone] and [When]. Most
// writes are asynchronous: the service accepts them and executes them later.
//
//	created, err := client.ActivityCodes.Create(ctx, code)
//	…
//	made, err := practice.Await(ctx, practice.ReadLink[models.ActivityCode](client, created), practice.Exists())
//
// Await reads immediately, then after waits that double from 100 ms to 5 s,
// within the rate limit of the client, and once more when the time limit
// expires. It continues after ErrNotFound and after a read that the rate limit
// delays too long; every other error of read ends it. If the time limit expires,
// or WithFailures reports that the write failed, Await returns an *AwaitError
// and the last record that it read. The error also matches ErrNotFound if the
// last read found no record.
//
// The context of read is cancelled when the time limit expires. It has no
// deadline, because the client would then give up a read early.
func Await[T any](ctx context.Context, read func(context.Context) (T, error), until Condition, options ...AwaitOption) (T, error) {
	a := awaiting{until: until, first: firstAwait, longest: longestAwait, limit: DefaultAwaitTimeout, began: time.Now()}
	var record T
	for _, option := range options {
		if option == nil {
			return record, &ConfigError{"Await", "received a nil option"}
		}
		option.applyAwait(&a)
	}
	if err := a.check(read == nil); err != nil {
		return record, err
	}
	for {
		limited, cancel := a.reading(ctx)
		began := time.Now()
		var err error
		record, err = read(untimed{limited})
		over := limited.Err() != nil
		cancel()
		a.reads++
		a.slowest = max(a.slowest, time.Since(began))
		missing, heldUp := errors.Is(err, ErrNotFound), errors.Is(err, ErrRateLimitWait)
		switch {
		case err != nil && over:
			return record, a.failed(a.end(ctx, err))
		case err != nil && !missing && !heldUp:
			return record, err
		case !heldUp:
			if held, refused := until.holds(record, missing); held || refused != nil {
				return record, refused
			}
		}
		if err := a.wait(ctx, err); err != nil {
			return record, err
		}
	}
}

// untimed hides the deadline of a context, which still ends at it. A client
// that saw the deadline would fail immediately before a wait that exceeds it.
type untimed struct{ context.Context }

// Deadline reports that there is no deadline.
func (untimed) Deadline() (time.Time, bool) { return time.Time{}, false }

// ReadLink returns a read function for Await that reads the record a link leads
// to, such as the link returned by a create.
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

// Condition is a condition that Await waits for.
type Condition struct {
	holds func(record any, missing bool) (bool, error)
	err   error // why the condition cannot be evaluated
}

// Exists waits until the record is found.
func Exists() Condition {
	return Condition{holds: func(_ any, missing bool) (bool, error) { return !missing, nil }}
}

// Gone waits until the record is not found or IsDeleted is true for it. Await
// returns the marked record, or else the zero value.
func Gone() Condition {
	return Condition{holds: func(record any, missing bool) (bool, error) { return missing || IsDeleted(record), nil }}
}

// IsDeleted reports whether a record is marked as deleted: by its member
// IsDeleted or Deleted, by the status of a matter or an invoice, or by the
// departure of a staff member or a user of the firm.
func IsDeleted(record any) bool {
	s, err := stampOf(record)
	return err == nil && s.gone(record)
}

// gone reports whether any of the service's marks of deletion is set on the
// record.
func (s stamp) gone(record any) bool {
	var invoice models.Invoice
	switch record := record.(type) {
	case models.Invoice:
		invoice = record
	case *models.Invoice:
		invoice = *cmp.Or(record, &invoice)
	}
	return s.IsDeleted || s.Deleted || s.Former || s.IsFormerUser ||
		string(s.Status) == strconv.Quote(string(models.MatterStatusDeleted)) || invoice.Status == models.Some(models.InvoiceStatusDeleted)
}

// Changed waits until the record differs from the state before: by its
// VersionID, else by LastUpdated, else by any field. The version of a file
// covers only its content, so DateModified of a file is compared too. Changed
// cannot tell who changed the record.
func Changed(before any) Condition {
	was, err := stampOf(before)
	return Condition{err: err, holds: func(record any, missing bool) (bool, error) {
		now, err := stampOf(record)
		return !missing && err == nil && now.differs(was), nil
	}}
}

// When waits until holds returns true for the record read, which must be of
// type T. It does not call holds if the record is not found.
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
			return false, &ArgumentError{Operation: "Await", Argument: "until", Reason: fmt.Sprintf("expects a %v, but the read returned a %T", reflect.TypeFor[T](), record)}
		}
		return holds(of), nil
	}}
}

// stamp holds the members that identify the state of a record.
type stamp struct {
	VersionID    string          `json:"versionId"`
	DateModified json.RawMessage `json:"dateModified"` // time of the last change of a file
	LastUpdated  json.RawMessage `json:"lastUpdated"`
	IsDeleted    bool            `json:"isDeleted"`
	Deleted      bool            `json:"deleted"`      // set on a deleted promotion
	Former       bool            `json:"former"`       // set on a former staff member
	IsFormerUser bool            `json:"isFormerUser"` // set on a former user of the firm
	Status       json.RawMessage `json:"status"`       // deleted matters and invoices are marked by it
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
			s.whole = string(revealed) // masked secrets would all compare as equal
		}
	}
	_ = json.Unmarshal(text, &s) // a member of another type is compared as part of the whole
	return s, nil
}

func (s stamp) differs(was stamp) bool {
	switch {
	case identifies(s.VersionID) && identifies(was.VersionID):
		return s.VersionID != was.VersionID || string(s.DateModified) != string(was.DateModified)
	case identifies(string(s.LastUpdated)) && identifies(string(was.LastUpdated)):
		return string(s.LastUpdated) != string(was.LastUpdated)
	}
	return s.whole != was.whole
}

// identifies reports whether a version or a time changes with its record: null,
// 0, the zero UUID, and the service's own "no date" do not.
func identifies(text string) bool {
	text = strings.Trim(text, `"`)
	return text != "null" && strings.Trim(text, "0-") != "" && !strings.HasPrefix(text, "0001-01-01")
}

// AwaitOption is a setting of Await.
type AwaitOption interface{ applyAwait(*awaiting) }

type awaitOption func(*awaiting)

func (f awaitOption) applyAwait(a *awaiting) { f(a) }

// WithAwaitTimeout sets how long Await waits in total; it must be greater than
// 0. The last read begins at the end of this time and may take 5 s more. If the
// context has an earlier deadline, the last read begins shortly before that.
func WithAwaitTimeout(limit time.Duration) AwaitOption {
	return awaitOption(func(a *awaiting) { a.limit = limit })
}

// WithAwaitInterval sets the first wait between two reads and the longest one,
// to which the waits double. Both must be greater than 0.
func WithAwaitInterval(first, longest time.Duration) AwaitOption {
	return awaitOption(func(a *awaiting) { a.first, a.longest = first, longest })
}

// WriteFailures finds out whether an accepted write failed later. A
// *webhook.Tracker implements it.
type WriteFailures interface {
	// Failure returns why the write failed, or nil if no failure is known.
	Failure(ctx context.Context, requestID string) error
}

// WithFailures ends Await when failures reports that the write with the
// RequestId has failed. An error of failures itself also ends it.
func WithFailures(source WriteFailures, requestID string) AwaitOption {
	return awaitOption(func(a *awaiting) { a.source, a.requestID, a.sourced = source, requestID, true })
}

// AwaitError reports that the condition of Await was not met.
type AwaitError struct {
	Reads  int           // number of reads
	Waited time.Duration // time since Await began
	Err    error         // ErrNotYet, the error of a context that ended it, or the error from WithFailures
}

// Error reports how long Await waited and why it ended.
func (e *AwaitError) Error() string {
	return fmt.Sprintf("practice: Await: stopped after %v (reads: %d): %v", e.Waited.Round(time.Millisecond), e.Reads, oneLine(e.Err.Error()))
}

// Unwrap returns Err.
func (e *AwaitError) Unwrap() error { return e.Err }

// awaiting holds the state of one Await.
type awaiting struct {
	until          Condition
	first, longest time.Duration
	limit          time.Duration
	source         WriteFailures
	sourced        bool
	requestID      string

	began   time.Time
	reads   int
	slowest time.Duration // duration of the slowest read
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
		return refuse("WithAwaitTimeout", "must be greater than 0")
	case a.first <= 0 || a.longest <= 0:
		return refuse("WithAwaitInterval", "must be greater than 0")
	case a.sourced && a.source == nil:
		return refuse("WithFailures", "must have a non-nil source")
	}
	return nil
}

// wait waits until the next read is due. It returns an error if there will be
// no further read; missing is the error of the latest read, if it did not find
// the record.
func (a *awaiting) wait(ctx context.Context, missing error) error {
	if a.source != nil {
		if err := a.source.Failure(ctx, a.requestID); err != nil {
			return a.failed(err)
		}
	}
	left := time.Until(a.last(ctx))
	if left > 0 && backoff.Sleep(ctx, min(left, backoff.Exponential(a.first, a.longest, a.reads-1))) == nil {
		return nil
	}
	return a.failed(a.end(ctx, missing))
}

// end returns why there is no further read: ErrNotYet if the time is over, the
// error of the context if that limited the time or was cancelled, and latest,
// the error of the latest read.
func (a *awaiting) end(ctx context.Context, latest error) error {
	ended := ctx.Err()
	if ended == nil && a.last(ctx).Before(a.began.Add(a.limit)) {
		ended = context.DeadlineExceeded
	}
	reasons := []error{ended, context.Cause(ctx), latest}
	if !errors.Is(ended, context.Canceled) {
		reasons = slices.Insert(reasons, 0, ErrNotYet)
	}
	var all error
	for _, reason := range reasons {
		switch {
		case all == nil:
			all = reason
		case reason != nil && !errors.Is(all, reason):
			all = fmt.Errorf("%w: %w", all, reason)
		}
	}
	return all
}

// Limits for the start and the end of the last read.
const (
	lastReadBefore = 20 * time.Millisecond  // starts at least this long before the deadline of the context
	mostReadBefore = 500 * time.Millisecond // starts at most this long before it; a slow read may have waited for the rate limit
	lastReadAfter  = 5 * time.Second        // ends at most this long after the limit of Await
)

// last returns when the last read begins.
func (a *awaiting) last(ctx context.Context) time.Time {
	last := a.began.Add(a.limit)
	if deadline, limited := ctx.Deadline(); limited {
		if before := deadline.Add(-min(max(lastReadBefore, 2*a.slowest), mostReadBefore)); before.Before(last) {
			return before
		}
	}
	return last
}

// reading returns the context for one read, and its cancel function.
func (a *awaiting) reading(ctx context.Context) (context.Context, context.CancelFunc) {
	end := a.began.Add(a.limit)
	if now := time.Now(); !now.Before(end) {
		end = now.Add(lastReadAfter)
	}
	return context.WithDeadline(ctx, end)
}

func (a *awaiting) failed(err error) error {
	return &AwaitError{Reads: a.reads, Waited: time.Since(a.began), Err: err}
}
