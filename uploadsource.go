package practice

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"math"
	"os"
)

// uploadSource is the content of an upload: how long it is, and how to read it
// from its beginning.
type uploadSource struct {
	size int64
	once bool // it can be read only once
	// file is nil when the content does not lie in one, from start on.
	file  *os.File
	start int64
	// begin gives the content, and what follows it if it has grown.
	begin func() (io.Reader, error)
	clean func() // nil when there is nothing to clean up
}

func (s *uploadSource) close() {
	if s.clean != nil {
		s.clean()
	}
}

// sourceOf finds the best way to read the body of an upload.
func (t *transfer) sourceOf(ctx context.Context, upload Upload) (*uploadSource, error) {
	switch body := upload.Body.(type) {
	case nil:
		return nil, t.refuseBody("must not be nil")
	case *bytes.Buffer: // in memory already
		return t.seekable(bytes.NewReader(body.Bytes()))
	case *os.File: // a pipe or a terminal has no length, and need not say so when it seeks
		info, err := body.Stat()
		if err != nil {
			return nil, t.refuseBody("cannot be read: " + err.Error())
		}
		if info.Mode().IsRegular() {
			return t.seekable(body)
		}
	case io.ReadSeeker:
		return t.seekable(body)
	case interface {
		io.ReaderAt
		Size() int64
	}:
		if size := body.Size(); size >= 0 { // otherwise it does not know
			return readableAt(body, 0, size), nil
		}
	case fs.File:
		if info, err := body.Stat(); err == nil && info.Mode().IsRegular() && info.Size() >= 0 {
			return &uploadSource{size: info.Size(), once: true, begin: func() (io.Reader, error) { return body, nil }}, nil
		}
	}
	return t.spool(ctx, upload.Body, upload.TempDir)
}

func (t *transfer) refuseBody(reason string) error {
	return &ArgumentError{Operation: t.operation, Argument: "Body", Reason: reason}
}

// seekable measures a body from where it stands, and leaves it there.
func (t *transfer) seekable(body io.ReadSeeker) (*uploadSource, error) {
	start, err := body.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, t.refuseBody("cannot seek: " + err.Error())
	}
	end, err := body.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, t.refuseBody("cannot seek: " + err.Error())
	}
	if _, err := body.Seek(start, io.SeekStart); err != nil {
		return nil, t.refuseBody("cannot seek: " + err.Error())
	}
	size := max(end-start, 0)
	if at, ok := body.(io.ReaderAt); ok {
		source := readableAt(at, start, size)
		source.file, _ = body.(*os.File)
		source.start = start
		return source, nil
	}
	return &uploadSource{size: size, begin: func() (io.Reader, error) {
		_, err := body.Seek(start, io.SeekStart)
		return body, err
	}}, nil
}

func readableAt(body io.ReaderAt, start, size int64) *uploadSource {
	return &uploadSource{size: size, begin: func() (io.Reader, error) {
		return io.NewSectionReader(body, start, math.MaxInt64-start), nil
	}}
}
