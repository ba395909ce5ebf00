package practice

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
)

var errNoLength = errors.New("nobody says how long the content is")

// FileReader reads one version of the content of a file from anywhere, without
// fetching the rest. It is an io.ReadSeekCloser and an io.ReaderAt. ReadAt can
// be used by several goroutines at once.
type FileReader struct {
	content *content
	ctx     context.Context
	cancel  context.CancelCauseFunc // with fs.ErrClosed
	size    int64

	mu     sync.Mutex
	at     int64
	stream *stretch // at the position, when something was read there before
}

var (
	_ io.ReadSeekCloser = (*FileReader)(nil)
	_ io.ReaderAt       = (*FileReader)(nil)
)

// Open opens the content of a file. It fetches nothing but the address; bytes
// come as they are read, over one connection from the position of Read on, and
// over one for each ReadAt. It survives what Download survives; when the file
// gets another version on the way, reads end with ErrVersionChanged.
//
// ctx holds for the FileReader, not only for Open: when it ends, so do all
// reads. The FileReader must be closed (Specification, Folders and files of a
// matter).
func (s *DocumentsService) Open(ctx context.Context, matterID, fileID string, options OpenOptions, opts ...CallOption) (*FileReader, error) {
	ctx, c, err := s.watchedContent(ctx, "Documents.Open", matterID, fileID, DownloadOptions{VersionID: options.VersionID}, opts)
	if err != nil {
		return nil, err
	}
	err = c.measure(ctx)
	_, size, _ := c.state()
	if err == nil && size < 0 {
		err = c.fail(errNoLength, nil)
	}
	if err != nil {
		c.watch.end(err)
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return &FileReader{content: c, ctx: ctx, cancel: cancel, size: size}, nil
}

// Size is the length of the content in bytes.
func (r *FileReader) Size() int64 { return r.size }

// Read reads from the position on. The error is io.EOF at the end, fs.ErrClosed
// after Close, otherwise a *TransferError.
func (r *FileReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at >= r.size {
		return 0, r.closedOr(r.atEnd())
	}
	if r.stream == nil || r.stream.at != r.at {
		r.hangUp()
		r.stream = r.content.stretch(r.ctx, r.at, r.size)
	}
	n, err := r.stream.Read(p)
	r.at += int64(n)
	if err != nil {
		r.hangUp() // another Read may go better
		err = r.closedOr(err)
	}
	return n, err
}

// Seek sets the position of the next Read and sends nothing; a position behind
// the end is allowed.
func (r *FileReader) Seek(offset int64, whence int) (int64, error) {
	if err := r.closedOr(nil); err != nil {
		return 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	default:
		return 0, &ArgumentError{Operation: "FileReader.Seek", Argument: "whence", Reason: "is unknown"}
	}
	if offset < 0 {
		return 0, &ArgumentError{Operation: "FileReader.Seek", Argument: "offset", Reason: "must not lie before the beginning"}
	}
	r.at = offset
	return offset, nil
}

// ReadAt reads len(p) bytes from an offset, with one request. The position of
// Read stays where it is.
func (r *FileReader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, &ArgumentError{Operation: "FileReader.ReadAt", Argument: "off", Reason: "must not be negative"}
	}
	end := min(r.size-min(off, r.size), int64(len(p))) + off
	if end <= off {
		if len(p) == 0 {
			return 0, nil
		}
		return 0, r.closedOr(io.EOF)
	}
	s := r.content.stretch(r.ctx, off, end)
	defer s.close()
	n, err := io.ReadFull(s, p[:end-off])
	if err == nil && end == r.size {
		err = s.ended()
	}
	switch {
	case err != nil:
		return n, r.closedOr(err)
	case n < len(p):
		return n, r.closedOr(io.EOF)
	}
	return n, nil
}

// Close ends all reads, those under way as well, with fs.ErrClosed.
func (r *FileReader) Close() error {
	if err := r.closedOr(nil); err != nil {
		return err
	}
	r.cancel(fs.ErrClosed)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hangUp()
	r.content.watch.end(nil)
	return nil
}

// atEnd is what a read behind the last byte meets. A stream that came there must
// end there.
func (r *FileReader) atEnd() error {
	if r.stream == nil || r.stream.at != r.at {
		return io.EOF
	}
	_, err := r.stream.Read(make([]byte, 1))
	return err
}

func (r *FileReader) hangUp() {
	if r.stream != nil {
		r.stream.close()
		r.stream = nil
	}
}

// closedOr tells what Close has ended from what failed by itself.
func (r *FileReader) closedOr(err error) error {
	if errors.Is(context.Cause(r.ctx), fs.ErrClosed) {
		return fs.ErrClosed
	}
	return err
}
