package mirror

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// errStays reports a folder that is kept because it is not empty.
var errStays = errors.New("the folder is not empty")

// arrange executes a step of a pull that creates, moves or removes local files
// and folders.
func (x *execution) arrange(s *plan.Step) (_ string, err error) {
	var done plan.Done
	switch s.Op {
	case plan.MakeDir:
		if err = x.disk.root.Mkdir(filepath.FromSlash(s.Path), x.dirMode()); err == nil {
			if info, err := x.disk.lstat(s.Path); err == nil {
				done.Inode, _ = inodeOf(info)
			}
		}
	case plan.Move:
		if s.Entry.Parked != "" { // recorded first, because nothing else finds a file under a temporary name
			if err := x.manifest.step(s, done, nil); err != nil {
				return "", err
			}
			return "", x.disk.move(s.Path, s.To)
		}
		err = x.disk.move(s.Path, s.To)
	case plan.Remove:
		err = x.remove(s)
	}
	if err != nil {
		return "", err
	}
	return "", x.manifest.step(s, done, nil)
}

// completeMoves completes the renames that a crash has interrupted between link
// and unlink, so that their files have two names.
func (r *run) completeMoves() {
	known := map[string]bool{}
	for _, e := range r.trees.Base {
		known[plan.BasePath(r.trees.Base, e)] = true
	}
	for _, there := range r.trees.There {
		e := r.trees.Base[there.Key]
		at := plan.BasePath(r.trees.Base, e)
		r.unlink(e.Parked, at)
		from := cmp.Or(e.Parked, at)
		e.Parent, e.Alias = there.Parent, filenames.Local(there.Name)
		if to := plan.BasePath(r.trees.Base, e); !known[to] {
			r.unlink(from, to)
		}
	}
}

// unlink removes a name of a file that has another one. Push, which does not
// delete locally, and a dry run only ignore the name.
func (r *run) unlink(name, other string) {
	if r.disk.root == nil || r.local.infos[name] == nil || r.local.infos[other] == nil {
		return
	}
	one, err := r.disk.lstat(name)
	two, failed := r.disk.lstat(other)
	if err != nil || failed != nil || name == other || !os.SameFile(one, two) {
		return
	}
	if !r.push && !r.DryRun && r.disk.root.Remove(filepath.FromSlash(name)) != nil {
		return
	}
	delete(r.local.infos, name)
	r.trees.Here = slices.DeleteFunc(r.trees.Here, func(l *plan.Local) bool { return l.Path == name })
}

// dirMode returns the mode of folders: those who can read its files can enter a
// folder.
func (o *Options) dirMode() fs.FileMode { return ownerOnly | o.FileMode | o.FileMode&0o444>>2 }

// remove removes a file or folder that is unchanged. It keeps a folder that is
// not empty.
func (x *execution) remove(s *plan.Step) error {
	if err := x.disk.unchanged(s.Path, x.local.infos[s.Here.Path]); err != nil {
		return err
	}
	err := x.disk.root.Remove(filepath.FromSlash(s.Path))
	if err != nil && s.Key.Dir {
		if left, _ := fs.ReadDir(x.disk.root.FS(), s.Path); len(left) > 0 { // err counts
			return errStays
		}
	}
	return ignoreMissing(err)
}

// receive downloads a version of a content.
func (x *execution) receive(ctx context.Context, o *plan.Outcome, r *Result) error {
	s, rec := o.Transfer, x.records[o.Transfer.Key]
	if rec.File == nil { // not listed, because the cursor did not include it
		var err error
		if rec, err = x.service.Get(ctx, s.Key); err != nil {
			return err
		}
	}
	if err := x.aside(s); err != nil {
		return err
	}
	at := filepath.FromSlash(s.Path)
	into := &practice.DownloadTarget{Root: x.disk.root, FileMode: x.FileMode, ModTime: rec.File.DateModified.Time()}
	if s.Here != nil && s.Aside == "" {
		into.Replace = func() error { return x.disk.unchanged(s.Path, x.local.infos[s.Here.Path]) }
		if info, err := x.disk.lstat(s.Path); x.FileMode == 0 && err == nil && info.Mode().IsRegular() {
			into.FileMode = info.Mode().Perm()
		}
	}
	got, err := x.service.Fetch(ctx, rec.ID, at, practice.DownloadOptions{
		VersionID: rec.File.VersionID, Ranges: x.Ranges, RangeSize: x.RangeSize, Progress: x.progress(o.Path, o.Size), Into: into,
	})
	if err != nil {
		return err
	}
	r.Size, r.ETag, r.Requests = got.Size, got.ETag, got.Requests
	done := plan.Done{Digest: got.SHA256}
	if info, err := x.disk.lstat(s.Path); err == nil {
		done.Inode, _ = inodeOf(info)
	}
	if rec.Size < 0 || got.Size == rec.Size {
		done.Version = rec.Version // else the manifest has no version, so that the next Pull compares the file again
	}
	return x.manifest.step(s, done, nil)
}
