package practice

import (
	"io"
	"io/fs"
)

// openFolder is an open folder of a MatterFS. It is listed when it is first
// read.
type openFolder struct {
	fsys   *MatterFS
	info   matterInfo
	path   string
	listed bool
	closed bool
	left   []fs.DirEntry
	err    error // what the list lacks; nil once it was said
}

var _ fs.ReadDirFile = (*openFolder)(nil)

func (f *openFolder) Stat() (fs.FileInfo, error) {
	if f.closed {
		return nil, &fs.PathError{Op: "stat", Path: f.path, Err: fs.ErrClosed}
	}
	return f.info, nil
}

func (f *openFolder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.path, Err: errIsAFolder}
}

func (f *openFolder) Close() error {
	if f.closed {
		return &fs.PathError{Op: "close", Path: f.path, Err: fs.ErrClosed}
	}
	f.closed = true
	return nil
}

// ReadDir gives the next n entries, or all that are left.
func (f *openFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if f.closed {
		return nil, &fs.PathError{Op: "readdir", Path: f.path, Err: fs.ErrClosed}
	}
	if !f.listed {
		f.listed = true
		f.left, f.err = f.fsys.ReadDir(f.path)
	}
	take := len(f.left)
	if n > 0 {
		take = min(n, take)
	}
	entries := f.left[:take:take]
	f.left = f.left[take:]
	if n > 0 && take > 0 {
		return entries, nil
	}
	err := f.err
	f.err = nil
	if err == nil && n > 0 {
		err = io.EOF
	}
	return entries, err
}
