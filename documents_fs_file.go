package practice

import (
	"errors"
	"io"
	"io/fs"
	"sync"
)

// openFile is an open file of a MatterFS. Its content is opened when it is used.
type openFile struct {
	tree *matterTree
	info matterInfo
	path string

	content lazy[fileContent]

	mu     sync.Mutex // guards what follows: ReadAt may be called by many at once
	opened fileContent
	closed bool
}

type fileContent interface {
	io.ReadSeekCloser
	io.ReaderAt
}

var _ fileContent = (*openFile)(nil)

func (f *openFile) Stat() (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, f.failure("stat", fs.ErrClosed)
	}
	return f.info, nil
}

func (f *openFile) Read(p []byte) (int, error) {
	content, err := f.open("read")
	if err != nil {
		return 0, err
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
	if _, err := f.Stat(); err != nil {
		return nil, f.failure(op, fs.ErrClosed)
	}
	content, err := f.content.get(func() (fileContent, error) {
		content, err := f.tree.documents.Open(f.tree.ctx, f.tree.matterID, f.info.node.entry.File.ID, OpenOptions{}, f.tree.opts...)
		if err != nil {
			return nil, err
		}
		return content, f.keep(content)
	})
	return content, f.failure(op, err)
}

// keep leaves the content to Close, which may have been called meanwhile.
func (f *openFile) keep(content fileContent) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		_ = content.Close() // nobody has read it
		return fs.ErrClosed
	}
	f.opened = content
	return nil
}

// failure leaves the end of a content as it is, because readers compare it. An
// io.EOF inside of a failed transfer is no such end.
func (f *openFile) failure(op string, err error) error {
	if _, failed := errors.AsType[*TransferError](err); !failed && errors.Is(err, io.EOF) {
		return io.EOF
	}
	return pathError(op, f.path, err)
}
