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

// fileTransfer holds the calling method and the options of one upload or
// download, and makes the calls to the service for internal/transfer.
type fileTransfer struct {
	documents        *DocumentsService
	operation        string // name of the method, for errors
	matterID, fileID string
	opts             []CallOption // options of the caller, used for every call to the service
}

// engine returns the transfer that moves the bytes. Its Locate requests a new
// address from the service.
func (t *fileTransfer) engine(settings callSettings, locate func(context.Context) (transfer.Place, *transfer.LocateError)) transfer.Transfer {
	c := t.documents.client
	engine := transfer.Transfer{Storage: c.storage, Retries: c.retries(settings), Idle: settings.idleTimeout, Locate: locate}
	if c.observers != nil {
		engine.Watch = observeExchange
	}
	return engine
}

// failure converts an error to its exported form.
func (t *fileTransfer) failure(err error) error { return transferError(t.operation, t.fileID, err) }

// further prepares an additional call, with its own request id. It does not
// fill the caller's Response.
func further(c *call) *call {
	c.settings.further()
	return c
}

// locateError returns the error of a call for a new address. If the file is
// fresh, "not found" may be temporary.
func locateError(err error, fresh bool) *transfer.LocateError {
	located := &transfer.LocateError{Err: err, Temporary: fresh && errors.Is(err, ErrNotFound)}
	if answer, ok := errors.AsType[*Error](err); ok {
		located.Status = answer.StatusCode
	}
	return located
}

// locate sends a call whose response contains a storage address, and returns
// the response and the address.
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

// downloadPlace returns the name of a file and the address of its content.
func downloadPlace(c *call) (string, transfer.Place, error) {
	info, place, err := locate(c, func(i *models.DownloadInfo) transfer.Place {
		return transfer.Place{Address: i.DownloadURL, Expiry: i.Expiry.Time(), Size: max(i.SizeBytes.Or(-1), -1)}
	})
	if err != nil {
		return "", place, err
	}
	return info.Name + info.FileExtension, place, nil
}

// Causes of a TransferError; use errors.Is.
var (
	// ErrSizeMismatch: the size of the content differs from the announced one.
	// The content is the body of an upload or the response of the storage.
	ErrSizeMismatch = transfer.ErrSizeMismatch
	// ErrStorageAddress: the service sent no storage address, or one that is
	// invalid, uses plain http, or has a host that WithStorageHosts excludes.
	ErrStorageAddress = transfer.ErrStorageAddress
	// ErrVersionChanged: the content of the file changed during the download.
	// The bytes read are the beginning of the former content.
	ErrVersionChanged = transfer.ErrVersionChanged
	// ErrNotResumable: a second range was needed, for example because the
	// connection broke, and the storage sends no version, or one for each range,
	// so the rest might belong to different content.
	ErrNotResumable = transfer.ErrNotResumable
	// ErrNotRewindable: an upload failed and cannot be retried, because its
	// body can be read only once. Pass the content to ResumeUpload.
	ErrNotRewindable = transfer.ErrNotRewindable
	// ErrBodyChanged: the file was modified during its upload, so it was not
	// stored. Over plain http, a mixture of both contents may be stored.
	ErrBodyChanged = transfer.ErrBodyChanged
	// ErrSizeUnknown: neither the service nor the storage sent the size. Open
	// requires the size. So does a download whose response ends when the
	// connection closes, because truncated content would look complete. The
	// bytes read may be the whole content.
	ErrSizeUnknown = transfer.ErrSizeUnknown
	// ErrNotConfirmed: the storage returned a different MD5 or none; see
	// [Upload.CheckMD5].
	ErrNotConfirmed = transfer.ErrNotConfirmed
	// ErrStalled: no byte was transferred for the time set by WithIdleTimeout.
	ErrStalled = storage.ErrStalled
)

// TransferError reports a failed transfer. Err is the cause: one of the values
// above; an error of the network, the body, the local file or the context; or
// an *Error if the service returned no new address.
type TransferError struct {
	Operation string // name of the method, such as "Documents.Upload"
	// FileID is the id of the file. After a failed upload, pass it to
	// ResumeUpload to continue without creating a second file. It is empty if
	// no file was created.
	FileID     string
	StatusCode int    // HTTP status of the storage; 0: no response
	Code       string // error code of the storage, such as "AccessDenied"
	// Attempts holds the consecutive failures, the last one at the end. It is
	// empty if no attempt was made.
	Attempts []Attempt
	Err      error
}

// Error returns the operation, the file and the cause. It never contains a
// storage address.
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

// Is reports whether target is the sentinel for the storage's status, such as
// ErrForbidden.
func (e *TransferError) Is(target error) bool {
	sentinel := sentinelOf(e.StatusCode)
	return sentinel != nil && target == sentinel
}

// LogValue returns the members that identify the failure.
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

// transferError converts an error of internal/transfer to its exported form. It
// returns other errors, such as io.EOF, unchanged.
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

// observeTransfer reports the start of a transfer. It returns a context that
// links the exchanges with the storage to it, and the observer that reports its
// end.
func (c *Client) observeTransfer(ctx context.Context, operation string) (context.Context, *aggregateObserver) {
	return c.observers.aggregate(ctx, Observation{Operation: operation, Kind: ObservedTransfer})
}

// observeExchange reports an exchange with the storage as part of the transfer
// in ctx. It reports nothing if ctx has none.
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

// serverOf returns scheme and host of an address, without path and signature.
func serverOf(address models.Secret) string {
	u, err := url.Parse(address.Reveal())
	if err != nil || u.Host == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
