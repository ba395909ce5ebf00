package practice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/panics"
	"github.com/practicesdk/practice-go/models"
)

// MaxWalkDepth is the greatest number of folder levels that Walk reads.
const MaxWalkDepth = 1000

const defaultWalkConcurrency = 8

// WalkOptions configure Documents.Walk.
type WalkOptions struct {
	FolderID string // folder in which to begin; empty: the root folder of the matter
	// MaxDepth is how many levels of entries are visited: 1 means only the
	// entries of the first folder; 0 means any, up to MaxWalkDepth.
	MaxDepth int
	// Concurrency is how many folders are read at the same time; 0 means 8. The
	// rate limit of the client applies as well.
	Concurrency int
	// Deleted also visits deleted folders and files, if the service lists them.
	// It usually does not.
	Deleted bool
	// Skip reports whether the entries of a visited folder are left out. Nil
	// means no folder is skipped.
	Skip func(WalkEntry) bool
}

// WalkEntry is an entry that Walk yields, with its parent folders.
type WalkEntry struct {
	Entry
	// Parents holds the folders on the path to the entry, its own folder last,
	// without the one where the walk began. Entries share it: do not change it.
	Parents []*models.Folder
}

// Depth is the level of the entry: 1 in the folder where Walk began.
func (e WalkEntry) Depth() int { return len(e.Parents) + 1 }

// Path joins the names of the parents and of the entry with slashes. Use it
// only for display, because names may contain slashes and need not be unique.
// The paths of Documents.FS are unique.
func (e WalkEntry) Path() string {
	var b strings.Builder
	for _, folder := range e.Parents {
		b.WriteString(folder.Name)
		b.WriteByte('/')
	}
	b.WriteString(e.Name())
	return b.String()
}

// FolderError reports a folder, or an entry of it, that Walk could not read.
type FolderError struct {
	FolderID string // id of the folder; empty: the root folder of the matter
	Path     string // path of the folder in the form of WalkEntry.Path; empty: the start of the walk
	Err      error
}

// Error describes the failure without secrets.
func (e *FolderError) Error() string {
	return fmt.Sprintf("practice: folder %q: %v", e.Path, e.Err)
}

// Unwrap returns Err.
func (e *FolderError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e FolderError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e FolderError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// Causes of a FolderError for a folder that Walk did not read; use errors.Is.
var (
	// ErrFolderCycle: the folder was visited before on this walk, or has no id.
	ErrFolderCycle = errors.New("the folder contains itself")
	// ErrTooDeep: the folder is deeper than MaxWalkDepth.
	ErrTooDeep = errors.New("the folder is nested too deeply")
)

// Walk yields the folders and files of a matter, breadth first: all entries of
// the first folder, then those of its subfolders in order, then those of their
// subfolders. It reads the next folders while the caller works.
//
// In place of an entry or folder that cannot be read, Walk yields a
// *FolderError and continues with the others. It reads each folder once. If a
// folder is moved during the walk, it may not appear at all, or appear a second
// time as an error.
func (s *DocumentsService) Walk(ctx context.Context, matterID string, options WalkOptions, opts ...CallOption) iter.Seq2[WalkEntry, error] {
	entries := func(ctx context.Context, folderID string) iter.Seq2[Entry, error] {
		return s.AllEntries(ctx, matterID, folderID, wholeLists(opts)...)
	}
	return func(yield func(WalkEntry, error) bool) {
		var entry WalkEntry
		tell := func(err error) bool { return yield(entry, err) }
		s.client.observers.walk(ctx, "Documents.Walk", tell, func(ctx context.Context, yield func(error) bool) {
			walkFolders(ctx, options, entries, func(next WalkEntry, err error) bool {
				entry = next
				return yield(err)
			})
		})
	}
}

// walkFolders yields the entries of a matter's folders, which it reads with the
// given function.
func walkFolders(ctx context.Context, options WalkOptions, entries func(context.Context, string) iter.Seq2[Entry, error], yield func(WalkEntry, error) bool) {
	if err := options.check(); err != nil {
		yield(WalkEntry{}, err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &folderWalk{
		ctx: ctx, options: options, yield: yield, entries: entries,
		visited: map[string]bool{folderKey(options.FolderID): true},
		queue:   []*folderRead{{id: options.FolderID}},
	}
	defer w.running.Wait()
	defer cancel()
	w.run()
}

func (o *WalkOptions) check() error {
	for argument, value := range map[string]int{"MaxDepth": o.MaxDepth, "Concurrency": o.Concurrency} {
		if value < 0 {
			return &ArgumentError{Operation: "Documents.Walk", Argument: argument, Reason: "must not be negative"}
		}
	}
	if o.Concurrency == 0 {
		o.Concurrency = defaultWalkConcurrency
	}
	return nil
}

// folderWalk holds the state of one walk. Its queue holds the folders that were
// found but not visited yet; the first ones are being read.
type folderWalk struct {
	ctx     context.Context
	options WalkOptions
	entries func(context.Context, string) iter.Seq2[Entry, error]
	yield   func(WalkEntry, error) bool
	visited map[string]bool
	queue   []*folderRead
	reading int // number of folders at the front of the queue that are being read
	running panics.Group
}

// folderRead is a folder being read. Its channel holds one page, so that a slow
// consumer does not make memory grow.
type folderRead struct {
	id      string
	parents []*models.Folder
	found   chan foundEntry
	broke   bool // the goroutine that read it panicked
}

type foundEntry struct {
	entry Entry
	err   error
}

func (w *folderWalk) run() {
	for len(w.queue) > 0 {
		w.readAhead()
		head := w.queue[0]
		for found := range head.found {
			if !w.visit(head, found) {
				return
			}
			w.readAhead()
		}
		if head.broke {
			w.running.Rethrow()
		}
		if err := context.Cause(w.ctx); err != nil {
			w.yield(WalkEntry{}, head.failure(err))
			return
		}
		w.queue, w.reading = w.queue[1:], w.reading-1
	}
}

func (w *folderWalk) readAhead() {
	for ; w.reading < min(w.options.Concurrency, len(w.queue)); w.reading++ {
		folder := w.queue[w.reading]
		folder.found = make(chan foundEntry, MaxPageSize)
		w.running.Go(func() {
			for entry, err := range w.entries(w.ctx, folder.id) {
				select {
				case folder.found <- foundEntry{entry, err}:
				case <-w.ctx.Done():
					return
				}
			}
		}, func(returned bool) {
			folder.broke = !returned
			close(folder.found)
		})
	}
}

// visit yields one entry. It returns false when the walk is over.
func (w *folderWalk) visit(in *folderRead, found foundEntry) bool {
	switch {
	case found.err != nil && w.ctx.Err() != nil:
		return true // the error of the context is reported at the end of the walk
	case errors.Is(found.err, ErrFolderDeleted) && len(in.parents) > 0:
		return true // a folder deleted during the walk is empty, and so is a deleted one that was requested
	case found.err != nil:
		return w.yield(WalkEntry{}, in.failure(found.err))
	case found.entry.deleted() && !w.options.Deleted:
		return true
	}
	entry := WalkEntry{Entry: found.entry, Parents: in.parents}
	if err := w.enqueue(entry); err != nil {
		return w.yield(WalkEntry{}, err)
	}
	return w.yield(entry, nil)
}

// enqueue adds a folder to the queue, unless it is deeper than requested.
func (w *folderWalk) enqueue(entry WalkEntry) error {
	folder := entry.Folder
	if folder == nil || entry.Depth() == w.options.MaxDepth || w.options.Skip != nil && w.options.Skip(entry) {
		return nil
	}
	next := &folderRead{id: folder.ID, parents: append(slices.Clip(entry.Parents), folder)}
	key := folderKey(folder.ID)
	switch {
	case key == "" || w.visited[key]:
		return next.failure(ErrFolderCycle)
	case entry.Depth() >= MaxWalkDepth:
		return next.failure(ErrTooDeep)
	}
	w.visited[key] = true
	w.queue = append(w.queue, next)
	return nil
}

func (f *folderRead) failure(err error) error {
	failed := &FolderError{FolderID: f.id, Err: err}
	if n := len(f.parents); n > 0 {
		failed.Path = WalkEntry{Entry: Entry{Folder: f.parents[n-1]}, Parents: f.parents[:n-1]}.Path()
	}
	return failed
}

// named converts the entries of a folder for package filenames.
func named(entries []Entry) []filenames.Entry {
	list := make([]filenames.Entry, len(entries))
	for i, entry := range entries {
		list[i] = filenames.Entry{Name: entry.Name(), ID: entry.ID(), Folder: entry.Folder != nil}
	}
	return list
}
