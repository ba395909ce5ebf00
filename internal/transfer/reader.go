package transfer

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
)

// Reader reads parts of an object without downloading the rest. It is an
// io.ReadSeekCloser and an io.ReaderAt. ReadAt may be called concurrently.
type Reader struct {
	object *Object
	ctx    context.Context
	cancel context.CancelCauseFunc // cancels all reads with fs.ErrClosed
	of     generation              // version of the content; its size is known

	ahead readAhead

	mu     sync.Mutex
	at     int64
	sought bool         // Seek was called, so the length of the next read is unknown
	stream *rangeReader // open connection at the position, or nil
}

var (
	_ io.ReadSeekCloser = (*Reader)(nil)
	_ io.ReaderAt       = (*Reader)(nil)
)

// Reader opens the object. It requests the size from the storage only if the
// service did not send it. When ctx ends, all reads fail. The error is an
// *Error.
func (o *Object) Reader(ctx context.Context) (*Reader, error) {
	if err := o.measure(ctx); err != nil {
		return nil, err
	}
	of := o.generation()
	if of.size < 0 {
		return nil, fail(ErrSizeUnknown, nil)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return &Reader{object: o, ctx: ctx, cancel: cancel, of: of}, nil
}

// Size returns the length of the content in bytes.
func (r *Reader) Size() int64 { return r.of.size }

// Read reads from the position. The error is io.EOF at the end, fs.ErrClosed
// after Close, otherwise an *Error.
func (r *Reader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at >= r.of.size {
		return 0, r.closedOr(r.atEnd())
	}
	if r.sought && len(p) < smallWindow && len(r.ahead.before(r.at).data) < largeWindow {
		r.hangUp()
		n, err := r.fill(p, r.at)
		r.at += int64(n)
		return n, err
	}
	r.sought = false
	if r.stream == nil || r.stream.at != r.at {
		r.hangUp()
		r.stream = r.object.rangeReader(r.ctx, r.of, r.at, r.of.size)
	}
	n, err := r.stream.Read(p)
	r.at += int64(n)
	if err != nil {
		r.hangUp() // the next Read opens another connection
		err = r.closedOr(r.object.unlike(r.ctx, err))
	}
	return n, err
}

// Seek sets the position of the next Read without sending a request; a position
// after the end is allowed. The error is fs.ErrClosed or an *ArgumentError.
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
		return 0, &ArgumentError{"whence", "is not valid"}
	}
	if offset < 0 {
		return 0, &ArgumentError{"offset", "must not be before the beginning"}
	}
	if offset != r.at || r.stream == nil {
		r.at, r.sought = offset, true
	}
	return offset, nil
}

// ReadAt reads len(p) bytes from an offset. For less than 64 KiB it downloads
// more than requested and caches it; otherwise it sends one request. It does
// not change the position of Read.
func (r *Reader) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, &ArgumentError{"off", "must not be negative"}
	}
	wanted := p[:min(int64(len(p)), r.of.size-min(off, r.of.size))]
	n := 0
	for n < len(wanted) {
		got, err := r.fill(wanted[n:], off+int64(n))
		n += got
		if err != nil {
			return n, err
		}
	}
	if n < len(p) {
		return n, r.closedOr(io.EOF)
	}
	return n, nil
}

// fill reads cached bytes, or downloads a range if there are none. Bytes before
// a failure are kept, and are sufficient for a caller that needs no more.
func (r *Reader) fill(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, r.closedOr(fail(err, nil))
	}
	if n, err := r.ahead.read(p, off); n > 0 || len(p) == 0 {
		return n, err
	}
	if len(p) >= smallWindow {
		return r.fetch(p, off)
	}
	from, end := r.ahead.next(off, r.of.size)
	data := make([]byte, end-from)
	n, err := r.fetch(data, from)
	w := window{from: from, data: data[:n]}
	if n == len(data) {
		w.wrong, err = err, nil
	}
	if w.end() <= off {
		return 0, err
	}
	r.ahead.keep(w)
	got, wrong := w.read(p, off)
	if wrong != nil || got == len(p) {
		err = wrong
	}
	return got, err
}

// fetch downloads a range with one request.
func (r *Reader) fetch(p []byte, off int64) (int, error) {
	end := off + int64(len(p))
	s := r.object.rangeReader(r.ctx, r.of, off, end)
	defer s.close()
	n, err := io.ReadFull(s, p)
	if err == nil && end == r.of.size {
		err = s.ended()
	}
	return n, r.closedOr(r.object.unlike(r.ctx, err))
}

// Close ends all reads, including those in progress, with fs.ErrClosed.
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

// atEnd handles a read after the last byte. A stream at that position must end
// there.
func (r *Reader) atEnd() error {
	if r.stream == nil || r.stream.at != r.at {
		return cmp.Or(r.ahead.before(r.at).wrong, io.EOF)
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

// closedOr returns fs.ErrClosed for a read that Close ended, and err otherwise.
func (r *Reader) closedOr(err error) error {
	if errors.Is(context.Cause(r.ctx), fs.ErrClosed) {
		return fs.ErrClosed
	}
	return err
}
