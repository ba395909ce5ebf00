package practice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// fileTransfer holds the calling method and the options of an upload or
// download of one file, and makes the service calls for internal/transfer.
type fileTransfer struct {
	documents        *DocumentsService
	operation        string // name of the method, for errors
	matterID, fileID string
	opts             []CallOption // options of the caller, for every call to the service
}

// engine returns the transfer of bytes. Its Locate requests another address
// from the service.
func (t *fileTransfer) engine(settings callSettings, locate func(context.Context) (transfer.Place, error)) transfer.Transfer {
	c := t.documents.client
	engine := transfer.Transfer{Storage: c.storage, Retries: c.retries(settings), Idle: settings.idleTimeout, Locate: locate}
	if c.observers != nil {
		engine.Watch = observeExchange
	}
	return engine
}

// failure returns the public form of an error.
func (t *fileTransfer) failure(err error) error { return transferError(t.operation, t.fileID, err) }

// further prepares an additional call: it has another request id, and does not
// fill the caller's Response.
func further(c *call) *call {
	c.settings.requestID, c.settings.response = "", nil
	c.settings.resourceID, c.settings.externalID = "", ""
	return c
}

// locateError returns the error of a call for another address. The service may
// not find a new file yet.
func locateError(err error, fresh bool) error {
	located := &transfer.LocateError{Err: err, Temporary: fresh && errors.Is(err, ErrNotFound)}
	if answer, ok := errors.AsType[*Error](err); ok {
		located.Status = answer.StatusCode
	}
	return located
}

// locate sends a call that answers with a storage address.
func locate[T any, P record[T]](c *call, placeOf func(*T) transfer.Place) (*T, transfer.Place, error) {
	wanted := c.settings.response
	var answered Response
	c.settings.response = &answered
	info, err := send[T, P](c)
	if wanted != nil {
		*wanted = answered
	}
	if err != nil {
		return nil, transfer.Place{}, err
	}
	place := placeOf(info)
	place.Skew = transfer.Skew(answered.Header)
	return info, place, nil
}

func uploadPlace(c *call) (*models.UploadInfo, transfer.Place, error) {
	return locate(c, func(i *models.UploadInfo) transfer.Place {
		return transfer.Place{Address: i.UploadURL, Expiry: i.Expiry.Time()}
	})
}

// downloadPlace returns the name of a file and the place of its content.
func downloadPlace(c *call) (string, transfer.Place, error) {
	info, place, err := locate(c, func(i *models.DownloadInfo) transfer.Place {
		return transfer.Place{Address: i.DownloadURL, Expiry: i.Expiry.Time(), Size: max(i.SizeBytes.Or(-1), -1)}
	})
	if err != nil {
		return "", place, err
	}
	return info.Name + info.FileExtension, place, nil
}

// Causes of a TransferError, for errors.Is.
var (
	// ErrSizeMismatch: the size of the content differs from the announced one,
	// of the upload's body or of the storage's answer.
	ErrSizeMismatch = transfer.ErrSizeMismatch
	// ErrStorageAddress: the service sent a storage address with a host that
	// WithStorageHosts excludes, plain http, or an invalid text.
	ErrStorageAddress = transfer.ErrStorageAddress
	// ErrVersionChanged: the content of the file changed while it was read. The
	// bytes read are the beginning of the former content.
	ErrVersionChanged = transfer.ErrVersionChanged
	// ErrNotResumable: the connection broke, and without a version from the
	// storage the rest might be that of another content.
	ErrNotResumable = transfer.ErrNotResumable
	// ErrNotRewindable: an upload failed and cannot be sent again, because its
	// body can be read only once. ResumeUpload takes the content once more.
	ErrNotRewindable = transfer.ErrNotRewindable
	// ErrBodyChanged: the file was modified during its upload, so it was not
	// stored.
	ErrBodyChanged = transfer.ErrBodyChanged
	// ErrSizeUnknown: neither the service nor the storage sent the size. Open
	// needs it, and so do downloads whose answers end with the connection: a
	// truncated content looks complete then. The bytes read may be the whole.
	ErrSizeUnknown = transfer.ErrSizeUnknown
	// ErrNotConfirmed: the storage returned another MD5 or none, see
	// [Upload.CheckMD5].
	ErrNotConfirmed = transfer.ErrNotConfirmed
	// ErrStalled: no byte moved for the time of WithIdleTimeout.
	ErrStalled = storage.ErrStalled
)

// TransferError reports a transfer that failed. Err is the cause: one of the
// values above, a failure of the network, of the body or of the local file, the
// end of the context, or an *Error of the service when it gave no new address.
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

// Error names the operation, the file and the cause. It never repeats a storage
// address.
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

// Unwrap returns Err.
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

// Format writes the text of the error for every verb.
func (e TransferError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e TransferError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// transferError returns the public form of an error of internal/transfer. Other
// errors, such as io.EOF, stay as they are.
func transferError(operation, fileID string, err error) error {
	if err == nil {
		return nil
	}
	failure, ok := errors.AsType[*transfer.Error](err)
	if !ok {
		return argumentError(operation, err)
	}
	e := &TransferError{Operation: operation, FileID: fileID, Attempts: publicAttempts(failure.Attempts), Err: failure.Err}
	if status, ok := errors.AsType[*storage.StatusError](failure.Err); ok {
		e.StatusCode, e.Code = status.Status, status.Code
	}
	return e
}

func argumentError(operation string, err error) error {
	if refused, ok := errors.AsType[*transfer.ArgumentError](err); ok {
		return &ArgumentError{Operation: operation, Argument: refused.Argument, Reason: refused.Reason}
	}
	return err
}

func publicAttempts(internal []transport.Attempt) []Attempt {
	if len(internal) == 0 {
		return nil
	}
	attempts := make([]Attempt, len(internal))
	for i, attempt := range internal {
		attempts[i] = attemptOf(attempt)
	}
	return attempts
}

// observeTransfer reports the start of a transfer and returns a context in
// which its exchanges find it.
func (c *Client) observeTransfer(ctx context.Context, operation string) (context.Context, *aggregateObserver) {
	return c.observers.aggregate(ctx, Observation{Operation: operation, Kind: ObservedTransfer})
}

// observeExchange reports an exchange with the storage as part of the transfer
// in the context. Without a transfer it reports nothing.
func observeExchange(ctx context.Context, begun transfer.Exchange) (context.Context, func(int, transport.Attempt)) {
	w, _ := ctx.Value(aggregateKey{}).(*aggregateObserver)
	if w == nil {
		return ctx, nil
	}
	seen := w.base
	seen.Kind = seen.Kind.attempt()
	seen.Method, seen.Attempt, seen.Server = begun.Method, begun.Number, serverOf(begun.Address)
	ctx = w.to.start(ctx, seen, nil)
	started := time.Now()
	return ctx, func(status int, ended transport.Attempt) {
		seen.Status, seen.Duration = status, time.Since(started)
		seen.BytesSent, seen.BytesReceived, seen.Err, seen.Reason = ended.BytesSent, ended.BytesReceived, ended.Err, ended.Reason
		w.exchanged(seen, ended.Wait)
		w.to.attemptEnded(ctx, seen, ended.Wait)
	}
}

// exchanged counts an exchange with the storage.
func (w *aggregateObserver) exchanged(seen Observation, wait time.Duration) {
	seen.Attempt, seen.Waits = 1, Waits{Retry: wait}
	w.add(seen)
}

// serverOf returns an address without its path and signature.
func serverOf(address models.Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
