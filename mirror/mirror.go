package mirror

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// ownerOnly is the mode of folders that are created for a mirror.
const ownerOnly = 0o700

// Push updates a folder of a matter from the local directory dir: it uploads
// new and changed files, creates folders, including empty ones, and carries out
// the same renames and moves. It ignores symbolic links, devices and the files
// of this library.
//
// The creation time of a document is the modification time of the local file.
// Push creates the records of new files 100 at a time if a folder has many of
// them, and at most 1,000 before it sends their contents. When the context
// ends, it still waits for the responses to its creates, at most for Grace.
//
// If a document has no content in the service, for example after an interrupted
// upload, it receives the content of the file with its name. If several
// documents have the name of a file, Push uses one with the same content; if
// there is none, the result is an *AmbiguousFileError.
//
// The service lists a new record some time after accepting it. Push waits until
// new records are listed and deleted ones no longer are. It reports records
// that are still not listed as practice.ErrNotVisibleYet.
//
// The error is an *Error, an *practice.ArgumentError if nothing was done, or
// ErrMismatch, ErrDirInUse, ErrFormat or ErrTooManyDeletions if the call did
// not begin.
func Push(ctx context.Context, client *practice.Client, matterID, dir string, options Options, opts ...practice.CallOption) error {
	return mirror(ctx, client, "Mirror.Push", matterID, dir, options, opts)
}

// Pull updates the local directory dir, which it creates if necessary, from a
// folder of a matter. It never writes outside dir, even if the name of a
// document points there. Each file has a temporary name until it is complete.
// Only its owner can read it, unless FileMode allows more. Its modification
// time is the time at which the document last changed. Interrupted downloads
// are resumed.
//
// Pull makes names safe as practice.DocumentsService.DownloadFile does. If
// entries of a folder then have the same name, ignoring case and Unicode form
// (NFC, NFD), part of its id is added to the name of each new entry.
//
// The error is an *Error, an *practice.ArgumentError if nothing was done, or
// ErrMismatch, ErrDirInUse, ErrFormat or ErrTooManyDeletions if the call did
// not begin.
func Pull(ctx context.Context, client *practice.Client, matterID, dir string, options Options, opts ...practice.CallOption) error {
	options.Tree = nil // it is only for Push
	return mirror(ctx, client, "Mirror.Pull", matterID, dir, options, opts)
}

func mirror(ctx context.Context, client *practice.Client, operation, matterID, dir string, options Options, opts []practice.CallOption) error {
	return client.Observe(ctx, operation, func(ctx context.Context) error {
		if err := options.check(operation, matterID, dir); err != nil {
			return err
		}
		service := &remote{
			documents: client.Documents, matterID: matterID, folderID: options.FolderID, opts: opts,
		}
		r := newRun(ctx, operation, service, source{matterID, options.FolderID}, options)
		r.observe = client.Observe
		defer r.stop()
		return r.in(dir)
	})
}

func (o *Options) check(operation, matterID, dir string) error {
	refuse := func(argument, reason string) error {
		return &practice.ArgumentError{Operation: operation, Argument: argument, Reason: reason}
	}
	switch {
	case matterID == "" || usable(record{ID: matterID}).ID == "":
		return refuse("matterID", "must be a valid id")
	case o.FolderID != "" && usable(record{ID: o.FolderID}).ID == "":
		return refuse("FolderID", "must be a valid id")
	case dir == "" && o.Tree == nil:
		return refuse("dir", "must not be empty")
	case o.Concurrency < 0:
		return refuse("Concurrency", "must not be negative")
	case o.FileMode&^fs.ModePerm != 0:
		return refuse("FileMode", "must contain only permission bits")
	case o.Ranges < 0 || o.Ranges > 64:
		return refuse("Ranges", "must be between 0 and 64")
	case o.RangeSize < 0:
		return refuse("RangeSize", "must not be negative")
	}
	return nil
}

// run holds the state of one push or pull.
type run struct {
	Options
	account
	operation string
	push      bool
	ctx       context.Context // context of the caller, cancelled by stop
	grace     context.Context // context of requests that must not be aborted; ends Grace later
	stop      func()          // ends the run
	settling  time.Duration   // longest wait until the service shows an effect
	service   service
	source    source
	observe   func(context.Context, string, func(context.Context) error) error
	disk      disk
	manifest  *manifest

	local   *found
	trees   *plan.Trees
	records map[plan.Key]*record
}

func newRun(ctx context.Context, operation string, s service, of source, options Options) *run {
	options.Concurrency = cmp.Or(options.Concurrency, DefaultConcurrency)
	r := &run{Options: options, operation: operation, push: operation == "Mirror.Push", service: s, source: of}
	r.account = account{options: &r.Options, ctx: ctx, results: map[plan.Key]Result{}}
	ctx, cancel := context.WithCancel(ctx)
	grace, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := context.AfterFunc(ctx, func() { time.AfterFunc(Grace, end) })
	r.ctx, r.grace, r.settling = ctx, grace, cmp.Or(max(0, options.ListWait), practice.DefaultListWait)
	r.stop = func() {
		ended()
		end()
		cancel()
	}
	return r
}

// in performs the run in a local directory.
func (r *run) in(dir string) (err error) {
	defer func() {
		if _, sum := errors.AsType[*Error](err); err != nil && !sum {
			err = fmt.Errorf("mirror: %s: %w", r.operation, err)
		}
	}()
	if err := r.open(dir); err != nil {
		return err
	}
	defer func() {
		if closed := r.manifest.close(); err == nil {
			err = closed
		}
	}()
	if err := r.all(); err != nil {
		return err
	}
	return r.sum(r.operation)
}

// open opens the directory and its manifest.
func (r *run) open(dir string) error {
	r.manifest, r.disk.fsys = newManifest(nil, "", r.source), r.Tree
	if dir == "" {
		return r.unwritten()
	}
	if !r.DryRun && (!r.push || r.Tree != nil) {
		if err := os.MkdirAll(dir, r.dirMode()); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && r.DryRun && !r.push:
		r.disk.fsys = embed.FS{} // it is empty
		return nil
	case err != nil:
		return err
	case r.Tree == nil:
		r.disk = disk{root.FS(), root}
		if r.push {
			err = r.partOfAnother(dir, root)
		}
	}
	if err == nil {
		r.manifest, err = openManifest(root, r.source, r.push, r.DryRun)
	}
	if err != nil {
		return errors.Join(err, root.Close())
	}
	return nil
}

// unwritten refuses a tree that contains a manifest if the run cannot write
// one: each call would create files again that a pull had renamed.
func (r *run) unwritten() error {
	text, _ := fs.ReadFile(r.Tree, manifestName) // without a manifest nothing is known
	m := newManifest(nil, "", r.source)
	if ours := m.load(text) == nil; ours && len(m.base) > 0 {
		return fmt.Errorf("%w: the tree contains the manifest, so pass the manifest's directory as dir", ErrMismatch)
	}
	return nil
}

// partOfAnother refuses a folder inside another mirror, unless it is a mirror
// of its own: the manifest above contains its files.
func (r *run) partOfAnother(dir string, root *os.Root) error {
	if _, err := root.Lstat(manifestName); err == nil {
		return nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for above := filepath.Dir(dir); above != filepath.Dir(above); above = filepath.Dir(above) {
		text, _ := os.ReadFile(filepath.Join(above, manifestName)) //nolint:gosec // the folders that hold the one of the caller
		of := headOf(text).source
		m := newManifest(nil, "", of)
		if !strings.EqualFold(of.MatterID, r.source.MatterID) || m.load(text) != nil {
			continue
		}
		if e, known := m.base[plan.Folder(r.FolderID)]; known && filepath.Join(above, filepath.FromSlash(plan.BasePath(m.base, e))) == dir {
			return fmt.Errorf("%w: the directory is part of the mirror in %s", ErrMismatch, above)
		}
	}
	return nil
}
