package transfer

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

// Causes of an Error, for errors.Is.
var (
	ErrSizeMismatch   = errors.New("the size of the content differs from the announced size")
	ErrStorageAddress = storage.ErrAddress
	ErrVersionChanged = errors.New("the file changed to another version during the transfer")
	ErrNotResumable   = errors.New("the storage service does not return the version of the content, so the transfer cannot be resumed")
	ErrNotRewindable  = errors.New("the body cannot be read a second time")
	ErrBodyChanged    = errors.New("the body changed while it was being sent")
	ErrNotConfirmed   = errors.New("the storage service did not confirm the content that was sent")
	ErrSizeUnknown    = errors.New("the size of the content is unknown")
)

var (
	errLonger  = fmt.Errorf("%w: the storage service sent too many bytes", ErrSizeMismatch)
	errOwnTags = fmt.Errorf("%w: each part has an entity tag of its own", ErrNotResumable)
	errResized = fmt.Errorf("%w: %w", ErrBodyChanged, ErrSizeMismatch)
)

// Error reports a transfer that failed.
type Error struct {
	// Attempts holds the consecutive failures, the last one at the end; empty
	// if there was no attempt.
	Attempts []transport.Attempt
	Err      error // the cause
}

// Error returns the cause.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// fail wraps a cause in an Error, unless it is one already.
func fail(cause error, attempts []transport.Attempt) error {
	if done, ok := errors.AsType[*Error](cause); ok {
		return done
	}
	if errors.Is(cause, io.EOF) {
		cause = &brokenOffError{cause}
	}
	return &Error{Attempts: attempts, Err: cause}
}

// failLocally wraps an error of the caller's own body, writer or file in an
// Error.
func failLocally(doing string, err error) error { return fail(&localError{doing, err}, nil) }

// failAlso adds a cause to err. If err is nil or not an *Error, it returns an
// *Error with this cause.
func failAlso(err, cause error) error {
	failure, ok := errors.AsType[*Error](err)
	if !ok {
		return fail(cause, nil)
	}
	return fail(errors.Join(failure.Err, cause), failure.Attempts)
}

// ArgumentError reports an invalid argument.
type ArgumentError struct{ Argument, Reason string }

// Error returns the name of the argument and the reason.
func (e *ArgumentError) Error() string { return e.Argument + " " + e.Reason }

// LocateError reports a failure to get a new URL from the service.
type LocateError struct {
	Err    error
	Status int // HTTP status of the service; 0 if it did not answer
	// Temporary reports that the service does not find a recently created file
	// yet, so that a retry is useful. It is false for other failures, because
	// the call to the service has its own retries.
	Temporary bool
}

// Error returns the reason for the failure.
func (e *LocateError) Error() string {
	return "a new storage URL could not be obtained: " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *LocateError) Unwrap() error { return e.Err }

// localError is an error of the caller's own body, writer or file.
type localError struct {
	doing string
	err   error
}

func (e *localError) Error() string { return e.doing + ": " + e.err.Error() }

func (e *localError) Unwrap() error { return e.err }

// brokenOffError wraps a cause that contains io.EOF, which net/http returns if
// the server closes the connection without a response. It counts as
// io.ErrUnexpectedEOF, because readers would take io.EOF for the end of the
// content.
type brokenOffError struct{ error }

func (e *brokenOffError) Is(target error) bool {
	return target == io.ErrUnexpectedEOF || target != io.EOF && errors.Is(e.error, target)
}

func (e *brokenOffError) As(target any) bool { return errors.As(e.error, target) }

// startsOver reports whether the content must be read from its beginning after
// a failure.
func startsOver(err error) bool {
	return errors.Is(err, ErrVersionChanged) || errors.Is(err, ErrNotResumable) || errors.Is(err, errLonger)
}

// refusesResume reports whether a failure may concern only the part received by
// an earlier process: another version, another size, or a refusal of exactly
// this request.
func refusesResume(err error) bool {
	said := said(err)
	return said.Status >= 400 && said.Status < 500 && !said.Temporary() ||
		startsOver(err) || errors.Is(err, ErrSizeMismatch) || errors.Is(err, storage.ErrAnswer)
}

// said returns the error response of the storage that caused a failure, or one
// with status 0.
func said(err error) *storage.StatusError {
	said, _ := errors.AsType[*storage.StatusError](err)
	return cmp.Or(said, &storage.StatusError{})
}

// statusOf returns the HTTP status of the storage or of the service that caused
// a failure; 0 if there is none.
func statusOf(err error) int {
	if located, ok := errors.AsType[*LocateError](err); ok {
		return located.Status
	}
	return said(err).Status
}
