// Package rows sends each row of a list once, across lost responses and ends of
// the process. It keeps what it knows in a journal of package once.
package rows

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/practicesdk/practice-go/once"
)

// Status is the outcome of a row.
type Status string

// Statuses of a row.
const (
	Accepted Status = "accepted" // the service has accepted it
	Done     Status = "done"     // its effect is visible
	Failed   Status = "failed"   // nothing was written
	Changed  Status = "changed"  // nothing was written, since the record is not what was seen before
	Unknown  Status = "unknown"  // it may have been executed, or not
)

// Result is the end of a row.
type Result struct {
	Status Status
	Before bool     // an earlier run did it
	ID     string   // of a created record
	IDs    []string // ids of the records that may be the created one
	Err    error
}

// fatal is an error that ends the run, because each further row would fail too.
type fatal struct{ error }

func (f fatal) Unwrap() error { return f.error }

// Ends reports whether a result ends the run.
func (r Result) Ends() bool {
	_, ends := errors.AsType[fatal](r.Err)
	return ends
}

// Journal keeps what was sent.
type Journal struct {
	file    *once.File
	open    open
	resumed bool
}

// ErrOtherRun reports a journal of another operation, firm or mapping.
var ErrOtherRun = errors.New("the journal belongs to another run")

// about is the key of the entry with the description of the run: its id, or its
// intent if all runs were dry.
const about = "run"

// Open opens the journal of a run. description describes the run; a journal with
// another description is refused with ErrOtherRun. If all runs of it were dry,
// Open discards it instead, because nothing was sent.
func Open(ctx context.Context, path, description string, dry bool) (_ *Journal, err error) {
	j := &Journal{open: open{}}
	if j.file, err = once.Open(path); err != nil {
		return nil, err
	}
	there, err := j.file.Load(ctx, about)
	now := once.Entry{Intent: once.Intent{At: time.Now()}, ID: description}
	if dry {
		now = once.Entry{Intent: once.Intent{At: now.Intent.At, ResourceID: description}}
	}
	switch noted := there.Intent.ResourceID; {
	case err != nil:
	case there.ID == description:
		j.resumed = true
	case there.ID != "":
		err = fmt.Errorf("%s: %w: the journal is for %s, but this run is %s; to start anew, use a different --journal or remove the file, but rows that were sent are then sent again", path, ErrOtherRun, there.ID, description)
	case noted != "" && noted != description:
		if err = errors.Join(os.Truncate(path, 0), j.file.Close()); err != nil { // in this order: no other process has it open
			return nil, err
		}
		return Open(ctx, path, description, dry)
	default:
		err = j.file.Store(ctx, about, there, now)
	}
	if err != nil {
		return nil, errors.Join(err, j.file.Close())
	}
	return j, nil
}

// Resumed reports whether an earlier run began the journal.
func (j *Journal) Resumed() bool { return j.resumed }

// Created returns the id of the record that was created for a key, or "".
func (j *Journal) Created(ctx context.Context, key string) (string, error) {
	entry, err := j.file.Load(ctx, key)
	return entry.ID, err
}

// Close closes the journal.
func (j *Journal) Close() error { return j.file.Close() }

// ErrOtherValues reports a key that was sent with other values.
var ErrOtherValues = errors.New("a row with this key was already sent with different values")

// Claim notes the content of a row whose key is chosen. A key that was sent
// with another content is refused with ErrOtherValues.
func (j *Journal) Claim(ctx context.Context, key, content string) error {
	noted := "values of " + key
	there, err := j.file.Load(ctx, noted)
	if err != nil || there.Intent.ResourceID == content {
		return err
	}
	row, err := j.file.Load(ctx, key)
	switch {
	case err != nil:
		return err
	case !row.IsZero() && !there.IsZero():
		return ErrOtherValues
	}
	return j.file.Store(ctx, noted, there, once.Entry{Intent: once.Intent{ResourceID: content, At: time.Now()}})
}
