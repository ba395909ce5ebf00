package practice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// Upload describes a file to upload.
type Upload struct {
	Name     string // name with extension, 1 to 256 characters
	FolderID string // folder of the matter; empty: the root folder
	// Body is the content, from its current position to its end. Upload does
	// not close it, and does not read it after it has returned.
	//
	// An *os.File, a *bytes.Reader, an *io.SectionReader and any other body
	// with Seek, or with ReadAt and Size, is streamed, and read again for
	// another attempt. An fs.File that cannot seek and was not read before is
	// streamed too, and so is any reader with a known Size. Beyond 64 KiB these
	// two are sent only once: see [ErrNotRewindable]. Any other reader is read
	// to its end first, beyond 1 MiB into a temporary file, because the storage
	// needs the length. bytes.NewReader turns bytes into a Body,
	// io.NewSectionReader an io.ReaderAt and a size. Upload waits for a Read
	// that blocks, even after the context has ended.
	Body io.Reader
	// Size is the length of Body in bytes, for a Body that does not report it,
	// such as that of an HTTP request; 0 means unknown. If the actual length
	// differs, the error is ErrSizeMismatch.
	Size        int64
	DateCreated time.Time // when the document was created; zero: now
	// Created receives the id of a new file before its bytes are sent, so that
	// a killed program can continue with ResumeUpload. An error ends the
	// upload. Only methods that create a file call it, unless it is nil.
	Created func(fileID string) error
	// Progress receives the number of bytes sent so far and the total. done
	// does not decrease, even when an attempt starts over. Calls do not overlap
	// and delay the transfer, so Progress must be quick.
	Progress func(done, total int64)
	// Address is the upload address returned by CreateFile or CreateFiles. If
	// nil, it is requested from the service. Only ResumeUpload uses it.
	Address *models.UploadInfo
	// TempDir is the folder for the temporary file of a Body that is a plain
	// reader; empty means os.TempDir.
	TempDir string
	// CheckMD5 compares the entity tag in the storage's response with the MD5 of
	// the bytes sent. Use it for storages whose entity tag is the MD5, as most
	// do unless they encrypt. If the tag differs or is missing after the last
	// retry, the error is ErrNotConfirmed.
	CheckMD5 bool
}

// UploadedFile describes a file that was uploaded.
type UploadedFile struct {
	ID   string // id of the file
	Size int64  // bytes sent
	// ETag is the entity tag of the stored content, with its quotes. It is
	// empty if the storage sends none.
	ETag     string
	Requests int // requests to the storage; 1 if nothing was retried
}

// Upload creates a file and sends its content. Upload does not send the API key
// or a token to the storage. It retries after network failures, and with a new
// address after the old one has expired, as often as WithRetries allows. It
// creates the file only once. After that, any error is a *TransferError with
// the id of the file, for ResumeUpload.
func (s *DocumentsService) Upload(ctx context.Context, matterID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	t := &fileUpload{fileTransfer: fileTransfer{documents: s, operation: "Documents.Upload", matterID: matterID, opts: opts}}
	file := upload.record()
	c := s.client.call(ctx, documentsCreateFile, opts).at(matterID).with(file)
	c.check("DateCreated", reasonIf(file.DateCreated.IsZero() && !upload.DateCreated.IsZero(), "must have a year from 1 to 9999"))
	return t.send(ctx, c, upload)
}

// record returns the body of the create.
func (u Upload) record() *models.FileCreate {
	return &models.FileCreate{FileName: u.Name, FolderID: u.FolderID, DateCreated: models.DateTimeOf(u.DateCreated)}
}

// UploadVersion sends the content of a new version of a file. It ignores Name,
// FolderID and DateCreated of upload. It retries as Upload does.
func (s *DocumentsService) UploadVersion(ctx context.Context, matterID, fileID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	return s.uploadTo(ctx, "Documents.UploadVersion", matterID, fileID, upload, opts)
}

// ResumeUpload completes an upload that failed with a *TransferError: it sends
// the whole content to the existing file. It ignores Name, FolderID and
// DateCreated of upload. If the content had arrived after all, the file gets
// the same content again. ResumeUpload never creates a second file.
func (s *DocumentsService) ResumeUpload(ctx context.Context, matterID, fileID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	if upload.Address != nil {
		return s.uploadAt(ctx, matterID, fileID, upload, opts)
	}
	return s.uploadTo(ctx, "Documents.ResumeUpload", matterID, fileID, upload, opts)
}

// uploadAt sends the content of a new file to the address that its create
// returned.
func (s *DocumentsService) uploadAt(ctx context.Context, matterID, fileID string, upload Upload, opts []CallOption) (*UploadedFile, error) {
	const operation = "Documents.ResumeUpload"
	t := &fileUpload{fileTransfer: fileTransfer{documents: s, operation: operation, matterID: matterID, fileID: fileID, opts: opts}, fresh: true}
	c := s.client.call(ctx, documentsGetUploadURL, opts).at(matterID, fileID)
	c.check("Address", reasonIf(upload.Address.FileID != "" && !strings.EqualFold(upload.Address.FileID, fileID), "belongs to a different file"))
	if c.err != nil {
		_, observer := s.client.observers.aggregate(ctx, Observation{Operation: operation})
		observer.end(c.err)
		return nil, c.err
	}
	return t.deliver(ctx, c.settings, upload, func(context.Context) (transfer.Place, error) {
		return transfer.Place{Address: upload.Address.UploadURL, Expiry: upload.Address.Expiry.Time()}, nil
	})
}

// uploadTo sends the content of an existing file to a new address.
func (s *DocumentsService) uploadTo(ctx context.Context, operation, matterID, fileID string, upload Upload, opts []CallOption) (*UploadedFile, error) {
	t := &fileUpload{fileTransfer: fileTransfer{documents: s, operation: operation, matterID: matterID, fileID: fileID, opts: opts}}
	return t.send(ctx, s.client.call(ctx, documentsGetUploadURL, opts).at(matterID, fileID), upload)
}

var errNotRegular = errors.New("not a regular file")

// UploadFile uploads the local file at path, which must be a regular file. If
// upload.Name is empty, the file gets the last element of path as its name.
// UploadFile ignores upload.Body.
func (s *DocumentsService) UploadFile(ctx context.Context, matterID, path string, upload Upload, opts ...CallOption) (stored *UploadedFile, err error) {
	ctx, observer := s.client.observeTransfer(ctx, "Documents.UploadFile")
	defer observer.endOf(&err)
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait for a writer
		err = &fs.PathError{Op: "open", Path: path, Err: errNotRegular}
	}
	if err != nil {
		return nil, transferError("Documents.UploadFile", "", &transfer.Error{Err: err})
	}
	file, err := os.Open(path) //nolint:gosec // the caller says which file to read
	if err != nil {
		return nil, transferError("Documents.UploadFile", "", &transfer.Error{Err: err})
	}
	defer func() { _ = file.Close() }() // the file is only read, so Close loses no data
	if upload.Name == "" {
		upload.Name = filepath.Base(path)
	}
	upload.Body = file
	return s.Upload(ctx, matterID, upload, opts...)
}

// fileUpload holds the upload of one file's content.
type fileUpload struct {
	fileTransfer
	fresh bool            // whether the file is new
	grace context.Context // context of the call that creates a file; nil: the context of the transfer
}

// send sends the prepared call, which returns an address, and the body to that
// address.
func (u *fileUpload) send(ctx context.Context, prepared *call, upload Upload) (*UploadedFile, error) {
	if prepared.err != nil {
		_, observer := u.documents.client.observeTransfer(ctx, u.operation)
		observer.end(prepared.err)
		return nil, prepared.err
	}
	return u.deliver(ctx, prepared.settings, upload, func(ctx context.Context) (transfer.Place, error) {
		prepared.ctx = ctx
		if u.grace != nil {
			prepared.ctx = u.grace
		}
		info, place, err := uploadPlace(prepared)
		if unread, is := errors.AsType[*DecodeError](err); is && u.fileID == "" {
			info, err = createdFile(unread)
		}
		if err != nil || u.fileID != "" {
			return place, err
		}
		if info.FileID == "" {
			return place, fmt.Errorf("practice: %s: the service accepted the file, but %w", u.operation, ErrNoID)
		}
		u.fileID, u.fresh = info.FileID, true
		if upload.Created != nil {
			if err := upload.Created(u.fileID); err != nil {
				return place, u.failure(&transfer.Error{Err: err})
			}
		}
		return place, nil
	})
}

// createdFile returns the id of the file from the response to its create if only
// another member could not be read. The address is then requested again.
func createdFile(unread *DecodeError) (*models.UploadInfo, error) {
	info := new(models.UploadInfo)
	if json.Unmarshal(codec.Find(unread.Body, "fileId"), &info.FileID) != nil || badIdentifier(info.FileID) != "" {
		return nil, unread
	}
	return info, nil
}

// deliver prepares the body, requests its address, and sends it there.
func (u *fileUpload) deliver(
	ctx context.Context, settings callSettings, upload Upload, placeOf func(context.Context) (transfer.Place, error),
) (stored *UploadedFile, err error) {
	ctx, observer := u.documents.client.observeTransfer(ctx, u.operation)
	defer observer.endOf(&err)
	source, err := transfer.NewSource(ctx, transfer.Body{Reader: upload.Body, Size: upload.Size, TempDir: upload.TempDir})
	if err != nil {
		return nil, u.failure(err)
	}
	defer source.Close()
	place, err := placeOf(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := u.engine(settings, u.locate).Upload(ctx, place, source, transfer.UploadOptions{Progress: upload.Progress, CheckMD5: upload.CheckMD5})
	if err != nil {
		return nil, u.failure(err)
	}
	return &UploadedFile{ID: u.fileID, Size: source.Size(), ETag: sent.ETag, Requests: sent.Requests}, nil
}

// locate requests a new address.
func (u *fileUpload) locate(ctx context.Context) (transfer.Place, *transfer.LocateError) {
	_, place, err := uploadPlace(further(u.documents.client.call(ctx, documentsGetUploadURL, u.opts).at(u.matterID, u.fileID)))
	if err != nil {
		return place, locateError(err, u.fresh)
	}
	return place, nil
}
