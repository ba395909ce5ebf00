package practice

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/practicesdk/practice-go/internal/storage"
)

// Causes of a TransferError, for errors.Is.
var (
	// ErrSizeMismatch: the content has another size than was announced. The
	// body of an upload shrank or grew on the way, or the storage sent more or
	// less than the service said.
	ErrSizeMismatch = errors.New("the size of the content is not the one that was announced")
	// ErrStorageAddress: the service named a storage address that must not be
	// used: another host than WithStorageHosts allows, plain http, or a text that
	// could not be sent byte for byte.
	ErrStorageAddress = errors.New("the storage address must not be used")
	// ErrVersionChanged: the file has got other content while it was read. What
	// was read is the beginning of the content before.
	ErrVersionChanged = errors.New("the file has got another version on the way")
	// ErrNotResumable: the connection broke, and the storage does not name the
	// version of the content, so that the rest might be that of another one.
	ErrNotResumable = errors.New("the storage names no version of the content to go on with")
	// ErrNotRewindable: an upload failed and cannot be sent again, because its
	// body can be read only once. ResumeUpload takes the content once more.
	ErrNotRewindable = errors.New("the body cannot be read a second time")
	// ErrStalled: no byte moved for the time of WithIdleTimeout.
	ErrStalled = storage.ErrStalled
)

// TransferError is a transfer whose bytes did not arrive. Err is the cause:
// one of the values above, a failure of the network, of the body or of the
// local file, the end of the context, or an *Error of the service when a new
// address could not be had.
type TransferError struct {
	Operation string // name of the method, such as "Documents.Upload"
	// FileID is the file whose content is missing. ResumeUpload goes on with an
	// upload for the same id, so that no second file is made. It is empty when
	// the body could not be read and no file was made.
	FileID     string
	StatusCode int    // HTTP status of the storage; 0 when it did not answer
	Code       string // error code of the storage, such as "AccessDenied"
	// Attempts are the failures that followed each other, the last one at the
	// end; empty when it did not come to an attempt.
	Attempts []Attempt
	Err      error
}

// Error names operation, file and cause. It never repeats a storage address.
func (e *TransferError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: ", e.Operation)
	if e.FileID != "" {
		fmt.Fprintf(&b, "file %s: ", oneLine(e.FileID))
	}
	b.WriteString(oneLine(e.Err.Error()))
	if len(e.Attempts) > 1 {
		fmt.Fprintf(&b, " (%d attempts)", len(e.Attempts))
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *TransferError) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel of the status of the storage, such
// as ErrForbidden.
func (e *TransferError) Is(target error) bool {
	sentinel := sentinelOf(e.StatusCode)
	return sentinel != nil && target == sentinel
}

// LogValue gives a log the parts that identify the failure.
func (e *TransferError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("operation", e.Operation),
		slog.String("file_id", e.FileID),
		slog.Int("status", e.StatusCode),
		slog.Int("attempts", len(e.Attempts)),
		slog.String("message", oneLine(e.Err.Error())),
	)
}

// brokenOffError is a cause that has an io.EOF in it: net/http calls it so when the
// other side hangs up without an answer. Readers take that for the end of a
// content, so it counts as an io.ErrUnexpectedEOF.
type brokenOffError struct{ err error }

func (e *brokenOffError) Error() string { return e.err.Error() }

func (e *brokenOffError) Is(target error) bool {
	return target == io.ErrUnexpectedEOF || target != io.EOF && errors.Is(e.err, target)
}

func (e *brokenOffError) As(target any) bool { return errors.As(e.err, target) }
