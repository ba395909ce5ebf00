package practice

import (
	"errors"
	"io"
	"io/fs"
	"sync"
)

// openFile is an open file of a MatterFS. The first use opens its content.
type openFile struct {
	tree *matterTree
	info matterInfo
	path string

	content lazy[fileContent]

	mu     sync.Mutex // guards the fields below: ReadAt may be called concurrently
	opened fileContent
	closed bool
}

// firstLook is the number of bytes that http.FileServerFS reads to detect a
// content type, before it seeks back. Until a Seek, no more than that is
// fetched.
const firstLook = 512

type fileContent interface {
	io.ReadSeekCloser
	io.ReaderAt
	Size() int64
}

var _ interface {
	fs.File
	io.ReadSeeker
	io.ReaderAt
} = (*openFile)(nil)

// Stat requests the size if the record has none: readers read exactly that many
// bytes.
func (f *openFile) Stat() (fs.FileInfo, error) {
	if f.isClosed() {
		return nil, f.failure("stat", fs.ErrClosed)
	}
	if f.info.sized() {
		return f.info, nil
	}
	content, err := f.open("stat")
	if err != nil {
		return nil, err
	}
	info := f.info
	info.size = content.Size()
	return info, nil
}

func (f *openFile) isClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

func (f *openFile) Read(p []byte) (int, error) {
	content, err := f.open("read")
	if err != nil {
		return 0, err
	}
	if len(p) <= firstLook {
		_, _ = content.Seek(0, io.SeekCurrent) // a failure shows in the next Read
	}
	n, err := content.Read(p)
	return n, f.failure("read", err)
}

func (f *openFile) ReadAt(p []byte, offset int64) (int, error) {
	content, err := f.open("read")
	if err != nil {
		return 0, err
	}
	n, err := content.ReadAt(p, offset)
	return n, f.failure("read", err)
}

func (f *openFile) Seek(offset int64, whence int) (int64, error) {
	content, err := f.open("seek")
	if err != nil {
		return 0, err
	}
	position, err := content.Seek(offset, whence)
	return position, f.failure("seek", err)
}

func (f *openFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return f.failure("close", fs.ErrClosed)
	}
	f.closed = true
	if f.opened == nil {
		return nil
	}
	return f.failure("close", f.opened.Close())
}

func (f *openFile) open(op string) (fileContent, error) {
	if f.isClosed() {
		return nil, f.failure(op, fs.ErrClosed)
	}
	content, err := f.content.get(func() (fileContent, error) {
		content, err := f.tree.open(f.info.node.entry.File)
		if err != nil {
			return nil, err
		}
		return content, f.keep(content)
	})
	return content, f.failure(op, err)
}

// keep stores an opened content for Close, which may have been called
// meanwhile.
func (f *openFile) keep(content fileContent) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		_ = content.Close() // nothing has been read, so there is no error to report
		return fs.ErrClosed
	}
	f.opened = content
	return nil
}

// failure wraps an error of a content. It returns io.EOF unwrapped, because
// readers compare it, but wraps an io.EOF inside of a failed transfer.
func (f *openFile) failure(op string, err error) error {
	if _, failed := errors.AsType[*TransferError](err); !failed && errors.Is(err, io.EOF) {
		return io.EOF
	}
	return pathError(op, f.path, err)
}

// openFolder is an open folder of a MatterFS. The first read lists it.
type openFolder struct {
	fsys   *MatterFS
	info   matterInfo
	path   string
	listed bool
	closed bool
	left   []fs.DirEntry
	err    error // error about missing entries; nil after it was returned
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

// ReadDir returns the next n entries, or all that are left.
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
