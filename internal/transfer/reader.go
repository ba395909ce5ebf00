package transfer

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
)

// Reader reads an object from anywhere, without fetching the rest. It is an
// io.ReadSeekCloser and an io.ReaderAt. ReadAt can be used by several goroutines
// at once.
type Reader struct {
	object *Object
	ctx    context.Context
	cancel context.CancelCauseFunc // with fs.ErrClosed
	of     generation              // its size is known

	mu     sync.Mutex
	at     int64
	stream *rangeReader // at the position, when something was read there before
}

var (
	_ io.ReadSeekCloser = (*Reader)(nil)
	_ io.ReaderAt       = (*Reader)(nil)
)

// Reader opens the object. It asks the storage for the size only where the
// service did not say it. The end of ctx ends all reads. The error is an *Error.
func (o *Object) Reader(ctx context.Context) (*Reader, error) {
	if err := o.measure(ctx); err != nil {
		return nil, err
	}
	of := o.generation()
	if of.size < 0 {
		return nil, fail(errNoLength, nil)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return &Reader{object: o, ctx: ctx, cancel: cancel, of: of}, nil
}

// Size is the length of the content in bytes.
func (r *Reader) Size() int64 { return r.of.size }

// Read reads from the position on. The error is io.EOF at the end, fs.ErrClosed
// after Close, otherwise an *Error.
func (r *Reader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at >= r.of.size {
		return 0, r.closedOr(r.atEnd())
	}
	if r.stream == nil || r.stream.at != r.at {
		r.hangUp()
		r.stream = r.object.rangeReader(r.ctx, r.of, r.at, r.of.size)
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
// the end is allowed. The error is fs.ErrClosed or an *ArgumentError.
func (r *Reader) Seek(offset int64, whence int) (int64, error) {
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
		offset += r.of.size
	default:
		return 0, &ArgumentError{"whence", "is unknown"}
	}
	if offset < 0 {
		return 0, &ArgumentError{"offset", "must not lie before the beginning"}
	}
	r.at = offset
	return offset, nil
}

// ReadAt reads len(p) bytes from an offset, with one request. The position of
// Read stays where it is.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, &ArgumentError{"off", "must not be negative"}
	}
	end := min(r.of.size-min(off, r.of.size), int64(len(p))) + off
	if end <= off {
		if len(p) == 0 {
			return 0, nil
		}
		return 0, r.closedOr(io.EOF)
	}
	s := r.object.rangeReader(r.ctx, r.of, off, end)
	defer s.close()
	n, err := io.ReadFull(s, p[:end-off])
	if err == nil && end == r.of.size {
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
func (r *Reader) Close() error {
	if err := r.closedOr(nil); err != nil {
		return err
	}
	r.cancel(fs.ErrClosed)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hangUp()
	return nil
}

// atEnd answers a read behind the last byte. A stream that came there must end
// there.
func (r *Reader) atEnd() error {
	if r.stream == nil || r.stream.at != r.at {
		return io.EOF
	}
	_, err := r.stream.Read(make([]byte, 1))
	return err
}

func (r *Reader) hangUp() {
	if r.stream != nil {
		r.stream.close()
		r.stream = nil
	}
}

// closedOr tells a read that Close has ended from one that failed by itself.
func (r *Reader) closedOr(err error) error {
	if errors.Is(context.Cause(r.ctx), fs.ErrClosed) {
		return fs.ErrClosed
	}
	return err
}
