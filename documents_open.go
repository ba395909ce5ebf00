package practice

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/practicesdk/practice-go/internal/transfer"
)

// OpenOptions choose what Open reads. The zero value reads the latest version.
type OpenOptions struct {
	VersionID string // version of the file; empty: the latest
}

// FileReader reads one version of the content of a file at any position,
// without fetching the rest. It is an io.ReadSeekCloser and an io.ReaderAt.
// ReadAt may be called concurrently.
type FileReader struct {
	download *download
	reader   *transfer.Reader
	observer *aggregateObserver

	mu     sync.Mutex
	failed error // error of a read
}

var (
	_ io.ReadSeekCloser = (*FileReader)(nil)
	_ io.ReaderAt       = (*FileReader)(nil)
)

// Open opens the content of a file. It only requests the address. Read streams
// over one connection from the beginning. ReadAt, and Read after Seek, fetch at
// least 64 KiB, and more for consecutive reads; a reader caches up to 2 MiB.
// Reads retry like Download. They fail with ErrVersionChanged if the file gets
// another version before the bytes of the first one were fetched, and with
// ErrNotResumable if the storage sends no version, or one for each part of the
// content: Download reads such a content.
//
// ctx applies to the FileReader, not only to Open: cancelling it ends all
// reads. The FileReader must be closed.
func (s *DocumentsService) Open(ctx context.Context, matterID, fileID string, options OpenOptions, opts ...CallOption) (*FileReader, error) {
	const operation = "Documents.Open"
	ctx, observer := s.client.observeTransfer(ctx, operation)
	d, err := s.download(ctx, operation, matterID, fileID, DownloadOptions{VersionID: options.VersionID}, opts)
	if err != nil {
		observer.end(err)
		return nil, err
	}
	reader, err := d.object.Reader(ctx)
	if err != nil {
		err = d.failure(err)
		observer.end(err)
		return nil, err
	}
	return &FileReader{download: d, reader: reader, observer: observer}, nil
}

// failure returns the error of a read. The first error is converted from that
// of the transfer and kept.
func (r *FileReader) failure(err error) error {
	err = r.download.failure(err)
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, fs.ErrClosed) {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = err
	}
	return err
}

// Size returns the length of the content in bytes.
func (r *FileReader) Size() int64 { return r.reader.Size() }

// Read reads from the current position. The error is io.EOF at the end,
// fs.ErrClosed after Close, otherwise a *TransferError.
func (r *FileReader) Read(p []byte) (int, error) {
	n, err := r.reader.Read(p)
	return n, r.failure(err)
}

// Seek sets the position of the next Read and sends nothing. The position may
// lie beyond the end.
func (r *FileReader) Seek(offset int64, whence int) (int64, error) {
	position, err := r.reader.Seek(offset, whence)
	return position, argumentError("FileReader.Seek", err)
}

// ReadAt reads len(p) bytes at an offset. The position of Read is unchanged.
func (r *FileReader) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.reader.ReadAt(p, off)
	return n, r.failure(argumentError("FileReader.ReadAt", err))
}

// Close ends all reads, including those in progress, with fs.ErrClosed.
func (r *FileReader) Close() error {
	if err := r.reader.Close(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.observer.end(r.failed)
	return nil
}
