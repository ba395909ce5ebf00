package practice

import (
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/names"
)

// matterTree is what all parts of a file system have in common.
type matterTree struct {
	documents *DocumentsService
	ctx       context.Context // package fs has no place for it in its methods
	matterID  string
	opts      []CallOption
	deleted   bool
}

// matterNode is a folder or file of a file system; the root has neither.
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

// children reads the folder, unless it was read completely before. Beside an
// error it gives the children that it could read.
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
		for i, name := range names.DistinctElements(named(entries)) {
			list[i] = &matterNode{name: name, entry: entries[i], parent: n}
		}
		slices.SortFunc(list, func(a, b *matterNode) int { return strings.Compare(a.name, b.name) })
		return list, err
	})
}

// endless refuses a folder that lies in itself, as a walk does: recursion would
// not end.
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

// uploaded is false for a file whose content never arrived.
func (e Entry) uploaded() bool { return e.File == nil || e.File.IsUploaded.Or(true) }

// matterInfo describes a folder or file, as fs.FileInfo and as fs.DirEntry.
type matterInfo struct {
	name string
	node *matterNode
	tree *matterTree
	size int64
}

// info names the root of a file system as package fs wants it.
func (f *MatterFS) info(n *matterNode) matterInfo {
	if n == f.root {
		return matterInfo{".", n, f.tree, n.size()}
	}
	return matterInfo{n.name, n, f.tree, n.size()}
}

func (i matterInfo) Name() string      { return i.name }
func (i matterInfo) IsDir() bool       { return i.node.isDir() }
func (i matterInfo) Size() int64       { return i.size }
func (i matterInfo) Type() fs.FileMode { return i.Mode().Type() }
func (i matterInfo) String() string    { return fs.FormatFileInfo(i) }

// Info asks for the size where the record has none: archives take that many bytes.
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

// sized is false for a file of which the folder does not say the size.
func (i matterInfo) sized() bool {
	if i.IsDir() {
		return true
	}
	_, known := i.node.entry.File.SizeBytes.Get()
	return known
}

// Mode lets everybody read, as far as the service lets this client.
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

// Sys gives the record.
func (i matterInfo) Sys() any {
	switch entry := i.node.entry; {
	case entry.File != nil:
		return entry.File
	case entry.Folder != nil:
		return entry.Folder
	}
	return nil
}

// lazy is a value that is made when it is first wanted, once however many want
// it at the same time. A failure is not kept: the next one makes it again.
// Waiting holds no lock, so that the time of a testing/synctest bubble goes on.
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
