package transfer

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math"
	"os"
)

// Source is the content of an upload: how long it is, and how to read it from
// its beginning.
type Source struct {
	size int64
	once bool // it can be read only once
	// file is nil when the content does not lie in one, from start on.
	file  *os.File
	start int64
	// begin gives the content, and the bytes that follow it if it has grown.
	begin func() (io.Reader, error)
	clean func() // nil when there is nothing to clean up
}

// Size is the length of the content in bytes.
func (s *Source) Size() int64 { return s.size }

// Close removes the temporary file, if there is one. The body of the caller stays
// open.
func (s *Source) Close() {
	if s.clean != nil {
		s.clean()
	}
}

// NewSource finds the best way to read a body, from where it stands to its end.
// A body of unknown length is read to its end, beyond 1 MiB into a temporary file
// in tempDir; empty means the folder of the system. The error is an
// *ArgumentError or an *Error.
func NewSource(ctx context.Context, body io.Reader, tempDir string) (*Source, error) {
	switch body := body.(type) {
	case nil:
		return nil, refuseBody("must not be nil")
	case *bytes.Buffer: // in memory already
		return seekable(bytes.NewReader(body.Bytes()))
	case *os.File: // a pipe or a terminal has no length, and need not say so when it seeks
		info, err := body.Stat()
		if err != nil {
			return nil, refuseBody("cannot be read: " + err.Error())
		}
		if info.Mode().IsRegular() {
			return seekable(body)
		}
	case io.ReadSeeker:
		return seekable(body)
	case interface {
		io.ReaderAt
		Size() int64
	}:
		if size := body.Size(); size >= 0 { // otherwise it does not know
			return readableAt(body, 0, size), nil
		}
	case fs.File:
		if info, err := body.Stat(); err == nil && info.Mode().IsRegular() && info.Size() >= 0 {
			return &Source{size: info.Size(), once: true, begin: func() (io.Reader, error) { return body, nil }}, nil
		}
	}
	return spool(ctx, body, tempDir)
}

func refuseBody(reason string) error { return &ArgumentError{"Body", reason} }

// seekable measures a body from where it stands, and leaves it there.
func seekable(body io.ReadSeeker) (*Source, error) {
	start, err := body.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, refuseBody("cannot seek: " + err.Error())
	}
	end, err := body.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, refuseBody("cannot seek: " + err.Error())
	}
	if _, err := body.Seek(start, io.SeekStart); err != nil {
		return nil, refuseBody("cannot seek: " + err.Error())
	}
	size := max(end-start, 0)
	if at, ok := body.(io.ReaderAt); ok {
		source := readableAt(at, start, size)
		source.file, _ = body.(*os.File)
		source.start = start
		return source, nil
	}
	return &Source{size: size, begin: func() (io.Reader, error) {
		_, err := body.Seek(start, io.SeekStart)
		return body, err
	}}, nil
}

func readableAt(body io.ReaderAt, start, size int64) *Source {
	return &Source{size: size, begin: func() (io.Reader, error) {
		return io.NewSectionReader(body, start, math.MaxInt64-start), nil
	}}
}

// spoolLimit is how many bytes of a plain reader are kept in memory.
const spoolLimit = 1 << 20

// spool reads a plain reader to its end, so that its length is known and it can
// be read again.
func spool(ctx context.Context, body io.Reader, tempDir string) (source *Source, err error) {
	body = &contextReader{ctx, body}
	head, err := io.ReadAll(io.LimitReader(body, spoolLimit+1))
	if err != nil {
		return nil, failLocally("reading the body", err)
	}
	if len(head) <= spoolLimit {
		return readableAt(bytes.NewReader(head), 0, int64(len(head))), nil
	}
	file, err := os.CreateTemp(tempDir, "practice-upload-*")
	if err != nil {
		return nil, failLocally("keeping the body", err)
	}
	clean := removeEarly(file)
	defer func() {
		if source == nil { // also when body panics
			clean()
		}
	}()
	size, err := io.Copy(file, io.MultiReader(bytes.NewReader(head), body))
	if err != nil {
		return nil, failLocally("keeping the body", err)
	}
	source = readableAt(file, 0, size)
	source.file, source.clean = file, clean
	return source, nil
}

// removeEarly takes the name of a temporary file away at once where the system
// allows it, so that not even the end of the process leaves it behind.
func removeEarly(file *os.File) (clean func()) {
	removed := os.Remove(file.Name()) == nil
	return func() {
		_ = file.Close() // nobody needs its content
		if !removed {
			_ = os.Remove(file.Name())
		}
	}
}

// contextReader stops between two reads when the context has ended.
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
