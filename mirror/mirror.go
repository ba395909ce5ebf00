package mirror

import (
	"cmp"
	"context"
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

// ownerOnly are the permissions of a folder that is made for a mirror.
const ownerOnly = 0o700

// Push makes a folder of a matter follow the local directory dir: it sends new
// and changed files, makes folders, empty ones included, and repeats renames
// and moves. It ignores symbolic links, devices and the files of this library.
//
// The creation time of a document is the time of the last local change. Push
// makes the records of new files 100 at a time where a folder has many of them,
// at most 1,000 before their content follows. When the context ends, it still
// waits for the answers to its creates, for Grace at most.
//
// An existing document of the service that has no content, as after an
// interrupted upload, gets that of the file of its name. Of several documents
// of one name, one of the same content is enough; without one they are an
// *AmbiguousFileError.
//
// The service lists a new record a moment after it accepted it. Push waits
// until everything is listed, and nothing that it deleted. It reports records
// that are not listed in the end as practice.ErrNotVisibleYet.
//
// The error is an *Error, an *practice.ArgumentError when nothing was done, or
// one of the reasons above why a call does not begin.
func Push(ctx context.Context, client *practice.Client, matterID, dir string, options Options, opts ...practice.CallOption) error {
	return mirror(ctx, client, "Mirror.Push", matterID, dir, options, opts)
}

// Pull makes the local directory dir, which it creates when needed, follow a
// folder of a matter. It never writes outside of dir, even when the name of a
// document points there. Each file has a temporary name until it is complete,
// and only its owner can read it, unless FileMode says otherwise. A file gets
// the time of the last change of its document. An interrupted file is resumed.
//
// Pull makes names safe as practice.DocumentsService.DownloadFile does. When
// entries of a folder then have the same name, regardless of case and of the
// form of characters (NFC, NFD), each new one gets a part of its id.
//
// The error is an *Error, an *practice.ArgumentError when nothing was done, or
// one of the reasons above why a call does not begin.
func Pull(ctx context.Context, client *practice.Client, matterID, dir string, options Options, opts ...practice.CallOption) error {
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
		return refuse("matterID", "must be an identifier")
	case o.FolderID != "" && usable(record{ID: o.FolderID}).ID == "":
		return refuse("FolderID", "must be an identifier")
	case dir == "" && (o.Tree == nil || operation == "Mirror.Pull"):
		return refuse("dir", "must not be empty")
	case o.Concurrency < 0:
		return refuse("Concurrency", "must not be negative")
	case o.FileMode&^fs.ModePerm != 0:
		return refuse("FileMode", "must be permissions only")
	case o.Ranges < 0 || o.Ranges > 64:
		return refuse("Ranges", "must be 0 to 64")
	case o.RangeSize < 0:
		return refuse("RangeSize", "must not be negative")
	}
	return nil
}

// run is one push or pull.
type run struct {
	Options
	account
	operation string
	push      bool
	ctx       context.Context // of the caller, until the run stops
	grace     context.Context // of requests that are not abandoned under way
	stop      func()          // ends the run
	settling  time.Duration   // the longest wait until the service shows an effect
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
	if operation == "Mirror.Pull" {
		options.Tree = nil // it means nothing to a pull
	}
	r := &run{Options: options, operation: operation, push: operation == "Mirror.Push", service: s, source: of}
	r.account = account{options: &r.Options, ctx: ctx, results: map[plan.Key]Result{}}
	ctx, cancel := context.WithCancel(ctx)
	grace, end := context.WithCancel(context.WithoutCancel(ctx))
	ended := context.AfterFunc(ctx, func() { time.AfterFunc(Grace, end) })
	r.ctx, r.grace, r.settling = ctx, grace, cmp.Or(max(0, options.Settle), practice.DefaultSettle)
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
		r.disk.fsys = os.DirFS(dir)
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
		var m *manifest
		if m, err = openManifest(root, r.source, r.push, r.DryRun); err == nil {
			r.manifest = m
			return nil
		}
	}
	return errors.Join(err, root.Close())
}

// unwritten refuses a tree that shows a manifest where nothing can be noted:
// each call would make files anew that a pull had to rename.
func (r *run) unwritten() error {
	text, _ := fs.ReadFile(r.Tree, manifestName) // without one nothing is known
	m := newManifest(nil, "", r.source)
	if ours := m.load(text) == nil; ours && len(m.base) > 0 {
		return fmt.Errorf("%w: the tree shows its manifest, so name its directory", ErrMismatch)
	}
	return nil
}

// partOfAnother refuses a folder inside of another mirror, unless it is a
// mirror by itself: the manifest above knows its files.
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
			return fmt.Errorf("%w: it is a part of the mirror in %s", ErrMismatch, above)
		}
	}
	return nil
}
