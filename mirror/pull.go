package mirror

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// errStays reports a folder that is not empty.
var errStays = errors.New("the folder is not empty")

// arrange executes a step of a pull that creates, moves or removes files and
// folders on disk.
func (x *execution) arrange(s *plan.Step) error {
	var done plan.Done
	switch s.Op {
	case plan.MakeDir:
		if err := x.disk.root.Mkdir(filepath.FromSlash(s.Path), x.dirMode()); err != nil {
			return err
		}
		if info, err := x.disk.lstat(s.Path); err == nil && info != nil {
			done.Inode, _ = inodeOf(info)
		}
	case plan.Move:
		if s.Entry.Parked != "" { // noted first: under such a name nothing else would find it
			if err := x.manifest.step(s, done, nil, plan.Key{}); err != nil {
				return err
			}
			return x.disk.move(s.Path, s.To)
		}
		if err := x.disk.move(s.Path, s.To); err != nil {
			return err
		}
	case plan.Remove:
		if err := x.remove(s); err != nil {
			return err
		}
	}
	return x.manifest.step(s, done, nil, plan.Key{})
}

// dirMode are the permissions of a folder: it can be entered by all who can
// read its files.
func (o *Options) dirMode() fs.FileMode {
	if o.FileMode == 0 {
		return ownerOnly
	}
	return ownerOnly | o.FileMode | o.FileMode&0o444>>2
}

// remove removes a file or folder that is unchanged. A folder stays while it is
// not empty.
func (x *execution) remove(s *plan.Step) error {
	if err := x.disk.unchanged(s.Path, x.local.infos[s.Here.Path]); err != nil {
		return err
	}
	err := x.disk.root.Remove(filepath.FromSlash(s.Path))
	if err == nil || !s.Key.Dir {
		return ignoreMissing(err)
	}
	if left, readErr := fs.ReadDir(x.disk.root.FS(), s.Path); readErr == nil && len(left) > 0 {
		return errStays
	}
	return ignoreMissing(err)
}

// receive downloads a version of a content.
func (x *execution) receive(ctx context.Context, s *plan.Step, o *plan.Outcome) (plan.Done, transferred, error) {
	rec := x.records[s.Key]
	if rec.File == nil { // it was not listed, since a cursor did not name it
		var err error
		if rec, err = x.service.Get(ctx, s.Key); err == nil && rec == nil {
			err = ErrChanged
		}
		if err != nil {
			return plan.Done{}, transferred{}, err
		}
	}
	var here fs.FileInfo
	if s.Here != nil {
		here = x.local.infos[s.Here.Path]
	}
	if s.Aside != "" {
		if err := x.disk.unchanged(s.Path, here); err != nil {
			return plan.Done{}, transferred{}, err
		}
		if err := x.disk.move(s.Path, s.Aside); err != nil {
			return plan.Done{}, transferred{}, err
		}
		here = nil
	}
	to := target{Root: x.disk.root, Path: s.Path, Mode: x.FileMode, Progress: x.progress(o.Path, o.Size)}
	if here != nil {
		to.Replace = func() error { return x.disk.unchanged(s.Path, here) }
		if info, err := x.disk.lstat(s.Path); to.Mode == 0 && err == nil && info != nil && info.Mode().IsRegular() {
			to.Mode = info.Mode().Perm()
		}
	}
	got, err := x.service.Fetch(ctx, rec.ID, rec.VersionID, to)
	if err != nil {
		return plan.Done{}, got, err
	}
	if changed := rec.File.DateModified.Time(); !changed.IsZero() {
		_ = x.disk.root.Chtimes(filepath.FromSlash(s.Path), changed, changed) // the content is what counts
	}
	done := plan.Done{Version: rec.Version, Digest: got.SHA256, Size: got.Size}
	if rec.Size >= 0 && got.Size != rec.Size {
		done.Version = "" // it is not the listed version: another call looks again
	}
	if info, err := x.disk.lstat(s.Path); err == nil && info != nil {
		if done.Inode, _ = inodeOf(info); settled(info) || time.Since(info.ModTime()) > coarseTick { // another write sets another time
			done.Stamp = stampOf(info)
		}
	}
	return done, got, x.manifest.step(s, done, nil, plan.Key{})
}

// localPath returns the path of the content of a step of a push.
func localPath(s *plan.Step) string {
	if s.Aside != "" {
		return s.Aside
	}
	return path.Clean(s.Path)
}
