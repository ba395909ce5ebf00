// Package once creates each record of the service at most once, despite lost
// responses, cancelled calls and killed processes.
//
// The service has no idempotency keys, so if the outcome of a create request is
// unknown, the client never repeats the request and returns a
// *practice.AmbiguousWriteError. [Do] continues from there. It stores an intent
// in a [Journal], creates the record, and stores the record's id. If it finds
// an intent without an id, it looks for the record, and does not create another
// one unless [CreateAgain] allows it:
//
//	id, err := once.Do(ctx, journal, "invoice 4711, line 3",
//		func(ctx context.Context, _ once.Intent) (string, error) {
//			link, err := client.Fees.Create(ctx, matterID, fee)
//			if err != nil {
//				return "", err
//			}
//			return link.TargetID(), nil
//		},
//		func(ctx context.Context, intent once.Intent) ([]string, error) {
//			fees, err := client.Fees.FindCreated(ctx, matterID, fee, intent.At.Add(-5*time.Minute))
//			return once.IDs(fees, func(f *models.Fee) string { return f.ID }), err
//		})
//
// If the account is allowed to choose ids, pass the intent's ResourceID to
// practice.WithResourceID. To find the record, read the record with that id,
// which no other record can have.
//
// A create request that the service accepted may still fail later. To detect
// this, await the record or listen for `error` events.
package once

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/pending"
)

// DefaultSearchLimit is how long Do looks for a record if the outcome of its
// create is unknown.
const DefaultSearchLimit = time.Minute

// Waits between two searches.
const (
	firstLook   = 250 * time.Millisecond
	longestLook = 5 * time.Second
)

// Intent is stored in the journal before a record is created.
type Intent struct {
	// ResourceID is a random UUID for the record, for accounts that may choose
	// ids.
	ResourceID string `json:"resourceId"`
	// At is the time at which the intent was stored, before the create was
	// sent, by the clock of this machine.
	At time.Time `json:"at"`
	// Attempt counts the creates that CreateAgain allowed after the first one.
	Attempt int `json:"attempt,omitzero"`
}

// Entry is the value for a key in a journal. The zero value means that nothing
// was sent.
type Entry struct {
	Intent Intent `json:"intent"`
	ID     string `json:"id,omitempty"` // id of the record; empty if unknown
}

// IsZero reports whether nothing was sent.
func (e Entry) IsZero() bool { return e == Entry{} }

// Equal reports whether both entries have the same id, ignoring case, or both
// have no id and describe the same attempt of the same intent.
func (e Entry) Equal(other Entry) bool {
	if e.ID != "" || other.ID != "" {
		return strings.EqualFold(e.ID, other.ID)
	}
	return e.Intent.ResourceID == other.Intent.ResourceID && e.Intent.Attempt == other.Intent.Attempt
}

// Journal stores the entries. Its methods must be safe for concurrent use.
type Journal interface {
	// Load returns the entry of a key, or the zero Entry.
	Load(ctx context.Context, key string) (Entry, error)
	// Store replaces the entry of a key if it is Equal to old; a zero old means
	// that there is no entry yet. It returns nil if the key already has the new
	// entry, otherwise ErrOvertaken if old has an id or is not the key's entry,
	// and ErrClaimed for an id that belongs to another key, ignoring case. The
	// entry survives the end of the process.
	Store(ctx context.Context, key string, old, entry Entry) error
	// Owner returns the key whose entry has the id, ignoring case, or "".
	Owner(ctx context.Context, id string) (key string, err error)
}

// Holder is implemented by a Journal that lets one caller of Do at a time hold
// a key. With any other Journal, Do must not be called concurrently for the
// same key.
type Holder interface {
	// Hold waits until nobody else holds the key, or until ctx ends. A Do
	// inside the create of the same key waits for itself.
	Hold(ctx context.Context, key string) (release func(), err error)
}

// ErrClaimed reports an id that belongs to another key of the journal.
var ErrClaimed = errors.New("once: the id already belongs to another key")

// ErrOvertaken reports that the entry of a key is not the one that this caller
// knows, because another caller has taken over the key. Call Do again.
var ErrOvertaken = errors.New("once: another process has taken over the key")

// ErrKey reports a key that is not valid UTF-8, or whose text was lost because
// it was not. Convert the strings that you build keys from.
var ErrKey = errors.New("once: the key is not valid UTF-8")

// ErrEmptyID reports an empty id that the function find of Do returned or that
// was passed to Forget.
var ErrEmptyID = errors.New("once: the id of a record is empty")

// ErrUnknown reports that it is unknown whether a record was created. The error
// is an *UnknownError.
var ErrUnknown = errors.New("once: it is unknown whether the record was created")

// UnknownError reports a key whose record Do searched for but could not
// identify. The entry stays in the journal, and the next Do searches again.
type UnknownError struct {
	Key    string
	Intent Intent
	IDs    []string // ids of the records found, if there were several
	Err    error    // error of the create or of the last search; nil after a restart if nothing was found
}

// Error returns the key, the time of the attempt, the ids found and the cause.
func (e *UnknownError) Error() string {
	text := fmt.Sprintf("%v: key %q, attempted at %s", ErrUnknown, e.Key, e.Intent.At.UTC().Format(time.RFC3339))
	if len(e.IDs) > 0 {
		text += fmt.Sprintf(", and the record may be any of %q", e.IDs)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns ErrUnknown and Err.
func (e *UnknownError) Unwrap() []error { return []error{ErrUnknown, e.Err} }

// Option changes a call of Do.
type Option func(*doer)

// SearchLimit sets how long Do looks for a record if the outcome of its create
// is unknown; the default is DefaultSearchLimit. If d is 0 or less, Do looks
// once.
func SearchLimit(d time.Duration) Option { return func(o *doer) { o.searchLimit = d } }

// CreateAgain lets Do create the record again if it was not found within the
// search limit. If the service shows the first record later than that, there are
// two records.
func CreateAgain() Option { return func(o *doer) { o.again = true } }

// Await lets Do wait until the record is visible: like [practice.Await], it
// calls read with the id, even one from an earlier Do, until read finds the
// record, but no longer than the search limit. If the record is not found, Do
// returns its id and a *practice.AwaitError. If the create failed later, forget
// the id and call Do again.
func Await(read func(ctx context.Context, id string) error) Option {
	return func(o *doer) { o.read = read }
}

// Do returns the id of the record for a key, and creates the record if the
// journal has none. The function create sends one create and returns the id;
// find returns the ids of the records that may belong to an intent, in any
// order. Both are called with ctx.
//
// If the outcome of a create is unknown, Do calls find repeatedly until it
// returns a record or the search limit expires. It ignores records that belong
// to another key. If no create was executed, which is certain only if the
// client can prove it for each create sent with ctx, Do does not store an entry
// and returns the error of create unchanged. If several records were found, or
// none, the error is an *UnknownError. If the record exists but the journal
// failed to store its id, Do returns both the id and the journal's error.
func Do(ctx context.Context, journal Journal, key string,
	create func(context.Context, Intent) (id string, err error),
	find func(context.Context, Intent) (ids []string, err error), opts ...Option,
) (id string, err error) {
	d := &doer{journal: journal, key: key, create: create, find: find, searchLimit: DefaultSearchLimit}
	for _, opt := range opts {
		opt(d)
	}
	if !utf8.ValidString(key) {
		return "", fmt.Errorf("%w: %q", ErrKey, key)
	}
	if holder, ok := journal.(Holder); ok {
		release, err := holder.Hold(ctx, key)
		if err != nil {
			return "", err
		}
		defer release()
	}
	id, err = d.do(ctx)
	if err == nil && d.read != nil {
		_, err = practice.Await(ctx, func(ctx context.Context) (any, error) { return nil, d.read(ctx, id) }, practice.Exists(),
			practice.WithAwaitTimeout(max(d.searchLimit, 1)))
	}
	return id, err
}

// IDs returns the ids of records, for use in the function find of Do.
func IDs[T any](records []T, id func(*T) string) []string {
	ids := make([]string, len(records))
	for i := range records {
		ids[i] = id(&records[i])
	}
	return ids
}

// doer holds the state of one call of Do.
type doer struct {
	journal     Journal
	key         string
	create      func(context.Context, Intent) (string, error)
	find        func(context.Context, Intent) ([]string, error)
	read        func(context.Context, string) error
	searchLimit time.Duration
	again       bool
}

// do continues from the entry of the key.
func (d *doer) do(ctx context.Context) (string, error) {
	entry, err := d.journal.Load(ctx, d.key)
	switch {
	case err != nil:
		return "", err
	case entry.ID != "":
		return entry.ID, nil
	case entry.IsZero():
		return d.begin(ctx)
	}
	return d.look(ctx, entry.Intent, nil)
}

// begin stores an intent and sends the create.
func (d *doer) begin(ctx context.Context) (string, error) {
	intent := Intent{ResourceID: uuid.NewString(), At: time.Now()}
	if err := d.journal.Store(ctx, d.key, Entry{}, Entry{Intent: intent}); err != nil {
		return "", err
	}
	watched, unproven := pending.Watch(ctx)
	id, err := d.create(watched, intent)
	switch {
	case err == nil && id != "":
		return id, d.finish(ctx, intent, id)
	case err != nil && !unproven.Any() && notExecuted(err):
		if kept := d.journal.Store(context.WithoutCancel(ctx), d.key, Entry{Intent: intent}, Entry{}); kept != nil {
			return "", errors.Join(err, kept)
		}
		return "", err
	}
	return d.look(ctx, intent, err)
}

// finish stores the id, even if ctx has ended, so that it is not lost.
func (d *doer) finish(ctx context.Context, intent Intent, id string) error {
	return d.journal.Store(context.WithoutCancel(ctx), d.key, Entry{Intent: intent}, Entry{Intent: intent, ID: id})
}

// look searches for the record of a create with an unknown outcome until it is
// found or the search limit is over.
func (d *doer) look(ctx context.Context, intent Intent, cause error) (string, error) {
	began := time.Now()
	for tries := 0; ; tries++ {
		ids, err := d.unclaimed(ctx, intent)
		switch {
		case len(ids) > 1:
			return "", &UnknownError{d.key, intent, ids, cause}
		case len(ids) == 1:
			err = d.finish(ctx, intent, ids[0])
			if !errors.Is(err, ErrClaimed) {
				return ids[0], err
			} // another key has just claimed the id, or the journal does not show its owner
		}
		left := d.searchLimit - time.Since(began)
		if left <= 0 {
			return d.missing(ctx, intent, errors.Join(cause, err), err == nil)
		}
		if ended := backoff.Sleep(ctx, min(left, backoff.Exponential(firstLook, longestLook, tries))); ended != nil {
			return "", &UnknownError{d.key, intent, nil, errors.Join(cause, ended)}
		}
	}
}

// missing ends a search without a result. It creates the record again if the
// caller allows that and the last search was conclusive. The id of the intent
// stays the same: with a chosen id, the service refuses a second record, but a
// refusal is no proof that the first one exists. The attempt is stored first,
// so that a holder that was overtaken cannot remove the intent of this one.
func (d *doer) missing(ctx context.Context, intent Intent, cause error, looked bool) (string, error) {
	if !d.again || !looked {
		return "", &UnknownError{d.key, intent, nil, cause}
	}
	d.again = false // only once per call
	old := intent
	intent.Attempt++
	if err := d.journal.Store(ctx, d.key, Entry{Intent: old}, Entry{Intent: intent}); err != nil {
		return "", errors.Join(cause, err)
	}
	id, err := d.create(ctx, intent)
	if err == nil && id != "" {
		return id, d.finish(ctx, intent, id)
	}
	return d.look(ctx, intent, err)
}

// unclaimed returns the records found by find, without duplicates and without
// those of other keys.
func (d *doer) unclaimed(ctx context.Context, intent Intent) (ids []string, err error) {
	found, err := d.find(ctx, intent)
	if err != nil {
		return nil, err
	}
	for _, id := range found {
		if id == "" {
			return nil, ErrEmptyID // a record without an id may be the one
		}
		owner, err := d.journal.Owner(ctx, id)
		if err != nil {
			return nil, err
		}
		known := slices.ContainsFunc(ids, func(other string) bool { return strings.EqualFold(other, id) })
		if (owner == "" || owner == d.key) && !known {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// notExecuted reports whether an error is that of a call of the client that
// created nothing. It is a proof only if no other create was sent: the error
// may be that of a later call, such as the listing of what was created.
func notExecuted(err error) bool {
	if is[*practice.AmbiguousWriteError](err) || is[*practice.DecodeError](err) ||
		errors.Is(err, practice.ErrNotVisibleYet) || errors.Is(err, practice.ErrNoID) {
		return false
	}
	return is[*practice.Error](err) || is[*practice.ArgumentError](err) || is[*practice.ConfigError](err) || is[*practice.NoAnswerError](err)
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
