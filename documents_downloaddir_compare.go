package practice

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/practicesdk/practice-go/internal/mirror"
)

// reconsider compares a file that is where it should be with the one of the service, and
// reports whether that was all. One that differs was changed locally.
func (d *dirDownload) reconsider(ctx context.Context, file *remoteFile, dir *os.Root) (done bool, size int64, err error) {
	same, size, err := d.compare(ctx, file, dir)
	switch {
	case err != nil:
		return true, 0, err
	case same:
		file.action = DirKept
		if d.options.DryRun {
			return true, size, nil
		}
		return true, size, d.noteFile(file, dir, size)
	case d.options.Overwrite:
		file.action = DirUpdated
		return false, 0, nil
	}
	file.action = DirWaiting
	return true, file.size(), nil
}

// foresee finds out what would become of a file, and changes nothing.
func (d *dirDownload) foresee(file *remoteFile) (size int64, err error) {
	switch {
	case file.action == DirConflict, d.options.ByContent && file.doubted():
		return d.foreseeChange(file)
	case file.action != DirCreated || d.root == nil || file.From != "":
		return file.size(), nil
	}
	there, ok := localAt(d.root, filepath.FromSlash(file.Path))
	switch {
	case !ok:
	case d.options.Overwrite:
		file.action = DirUpdated
	case there.Regular && there.Size == file.Size:
		file.action = DirKept
		if d.options.ByContent {
			return d.foreseeStranger(file)
		}
	default:
		return 0, &fs.PathError{Op: "create", Path: file.Path, Err: fs.ErrExist}
	}
	return file.size(), nil
}

// foreseeChange compares a file that was changed, or may have been.
func (d *dirDownload) foreseeChange(file *remoteFile) (size int64, err error) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(file.From)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	conflict := file.action == DirConflict
	_, size, err = d.reconsider(d.ctx, file, dir)
	if conflict && file.action == DirWaiting {
		if file.action = DirConflict; d.options.Conflict.choose(file.Path, file.record) == KeepsRemote {
			file.action = DirUpdated
		}
	}
	return size, err
}

// foreseeStranger compares a local file that nobody knows with the one of the service.
func (d *dirDownload) foreseeStranger(file *remoteFile) (int64, error) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(file.Path)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	same, size, err := d.compare(d.ctx, file, dir)
	if err == nil && !same {
		err = &fs.PathError{Op: "create", Path: file.Path, Err: fs.ErrExist}
	}
	return size, err
}

// foreseeGone reports what would become of something that is gone from the service, unless
// it would make room for something else.
func (d *dirDownload) foreseeGone(gone *mirror.Gone, result DirResult, plan *mirror.PullPlan) {
	taken := func(at string) bool { return at == gone.Path }
	if slices.ContainsFunc(plan.Dirs, func(dir mirror.PullDir) bool { return taken(dir.Path) }) ||
		slices.ContainsFunc(plan.Files, func(file mirror.PullFile) bool { return taken(file.Path) }) {
		return
	}
	if d.options.Delete && !gone.Edited {
		result.Action = DirRemoved
	}
	d.add(result)
}

// mode are the permissions of the local file of a name.
func (d *dirDownload) mode(dir *os.Root, name string) fs.FileMode {
	if d.options.FileMode != 0 {
		return d.options.FileMode
	}
	if info, err := dir.Lstat(name); err == nil && info.Mode().IsRegular() {
		return info.Mode().Perm()
	}
	return 0
}
