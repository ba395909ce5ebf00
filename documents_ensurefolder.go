package practice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/internal/pending"
	"github.com/practicesdk/practice-go/models"
)

// AmbiguityPolicy chooses one of several folders with the same name and returns
// its id, or "" for none. path is the path of the folder, with slashes, from
// where the call began. ids are in the order of the listing. See FirstListed.
type AmbiguityPolicy func(path string, ids []string) (id string)

// FirstListed is an AmbiguityPolicy that chooses the folder that the service
// lists first.
func FirstListed(_ string, ids []string) (id string) { return ids[0] }

// chosen returns the id that the policy chooses, or "" if it is not in ids.
func (p AmbiguityPolicy) chosen(path string, ids []string) (id string, ok bool) {
	if p == nil {
		return "", false
	}
	chosen := p(path, slices.Clone(ids))
	for _, id := range ids {
		if chosen != "" && folderKey(id) == folderKey(chosen) {
			return id, true
		}
	}
	return "", false
}

// ErrNotVisibleYet reports that the service accepted a file or folder but did
// not list it in time. The file or folder may appear later. If it does not, an
// error event reports the reason.
var ErrNotVisibleYet = errors.New("the service accepted the record but does not list it yet")

// DefaultListWait is how long EnsureFolder and package mirror wait for the
// service to list what it accepted.
const DefaultListWait = 15 * time.Second

// EnsureFolderOptions configure EnsureFolder and EnsurePath. The zero value is
// ready to use.
type EnsureFolderOptions struct {
	// Ambiguous chooses among several folders with the same name. If it is nil
	// or returns an id that is not among them, the call fails with an
	// *AmbiguousFolderError.
	Ambiguous AmbiguityPolicy
	// ListWait is how long to wait until the service lists a folder, counted from
	// when the service accepted it or its response was lost: 0 means
	// DefaultListWait, a negative value means not at all.
	ListWait time.Duration
	// Listed holds the entries of the parent if the caller has just listed them
	// all, for instance before it creates many folders there. EnsureFolder then
	// does not list the entries again before it creates the folder. If Listed is
	// nil, EnsureFolder lists them; EnsurePath always does.
	Listed []Entry
}

// EnsureFolder returns the id of the folder with that name below the same
// parent, and creates the folder if there is none. A deleted folder does not
// count. EnsureFolder creates a folder only after it has read every entry of
// the parent.
//
// The service lists a new folder some time after it has accepted it.
// EnsureFolder waits until then, so that the folder can be used immediately. If
// CreateFolder, EnsureFolder or mirror.Push of this client, or of one derived
// by With or ForAccount, created the folder or may have done so, EnsureFolder
// waits until it is listed or ListWait has passed before it creates another
// one. So call EnsureFolder after an *AmbiguousWriteError. Concurrent callers
// of one client get one folder; two processes may still create two.
//
// It fails with an *AmbiguousFolderError if there are several folders with the
// name and options do not choose one, with ErrNotVisibleYet when ListWait has
// passed, and with ErrNoID if the service does not return the id. The id of an
// accepted folder is returned together with the error.
func (s *DocumentsService) EnsureFolder(
	ctx context.Context, matterID string, folder models.FolderWrite, options EnsureFolderOptions, opts ...CallOption,
) (id string, err error) {
	e := s.ensuring("Documents.EnsureFolder", matterID, options, opts)
	ctx, observer := s.client.observers.aggregate(ctx, Observation{Operation: e.method})
	defer observer.endOf(&err)
	if reason := badLength(folder.Name, 1, MaxFolderName); reason != "" {
		return "", &ArgumentError{Operation: e.method, Argument: "name", Reason: reason}
	}
	return e.folder(ctx, folder, folder.Name)
}

// EnsurePath calls EnsureFolder for each folder of a path with slashes, such as
// "Letters/2026", from the root folder of the matter down. It returns the id of
// the last one. Use EnsureFolder for a name that contains a slash.
func (s *DocumentsService) EnsurePath(ctx context.Context, matterID, path string, options EnsureFolderOptions, opts ...CallOption) (id string, err error) {
	options.Listed = nil // the path leads through several folders
	e := s.ensuring("Documents.EnsurePath", matterID, options, opts)
	ctx, observer := s.client.observers.aggregate(ctx, Observation{Operation: e.method})
	defer observer.endOf(&err)
	names := strings.Split(path, "/")
	for _, name := range names {
		if reason := badLength(name, 1, MaxFolderName); reason != "" {
			return "", &ArgumentError{Operation: e.method, Argument: "path", Reason: "contains the folder name " + strconv.Quote(name) + ", which " + reason}
		}
	}
	end := -1 // offset in path at which the folder's own path ends
	for _, name := range names {
		end += 1 + len(name)
		id, err = e.folder(ctx, models.FolderWrite{Name: name, ParentFolderID: id}, path[:end])
		if err != nil && end < len(path) {
			return "", err // the id is that of another folder
		}
	}
	return id, err
}

// ensuring holds one call of EnsureFolder or EnsurePath.
type ensuring struct {
	documents *DocumentsService
	method    string // the called method
	matterID  string
	options   EnsureFolderOptions
	memory    time.Duration // how long an unlisted create counts
	opts      []CallOption
}

func (s *DocumentsService) ensuring(method, matterID string, options EnsureFolderOptions, opts []CallOption) *ensuring {
	memory := cmp.Or(options.ListWait, DefaultListWait)
	if options.ListWait < 0 {
		memory = DefaultListWait
	}
	return &ensuring{s, method, matterID, options, memory, append([]CallOption{calledBy(method)}, opts...)}
}

// Waits between two listings of the parent of a new folder.
const (
	firstFolderWait   = 100 * time.Millisecond
	longestFolderWait = 2 * time.Second
)

// folder ensures one folder and returns its id.
func (e *ensuring) folder(ctx context.Context, folder models.FolderWrite, path string) (string, error) {
	one := &ensuredFolder{ensuring: e, FolderWrite: folder, path: path}
	if err := one.refused(ctx); err != nil {
		return "", err
	}
	for looks := 0; ; looks++ {
		found, err := one.step(ctx)
		switch {
		case err != nil:
			return one.id, one.ended(err)
		case len(found) > 0:
			return one.chosen(found)
		case e.options.ListWait < 0 && one.id != "":
			return one.id, nil
		case e.options.ListWait < 0 || !time.Now().Before(one.until):
			return one.id, one.coming
		}
		wait := min(backoff.Exponential(firstFolderWait, longestFolderWait, looks), time.Until(one.until))
		if err := backoff.Sleep(ctx, wait); err != nil {
			return one.id, one.ended(err)
		}
	}
}

// ensuredFolder holds one folder that a call ensures.
type ensuredFolder struct {
	*ensuring
	models.FolderWrite

	path  string    // path passed to the policy
	made  bool      // this call created the folder, or may have
	id    string    // id of a folder that is accepted but not listed yet
	until time.Time // when the wait for the listing ends
	// coming is part of every error while the folder or its parent may still
	// appear: the error of the create, or the reason for the wait.
	coming error
}

// refused returns an error if nothing should be sent, or nil.
func (f *ensuredFolder) refused(ctx context.Context) error {
	c := f.documents.client.call(ctx, documentsCreateFolder, f.opts).at(f.matterID).with(&f.FolderWrite)
	c.refuseForWalk()
	c.check("WithPosition", reasonIf(c.settings.position != nil, "applies only to methods that return an iterator: this method always reads lists from the beginning"))
	return c.err
}

// step lists the parent once, and creates the folder if it neither exists nor
// is being created. Only one goroutine of this client does so at a time.
func (f *ensuredFolder) step(ctx context.Context) (found []string, err error) {
	creates, key := f.documents.client.folders, f.documents.folderPlace(f.matterID, f.ParentFolderID, f.Name)
	leave, err := creates.Turn(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("practice: %s: %w", f.method, err)
	}
	defer leave()
	after := time.Now().Add(-f.memory)
	own := creates.Of(key, after)
	found, err = f.look(ctx)
	if parents := creates.Made(f.ParentFolderID, after); errors.Is(err, ErrNotFound) && len(parents) > 0 {
		if f.options.ListWait >= 0 {
			f.waitFor(parents[len(parents)-1], err)
			return nil, nil
		}
		err = nil // the service does not know the parent yet, so it is empty
	}
	if err != nil || len(found) > 0 {
		return found, err
	}
	if own, err = f.onTheirWay(ctx, own); err != nil {
		return nil, err
	}
	if len(own) > 0 {
		last := own[len(own)-1]
		f.id = last.ID
		f.waitFor(last, f.notVisible())
		return nil, nil
	}
	if f.made {
		return nil, nil
	}
	f.coming = nil
	return nil, f.create(ctx)
}

// waitFor waits for a create, which may be that of the parent. The result of
// this call's own create remains the reason.
func (f *ensuredFolder) waitFor(create pending.Create, reason error) {
	f.until = create.At.Add(f.memory)
	if !f.made {
		f.coming = reason
	}
}

// look returns the ids of the folders with the name. It also returns the folder
// that this call created, even if the service changed its name.
func (f *ensuredFolder) look(ctx context.Context) (found []string, err error) {
	for entry, err := range f.entries(ctx) {
		if err != nil {
			return nil, err
		}
		if entry.Folder == nil || entry.deleted() {
			continue
		}
		if entry.Folder.Name == f.Name || f.made && f.id != "" && folderKey(f.id) == folderKey(entry.ID()) {
			found = append(found, entry.Folder.ID)
		}
	}
	return found, nil
}

// entries yields the entries of the parent: at first those that the caller has
// listed, if any.
func (f *ensuredFolder) entries(ctx context.Context) iter.Seq2[Entry, error] {
	if f.options.Listed == nil || f.coming != nil {
		return f.documents.AllEntries(ctx, f.matterID, f.ParentFolderID, f.opts...)
	}
	return func(yield func(Entry, error) bool) {
		for _, entry := range f.options.Listed {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// onTheirWay removes the creates whose folders were deleted, moved or renamed
// since.
func (f *ensuredFolder) onTheirWay(ctx context.Context, own []pending.Create) (rest []pending.Create, err error) {
	for _, create := range own {
		if f.made || create.ID == "" {
			rest = append(rest, create)
			continue
		}
		page, err := f.documents.ListFolder(ctx, f.matterID, create.ID, FolderListOptions{ListOptions: ListOptions{Limit: 1}}, f.opts...)
		switch {
		case errors.Is(err, ErrNotFound), err == nil && page.Name == "" && !page.IsDeleted.Or(false): // only the root folder has no name
			rest = append(rest, create)
		case err != nil:
			return nil, err
		case page.IsDeleted.Or(false) || page.Name != f.Name || folderKey(page.ParentID) != folderKey(f.ParentFolderID):
			f.documents.client.folders.Forget(create.ID)
		default:
			rest = append(rest, create)
		}
	}
	return rest, nil
}

// create creates the folder. If it may exist afterwards, coming is set.
func (f *ensuredFolder) create(ctx context.Context) (err error) {
	f.id, err = f.documents.createdFolder(ctx, f.method, f.matterID, f.FolderWrite, f.opts)
	if err != nil && !maybeMade(err) {
		return err
	}
	f.made, f.coming, f.until = true, cmp.Or(err, f.notVisible()), time.Now().Add(f.memory)
	return nil
}

func (f *ensuredFolder) notVisible() error {
	return fmt.Errorf("practice: %s: %w", f.method, ErrNotVisibleYet)
}

// ended returns the error of a call that err ended. It wraps coming, so that
// no end hides that the folder may exist.
func (f *ensuredFolder) ended(err error) error {
	if f.coming == nil {
		return err
	}
	return fmt.Errorf("%w: %w", f.coming, err)
}

// chosen returns one of the listed folders.
func (f *ensuredFolder) chosen(found []string) (string, error) {
	if len(found) > 1 {
		id, ok := f.options.Ambiguous.chosen(f.path, found)
		if !ok {
			return "", &AmbiguousFolderError{Name: f.Name, ParentID: f.ParentFolderID, IDs: found}
		}
		found = []string{id}
	}
	if badIdentifier(found[0]) != "" {
		return "", fmt.Errorf("practice: %s: cannot read the listed folder: %w", f.method, ErrNoID)
	}
	return found[0], nil
}

// AmbiguousFolderError reports several folders with the same name below one
// parent, which the service allows.
type AmbiguousFolderError struct {
	Name     string
	ParentID string   // empty for the root folder
	IDs      []string // ids of the folders, in the order of the listing
}

// Error describes the failure without secrets.
func (e *AmbiguousFolderError) Error() string {
	return fmt.Sprintf("practice: %d folders are named %q", len(e.IDs), oneLine(e.Name))
}
