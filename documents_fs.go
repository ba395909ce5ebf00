package practice

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/models"
)

// MatterFS is a read-only file system of the documents of a matter. It
// implements fs.FS, fs.ReadDirFS, fs.StatFS, fs.ReadFileFS and fs.SubFS, and
// its files can seek, so that fs.WalkDir, fs.Glob, os.CopyFS and
// http.FileServerFS work on it. It is safe for concurrent use.
//
// Names are those of the service, with these changes:
//
//   - A slash, a backslash and a NUL become an underscore. An empty name
//     and "." become "_", and ".." becomes "__".
//   - A name of more than 255 bytes is cut before its extension.
//   - Entries of a folder with equal names get the first eight letters and
//     digits of their ids, in parentheses before the extension: two files
//     "Agenda.docx" become "Agenda (0b9c8f3a).docx" and "Agenda
//     (41d7e602).docx". If these eight are equal too, the whole id is used.
//
// It omits deleted entries (use WithDeleted to include them) and files whose
// content has not arrived (use Documents.Walk to find them).
//
// A folder is read at its first use and cached: create another MatterFS to see
// later changes. Contents are not cached. A file is read in the version that
// the folder listed, so its size matches its content. If the folder listed no
// version, the latest one is read; the read fails with ErrVersionChanged if its
// size differs from the listed size. A folder with undecodable entries returns
// the others with an error, and is read again the next time.
//
// Sys of an fs.FileInfo returns the record, a shared *models.Folder or
// *models.File, and nil for the root folder. The size is that of the record. If
// it has none, an open file and the Info of an fs.DirEntry request it, and Stat
// of the file system returns 0. The time is the last change of a file, and zero
// for a folder.
//
// Errors are *fs.PathError. They wrap the error of the client: one that matches
// ErrNotFound matches fs.ErrNotExist too, and ErrForbidden fs.ErrPermission.
type MatterFS struct {
	tree *matterTree
	root *matterNode
}

var _ interface {
	fs.ReadDirFS
	fs.StatFS
	fs.ReadFileFS
	fs.SubFS
} = (*MatterFS)(nil)

// FS returns the documents of a matter as a file system. Its requests use ctx
// and opts. FS does not send a request; the first use reports an invalid
// argument.
func (s *DocumentsService) FS(ctx context.Context, matterID string, opts ...CallOption) *MatterFS {
	tree := &matterTree{documents: s, ctx: ctx, matterID: matterID, opts: wholeLists(opts)}
	return &MatterFS{tree: tree, root: &matterNode{}}
}

// WithDeleted returns a file system that includes deleted folders and files, if
// the service lists them. It does not share the folders already read.
func (f *MatterFS) WithDeleted() *MatterFS {
	tree := *f.tree
	tree.deleted = true
	return &MatterFS{tree: &tree, root: &matterNode{entry: f.root.entry, parent: f.root.parent}}
}

// Open opens a file or folder. A file is an io.ReadSeeker and an io.ReaderAt;
// the first read requests its content. A folder is an fs.ReadDirFile.
func (f *MatterFS) Open(name string) (fs.File, error) {
	node, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	if node.isDir() {
		return &openFolder{fsys: f, info: f.info(node), path: name}, nil
	}
	return &openFile{tree: f.tree, info: f.info(node), path: name}, nil
}

// Stat describes a file or folder.
func (f *MatterFS) Stat(name string) (fs.FileInfo, error) {
	node, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	return f.info(node), nil
}

// ReadDir lists a folder, sorted by name.
func (f *MatterFS) ReadDir(name string) ([]fs.DirEntry, error) {
	node, err := f.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if !node.isDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotAFolder}
	}
	children, err := node.children(f.tree)
	entries := make([]fs.DirEntry, len(children))
	for i, child := range children {
		entries[i] = f.info(child)
	}
	return entries, pathError("readdir", name, err)
}

// ReadFile downloads a file.
func (f *MatterFS) ReadFile(name string) ([]byte, error) {
	node, err := f.find("readfile", name)
	if err != nil {
		return nil, err
	}
	if node.isDir() {
		return nil, &fs.PathError{Op: "readfile", Path: name, Err: errIsAFolder}
	}
	content, err := f.tree.content(node.entry.File)
	return content, pathError("readfile", name, err)
}

// content downloads the version of a file that its folder listed.
func (t *matterTree) content(file *models.File) ([]byte, error) {
	var content bytes.Buffer
	// The announced size is not trusted for a larger allocation.
	const most = 1 << 20
	content.Grow(int(min(most, max(0, file.SizeBytes.Or(0)))))
	options := DownloadOptions{VersionID: file.VersionID}
	if _, err := t.documents.Download(t.ctx, t.matterID, file.ID, &content, options, t.opts...); err != nil {
		return nil, err
	}
	return content.Bytes(), isOfRecord(file, int64(content.Len()))
}

// open opens the version of a file that its folder listed.
func (t *matterTree) open(file *models.File) (*FileReader, error) {
	content, err := t.documents.Open(t.ctx, t.matterID, file.ID, OpenOptions{VersionID: file.VersionID}, t.opts...)
	if err != nil {
		return nil, err
	}
	if err := isOfRecord(file, content.Size()); err != nil {
		_ = content.Close() // nothing has been read, so there is no error to report
		return nil, err
	}
	return content, nil
}

// isOfRecord returns an error if size differs from the size in the record.
func isOfRecord(file *models.File, size int64) error {
	if listed, known := file.SizeBytes.Get(); known && listed != size {
		return ErrVersionChanged
	}
	return nil
}

// Sub returns a folder as a file system. Both share the folders already read.
func (f *MatterFS) Sub(dir string) (fs.FS, error) {
	node, err := f.find("sub", dir)
	if err != nil {
		return nil, err
	}
	if !node.isDir() {
		return nil, &fs.PathError{Op: "sub", Path: dir, Err: errNotAFolder}
	}
	return &MatterFS{tree: f.tree, root: node}, nil
}

var (
	errNotAFolder = errors.New("not a folder")
	errIsAFolder  = errors.New("is a folder")
)

// find walks down from the root, one name at a time.
func (f *MatterFS) find(op, name string) (*matterNode, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	node := f.root
	if name == "." {
		return node, nil
	}
	for element := range strings.SplitSeq(name, "/") {
		if !node.isDir() {
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		children, err := node.children(f.tree)
		i, found := slices.BinarySearchFunc(children, element, func(child *matterNode, name string) int {
			return strings.Compare(child.name, name)
		})
		switch {
		case found:
			node = children[i]
		case err != nil: // the name may belong to an entry that could not be decoded
			return nil, pathError(op, name, err)
		default:
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
	}
	return node, nil
}

// pathError converts err to an error of package fs.
func pathError(op, name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNotFound):
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case errors.Is(err, ErrForbidden):
		err = fmt.Errorf("%w: %w", fs.ErrPermission, err)
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// matterTree holds the state that all parts of a file system share.
type matterTree struct {
	documents *DocumentsService
	ctx       context.Context // the interfaces of package fs pass no context
	matterID  string
	opts      []CallOption
	deleted   bool
}

// matterNode is a folder or a file of a file system. The root has neither
// record.
type matterNode struct {
	name   string
	entry  Entry
	parent *matterNode
	list   lazy[[]*matterNode] // sorted by name
}

func (n *matterNode) isDir() bool { return n.entry.File == nil }

func (n *matterNode) size() int64 {
	if n.isDir() {
		return 0
	}
	return n.entry.File.SizeBytes.Or(0)
}

// children lists the folder, unless it was listed completely before. With an
// error it still returns the children that it could decode.
func (n *matterNode) children(tree *matterTree) ([]*matterNode, error) {
	return n.list.get(func() ([]*matterNode, error) {
		if err := n.endless(); err != nil {
			return nil, err
		}
		entries, err := Collect(tree.documents.AllEntries(tree.ctx, tree.matterID, n.entry.ID(), tree.opts...))
		entries = slices.DeleteFunc(entries, func(entry Entry) bool {
			return entry.deleted() && !tree.deleted || !entry.uploaded()
		})
		list := make([]*matterNode, len(entries))
		for i, name := range filenames.DistinctElements(named(entries)) {
			list[i] = &matterNode{name: name, entry: entries[i], parent: n}
		}
		slices.SortFunc(list, func(a, b *matterNode) int { return strings.Compare(a.name, b.name) })
		return list, err
	})
}

// endless returns ErrFolderCycle for a folder that contains itself, and
// ErrTooDeep for one that is nested too deeply, so that a recursion ends.
func (n *matterNode) endless() error {
	if n.entry.Folder == nil {
		return nil // the root
	}
	depth := 1
	for up := n.parent; up != nil; up = up.parent {
		if folderKey(up.entry.ID()) == folderKey(n.entry.ID()) {
			return ErrFolderCycle
		}
		depth++
	}
	if depth > MaxWalkDepth {
		return ErrTooDeep
	}
	return nil
}

// uploaded reports whether the content of the file has arrived.
func (e Entry) uploaded() bool { return e.File == nil || e.File.IsUploaded.Or(true) }

// matterInfo describes a folder or file, as fs.FileInfo and as fs.DirEntry.
type matterInfo struct {
	name string
	node *matterNode
	tree *matterTree
	size int64
}

// info describes a node. Package fs calls the root ".".
func (f *MatterFS) info(n *matterNode) matterInfo {
	if n == f.root {
		return matterInfo{".", n, f.tree, n.size()}
	}
	return matterInfo{n.name, n, f.tree, n.size()}
}

func (i matterInfo) Name() string { return i.name }

func (i matterInfo) IsDir() bool { return i.node.isDir() }

func (i matterInfo) Size() int64 { return i.size }

func (i matterInfo) Type() fs.FileMode { return i.Mode().Type() }

func (i matterInfo) String() string { return fs.FormatFileInfo(i) }

// Info requests the size if the record has none: archivers write exactly that
// many bytes.
func (i matterInfo) Info() (fs.FileInfo, error) {
	if i.sized() {
		return i, nil
	}
	content, err := i.tree.open(i.node.entry.File)
	if err != nil {
		return nil, pathError("stat", i.name, err)
	}
	i.size = content.Size()
	return i, pathError("stat", i.name, content.Close())
}

// sized reports whether the record has the size of the file.
func (i matterInfo) sized() bool {
	if i.IsDir() {
		return true
	}
	_, known := i.node.entry.File.SizeBytes.Get()
	return known
}

// Mode returns read permission for everybody; the service decides what this
// client may read.
func (i matterInfo) Mode() fs.FileMode {
	if i.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func (i matterInfo) ModTime() time.Time {
	file := i.node.entry.File
	switch {
	case file == nil:
		return time.Time{}
	case file.DateModified.IsZero():
		return file.DateCreated.Time()
	}
	return file.DateModified.Time()
}

// Sys returns the record.
func (i matterInfo) Sys() any {
	switch entry := i.node.entry; {
	case entry.File != nil:
		return entry.File
	case entry.Folder != nil:
		return entry.Folder
	}
	return nil
}

// lazy is a value computed on first use, once even for concurrent users. A
// failure is not cached, so the next user computes it again. No lock is held
// while waiting, so that the fake clock of a testing/synctest bubble advances.
type lazy[T any] struct {
	mu      sync.Mutex
	current *lazyResult[T]
}

type lazyResult[T any] struct {
	done  chan struct{}
	value T
	err   error
}

func (l *lazy[T]) get(produce func() (T, error)) (T, error) {
	l.mu.Lock()
	if r := l.current; r != nil {
		l.mu.Unlock()
		<-r.done
		return r.value, r.err
	}
	r := &lazyResult[T]{done: make(chan struct{})}
	l.current = r
	l.mu.Unlock()
	defer close(r.done)
	r.value, r.err = produce()
	if r.err != nil {
		l.mu.Lock()
		l.current = nil
		l.mu.Unlock()
	}
	return r.value, r.err
}
