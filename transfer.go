package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/models"
)

// Upload is a file to be sent.
type Upload struct {
	Name     string // with its extension, 1 to 256 characters
	FolderID string // folder of the matter; empty means the root folder
	// Body is the content, from where it stands to its end. It must be able to
	// seek, as an *os.File, a *bytes.Reader or a *strings.Reader can: the storage
	// wants to know the length first. It is not closed.
	Body        io.Reader
	DateCreated time.Time // when the document was made; zero means now
	// Progress is told how many of all bytes have been sent, in the goroutine of
	// the transfer. It must be quick.
	Progress func(done, total int64)
}

// UploadedFile is a file whose content has been stored.
type UploadedFile struct {
	ID   string // id of the file
	Size int64  // bytes sent
}

// TransferError is a transfer whose bytes did not arrive. Err is the cause.
type TransferError struct {
	Operation string
	// FileID is the file whose content is missing. An upload can be repeated
	// with UploadVersion for the same id, so that no second file is made.
	FileID     string
	StatusCode int    // HTTP status of the storage; 0 when it did not answer
	Code       string // error code of the storage, such as "AccessDenied"
	Err        error
}

func (e *TransferError) Error() string {
	return fmt.Sprintf("practice: %s: file %s: %s", e.Operation, e.FileID, oneLine(e.Err.Error()))
}

// Unwrap gives the cause.
func (e *TransferError) Unwrap() error { return e.Err }

// Causes of a TransferError.
var (
	// ErrSizeMismatch: the content has another size than was announced.
	ErrSizeMismatch = errors.New("the size of the content is not the one that was announced")
	// ErrStorageAddress: the service named a storage address that must not be
	// used: another host than WithStorageHosts allows, plain http, or a text that
	// could not be sent byte for byte.
	ErrStorageAddress = errors.New("the storage address must not be used")
)

// Upload creates a file and sends its content. Neither the API key nor a
// token reaches the storage. An error after the file was made is a
// *TransferError with the file's id.
func (s *DocumentsService) Upload(ctx context.Context, matterID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	size, err := remainingSize("Documents.Upload", upload.Body)
	if err != nil {
		return nil, err
	}
	create := models.FileCreate{FileName: upload.Name, FolderID: upload.FolderID}
	if !upload.DateCreated.IsZero() {
		create.DateCreated = models.DateTimeOf(upload.DateCreated)
	}
	info, err := s.CreateFile(ctx, matterID, create, opts...)
	if err != nil {
		return nil, err
	}
	return s.put(ctx, "Documents.Upload", info, upload, size)
}

// UploadVersion sends the content of a new version of a file. Name, FolderID
// and DateCreated of upload are not used.
func (s *DocumentsService) UploadVersion(ctx context.Context, matterID, fileID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	size, err := remainingSize("Documents.UploadVersion", upload.Body)
	if err != nil {
		return nil, err
	}
	info, err := s.UploadURL(ctx, matterID, fileID, opts...)
	if err != nil {
		return nil, err
	}
	return s.put(ctx, "Documents.UploadVersion", info, upload, size)
}

// Download writes the content of a file to w and returns how many bytes it
// wrote. The content is checked against the size that the service announced.
func (s *DocumentsService) Download(ctx context.Context, matterID, fileID string, w io.Writer, opts ...CallOption) (int64, error) {
	const operation = "Documents.Download"
	info, err := s.DownloadURL(ctx, matterID, fileID, DownloadURLOptions{}, opts...)
	if err != nil {
		return 0, err
	}
	content, length, err := s.client.storage.Get(ctx, info.DownloadURL.Reveal())
	if err != nil {
		return 0, transferError(operation, fileID, err)
	}
	size, announced := info.SizeBytes.Get()
	if announced && length >= 0 && length != size {
		_ = content.Close() // nothing of it is wanted
		return 0, transferError(operation, fileID, ErrSizeMismatch)
	}
	n, err := io.Copy(w, content)
	_ = content.Close() // everything of use has been read
	if err == nil && announced && n != size {
		err = ErrSizeMismatch
	}
	if err != nil {
		return n, transferError(operation, fileID, err)
	}
	return n, nil
}

func (s *DocumentsService) put(ctx context.Context, operation string, info *models.UploadInfo, upload Upload, size int64) (*UploadedFile, error) {
	body := &countedBody{source: upload.Body, size: size, progress: upload.Progress}
	err := s.client.storage.Put(ctx, info.UploadURL.Reveal(), body, size)
	body.release()
	if err != nil {
		return nil, transferError(operation, info.FileID, err)
	}
	if size == 0 && upload.Progress != nil {
		upload.Progress(0, 0) // no byte came by that could have told
	}
	return &UploadedFile{ID: info.FileID, Size: size}, nil
}

// remainingSize measures a body from where it stands, and leaves it there.
func remainingSize(operation string, body io.Reader) (int64, error) {
	refuse := func(reason string) (int64, error) {
		return 0, &ArgumentError{Operation: operation, Argument: "Body", Reason: reason}
	}
	if body == nil {
		return refuse("must not be nil")
	}
	seeker, ok := body.(io.Seeker)
	if !ok {
		return refuse("must be able to seek")
	}
	start, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return refuse("cannot seek: " + err.Error())
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return refuse("cannot seek: " + err.Error())
	}
	if _, err := seeker.Seek(start, io.SeekStart); err != nil {
		return refuse("cannot seek: " + err.Error())
	}
	return max(end-start, 0), nil
}

// countedBody tells how far a body has been read.
type countedBody struct {
	source   io.Reader
	size     int64
	progress func(done, total int64)

	mu       sync.Mutex // guards what follows, and the source
	done     int64
	released bool
}

// release gives the source back to the caller. When the storage answers early,
// net/http goes on reading behind the answer.
func (b *countedBody) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.released = true
}

func (b *countedBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.released {
		return 0, errReleased
	}
	n, err := b.source.Read(p)
	b.done += int64(n)
	if n > 0 && b.progress != nil {
		b.progress(min(b.done, b.size), b.size)
	}
	if errors.Is(err, io.EOF) && b.done < b.size {
		return n, ErrSizeMismatch // it became shorter on the way
	}
	return n, err
}

var errReleased = errors.New("the transfer has ended")

func transferError(operation, fileID string, cause error) *TransferError {
	e := &TransferError{Operation: operation, FileID: fileID, Err: cause}
	if status, ok := errors.AsType[*storage.StatusError](cause); ok {
		e.StatusCode, e.Code = status.Status, status.Code
	}
	if errors.Is(cause, storage.ErrAddress) || errors.Is(cause, storage.ErrRewritten) {
		e.Err = fmt.Errorf("%w: %w", ErrStorageAddress, cause)
	}
	return e
}

// allowedStorage refuses addresses that the settings of the client rule out.
func (s *settings) allowedStorage(u *url.URL) error {
	if !allowedScheme(u, s.plainHTTP) {
		return fmt.Errorf("%w: it is not https", ErrStorageAddress)
	}
	if len(s.storageHosts) > 0 && !slices.ContainsFunc(s.storageHosts, func(host string) bool {
		return strings.EqualFold(host, u.Host) || strings.EqualFold(host, u.Hostname())
	}) {
		return fmt.Errorf("%w: its host is not one of WithStorageHosts", ErrStorageAddress)
	}
	return nil
}
