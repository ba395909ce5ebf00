package transfer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
)

// Source is the content of an upload: its length, and a function that reads it
// from its beginning.
type Source struct {
	size int64
	once bool // the content can be read only once
	// stat returns the file information with the modification time. Nil: none.
	stat func() (fs.FileInfo, error)
	// file is the file that contains the content at offset start, or nil.
	file  *os.File
	start int64
	// begin returns the content, including bytes that were added to the source
	// since.
	begin func() (io.Reader, error)
	clean func() // removes the temporary file; nil: there is none
}

// Size returns the length of the content in bytes.
func (s *Source) Size() int64 { return s.size }

// Close removes the temporary file, if there is one. It does not close the
// caller's body.
func (s *Source) Close() {
	if s.clean != nil {
		s.clean()
	}
}

// Body is the content of an upload as passed by the caller.
type Body struct {
	Reader  io.Reader
	Size    int64  // number of bytes from the position of Reader to its end; 0 if unknown
	TempDir string // folder for a temporary file; empty means the system's folder
}

// NewSource returns a source for a body, from its position to its end. It reads
// a body of unknown length completely, and stores one above 1 MiB in a
// temporary file. The error is an *ArgumentError or an *Error.
func NewSource(ctx context.Context, body Body) (*Source, error) {
	if body.Size < 0 {
		return nil, &ArgumentError{"Size", "must not be negative"}
	}
	source, err := measured(body.Reader)
	switch {
	case err != nil:
		return nil, err
	case source != nil && body.Size > 0 && body.Size != source.size:
		return nil, &ArgumentError{"Size", "must be the size of Body"}
	case source != nil:
		return source, nil
	case body.Size > 0:
		return once(ctx, body.Reader, body.Size, true)
	}
	if size, ok := regular(body.Reader); ok {
		return once(ctx, body.Reader, size, false)
	}
	return spool(ctx, body.Reader, body.TempDir)
}

// measured returns a source for a repeatable body of known length, or nil for
// any other.
func measured(body io.Reader) (*Source, error) {
	switch body := body.(type) {
	case nil:
		return nil, refuseBody("must not be nil")
	case *bytes.Buffer: // already in memory
		return seekable(bytes.NewReader(body.Bytes()))
	case *os.File: // a pipe or a terminal has no length, even if Seek succeeds
		info, err := body.Stat()
		if err != nil {
			return nil, refuseBody("cannot be read: " + err.Error())
		}
		source, err := seekable(body)
		if !info.Mode().IsRegular() || source != nil && source.size == 0 {
			return nil, nil // some systems generate the content of an empty file on reading
		}
		return source, err
	case io.ReadSeeker:
		return seekable(body)
	case interface {
		io.ReaderAt
		Size() int64
	}:
		if size := body.Size(); size >= 0 { // a negative size means unknown
			return readableAt(body, 0, size), nil
		}
	}
	return nil, nil
}

// regular returns the length of a file that cannot seek and has not been read,
// and false for other readers.
func regular(body io.Reader) (size int64, ok bool) {
	if file, isFile := body.(fs.File); isFile {
		info, err := file.Stat()
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return info.Size(), true
		}
	}
	return 0, false
}

func refuseBody(reason string) error { return &ArgumentError{"Body", reason} }

// seekable measures a body from its position, and restores the position. It
// returns nil if the body cannot seek, such as a pipe, which has the methods of
// a file.
func seekable(body io.ReadSeeker) (*Source, error) {
	start, err := body.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, nil //nolint:nilerr // it can be read
	}
	end, err := body.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, nil //nolint:nilerr // it can be read
	}
	if _, err := body.Seek(start, io.SeekStart); err != nil {
		return nil, refuseBody("cannot seek: " + err.Error())
	}
	source := &Source{size: max(end-start, 0), begin: func() (io.Reader, error) {
		_, err := body.Seek(start, io.SeekStart)
		return body, err
	}}
	if at, ok := body.(io.ReaderAt); ok {
		source = readableAt(at, start, source.size)
		source.file, _ = body.(*os.File)
		source.start = start
	}
	if file, ok := body.(fs.File); ok {
		source.stat = file.Stat
	}
	return source, nil
}

// onceHead is the number of bytes of an unrepeatable body that are read before
// its file is created in the service.
const onceHead = 64 << 10

// once returns a source for an unrepeatable body of a given length. It reads a
// short body completely, so that it can be repeated and its actual length can
// be compared with the given one.
func once(ctx context.Context, body io.Reader, size int64, said bool) (*Source, error) {
	rest := ContextReader(ctx, body)
	head, err := io.ReadAll(io.LimitReader(rest, onceHead))
	if err != nil {
		return nil, failLocally("reading the body", err)
	}
	whole, got := len(head) < onceHead, int64(len(head))
	if said && (whole && got != size || got > size) {
		return nil, fail(fmt.Errorf("%w: the size of the body is not the announced %d bytes", ErrSizeMismatch, size), nil)
	}
	if whole {
		return readableAt(bytes.NewReader(head), 0, int64(len(head))), nil
	}
	all := io.MultiReader(bytes.NewReader(head), rest)
	return &Source{size: size, once: true, begin: func() (io.Reader, error) { return all, nil }}, nil
}

func readableAt(body io.ReaderAt, start, size int64) *Source {
	return &Source{size: size, begin: func() (io.Reader, error) {
		return io.NewSectionReader(body, start, math.MaxInt64-start), nil
	}}
}

// spoolLimit is the maximum number of bytes of a plain reader that are kept in
// memory.
const spoolLimit = 1 << 20

// spool reads a plain reader to its end, to make its length known and its
// content repeatable.
func spool(ctx context.Context, body io.Reader, tempDir string) (source *Source, err error) {
	body = ContextReader(ctx, body)
	head, err := io.ReadAll(io.LimitReader(body, spoolLimit+1))
	if err != nil {
		return nil, failLocally("reading the body", err)
	}
	if len(head) <= spoolLimit {
		return readableAt(bytes.NewReader(head), 0, int64(len(head))), nil
	}
	file, err := os.CreateTemp(tempDir, "practice-upload-*")
	if err != nil {
		return nil, failLocally("storing the body", err)
	}
	clean := removeEarly(file)
	defer func() {
		if source == nil { // also if body panics
			clean()
		}
	}()
	size, err := io.Copy(file, io.MultiReader(bytes.NewReader(head), body))
	if err != nil {
		return nil, failLocally("storing the body", err)
	}
	source = readableAt(file, 0, size)
	source.file, source.clean = file, clean
	return source, nil
}

// removeEarly removes the name of a temporary file immediately if the system
// allows it, so that even a crash leaves no file.
func removeEarly(file *os.File) (clean func()) {
	removed := os.Remove(file.Name()) == nil
	return func() {
		_ = file.Close() // its content is not needed
		if !removed {
			_ = os.Remove(file.Name())
		}
	}
}

// ContextReader returns a reader that fails the next read after the context has
// ended.
func ContextReader(ctx context.Context, reader io.Reader) io.Reader {
	return &contextReader{ctx, reader}
}

type contextReader struct {
	ctx    context.Context
	reader io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.reader.Read(p)
}
