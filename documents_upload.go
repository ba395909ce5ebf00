package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/practicesdk/practice-go/internal/transfer"
	"github.com/practicesdk/practice-go/models"
)

// Upload describes a file to upload.
type Upload struct {
	Name     string // with its extension, 1 to 256 characters
	FolderID string // folder of the matter; empty means the root folder
	// Body is the content, from where it stands to its end. It is not closed,
	// and not read any more when the upload has returned.
	//
	// An *os.File, a *bytes.Reader, an *io.SectionReader and everything else
	// that can seek, or that has ReadAt and Size, is sent as it is read and
	// read again for another attempt. An fs.File that cannot seek, of which
	// nothing was read before, is sent as it is read; so is any reader whose
	// Size is told. Beyond 64 KiB they are sent only once: see
	// [ErrNotRewindable]. Any other reader is read to its end first, beyond 1
	// MiB into a temporary file, because the storage wants to know the length.
	// bytes.NewReader makes a Body of bytes, io.NewSectionReader one of an
	// io.ReaderAt and a size. A Read that blocks is waited for, also when the
	// context ends.
	Body io.Reader
	// Size is the length of Body in bytes, for a Body that does not tell it,
	// such as that of an HTTP request; 0 means unknown. Another length is
	// ErrSizeMismatch.
	Size        int64
	DateCreated time.Time // when the document was made; zero means now
	// Created is told the id of a new file before its bytes are sent, so that a
	// program that is killed can go on with ResumeUpload. An error ends the
	// upload. Nil means that nobody asks. Only a method that creates a file
	// calls it.
	Created func(fileID string) error
	// Progress is told how many of the bytes have been sent. done does not
	// fall, even when an attempt has to begin again. Calls do not overlap and
	// hold the transfer up, so it must be quick.
	Progress func(done, total int64)
	// Address is the upload address that CreateFile and CreateFiles returned.
	// Nil asks the service. Only ResumeUpload uses it.
	Address *models.UploadInfo
	// TempDir is the folder for the temporary file of a Body that is a plain
	// reader; empty means the system's own, os.TempDir.
	TempDir string
	// CheckMD5 compares the entity tag that the storage answers with the MD5 of
	// the bytes that were sent. It is for storages whose entity tag is that,
	// which most are unless they encrypt. Another tag, or none, is
	// ErrNotConfirmed after the last retry.
	CheckMD5 bool
}

// UploadedFile describes a file that was uploaded.
type UploadedFile struct {
	ID   string // id of the file
	Size int64  // bytes sent
	// ETag is the entity tag of the stored content, with its quotes. Empty when
	// the storage names none.
	ETag     string
	Requests int // to the storage: 1 when nothing had to be repeated
}

// Upload creates a file and sends its content. Neither the API key nor a token
// reaches the storage. Upload retries after failures of the network, and with a
// new address after the old one has expired, as often as WithRetries allows. It
// creates the file once. An error after that is a *TransferError with the id of
// the file, for ResumeUpload.
func (s *DocumentsService) Upload(ctx context.Context, matterID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	t := &fileUpload{fileTransfer: fileTransfer{documents: s, operation: "Documents.Upload", matterID: matterID, opts: opts}}
	return t.send(ctx, s.createFileCall(ctx, matterID, upload.record(), opts), upload)
}

// record returns the record that the service creates.
func (u Upload) record() models.FileCreate {
	return models.FileCreate{FileName: u.Name, FolderID: u.FolderID, DateCreated: models.DateTimeOf(u.DateCreated)}
}

// UploadVersion sends the content of a new version of a file. It ignores Name,
// FolderID and DateCreated of upload. It retries as Upload does.
func (s *DocumentsService) UploadVersion(ctx context.Context, matterID, fileID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	return s.uploadTo(ctx, "Documents.UploadVersion", matterID, fileID, upload, opts)
}

// ResumeUpload completes an upload that failed with a *TransferError: it sends
// the whole content for the existing file. It ignores Name, FolderID and
// DateCreated of upload. When the content had arrived after all, the file gets
// the same content again; there is never a second file.
func (s *DocumentsService) ResumeUpload(ctx context.Context, matterID, fileID string, upload Upload, opts ...CallOption) (*UploadedFile, error) {
	if upload.Address != nil {
		return s.uploadAt(ctx, matterID, fileID, upload, opts)
	}
	return s.uploadTo(ctx, "Documents.ResumeUpload", matterID, fileID, upload, opts)
}

// uploadAt sends the content of a new file to its address.
func (s *DocumentsService) uploadAt(ctx context.Context, matterID, fileID string, upload Upload, opts []CallOption) (*UploadedFile, error) {
	const operation = "Documents.ResumeUpload"
	t := &fileUpload{fileTransfer: fileTransfer{documents: s, operation: operation, matterID: matterID, fileID: fileID, opts: opts}, fresh: true}
	c := s.getUploadURLCall(ctx, matterID, fileID, opts)
	if c.err != nil {
		_, observer := s.client.observers.aggregate(ctx, Observation{Operation: operation})
		observer.end(c.err)
		return nil, c.err
	}
	return t.deliver(ctx, c.settings, upload, func(context.Context) (transfer.Place, error) {
		return transfer.Place{Address: upload.Address.UploadURL, Expiry: upload.Address.Expiry.Time()}, nil
	})
}

// uploadTo sends the content of an existing file.
func (s *DocumentsService) uploadTo(ctx context.Context, operation, matterID, fileID string, upload Upload, opts []CallOption) (*UploadedFile, error) {
	t := &fileUpload{fileTransfer: fileTransfer{documents: s, operation: operation, matterID: matterID, fileID: fileID, opts: opts}}
	return t.send(ctx, s.getUploadURLCall(ctx, matterID, fileID, opts), upload)
}

var errNotRegular = errors.New("it is no regular file")

// UploadFile uploads the local file at path, which must be a regular one. When
// upload.Name is empty, the file gets the last element of path as its name. It
// ignores upload.Body.
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
	defer func() { _ = file.Close() }() // it has only been read
	if upload.Name == "" {
		upload.Name = filepath.Base(path)
	}
	upload.Body = file
	return s.Upload(ctx, matterID, upload, opts...)
}

// fileUpload is a file whose content is sent.
type fileUpload struct {
	fileTransfer
	fresh bool            // the file is new
	grace context.Context // context of the call that creates a file; nil means that of the transfer
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
		if err != nil || u.fileID != "" {
			return place, err
		}
		if info.FileID == "" {
			return place, fmt.Errorf("practice: %s: the file was accepted: %w", u.operation, ErrNoID)
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

// locate requests another address.
func (u *fileUpload) locate(ctx context.Context) (transfer.Place, error) {
	_, place, err := uploadPlace(further(u.documents.getUploadURLCall(ctx, u.matterID, u.fileID, u.opts)))
	if err != nil {
		return place, locateError(err, u.fresh)
	}
	return place, nil
}
