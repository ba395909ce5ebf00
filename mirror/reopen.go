package mirror

import (
	"errors"
	"io"
	"io/fs"
)

// readable returns a file that can be read again for another attempt.
func readable(fsys fs.FS, name string, file fs.File, size int64) io.ReadSeekCloser {
	if seeker, ok := file.(io.ReadSeekCloser); ok {
		return seeker
	}
	return &reopened{fsys: fsys, name: name, file: file, size: size}
}

// reopened goes back to the beginning of a file by opening it anew. It cannot
// go anywhere else, except to be measured.
type reopened struct {
	fsys fs.FS
	name string
	size int64
	file fs.File
	at   int64 // where the file stands
	next int64 // where to read next
}

func (r *reopened) Read(p []byte) (int, error) {
	if r.next != r.at {
		if r.next != 0 {
			return 0, errors.ErrUnsupported
		}
		file, err := r.fsys.Open(r.name)
		if err != nil {
			return 0, err
		}
		_ = r.file.Close() // it was only read
		r.file, r.at = file, 0
	}
	n, err := r.file.Read(p)
	r.at += int64(n)
	r.next = r.at
	return n, err
}

func (r *reopened) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.next
	case io.SeekEnd:
		offset += r.size
	}
	r.next = offset
	return offset, nil
}

// Stat describes the file, as an fs.File does: who sends it looks whether it
// was written to meanwhile.
func (r *reopened) Stat() (fs.FileInfo, error) { return r.file.Stat() }

func (r *reopened) Close() error { return r.file.Close() }
