package mirror

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// reconsider compares a file that is where it should be with the one of the
// service, and reports whether that was all. One that differs was changed
// locally.
func (d *download) reconsider(ctx context.Context, file *remoteFile, dir *os.Root) (done bool, size int64, err error) {
	same, size, err := d.compare(ctx, file, dir)
	switch {
	case err != nil:
		return true, 0, err
	case same:
		file.action = Kept
		if d.DryRun {
			return true, size, nil
		}
		return true, size, d.noteFile(file, dir, size)
	case d.options.Overwrite:
		file.action = Updated
		return false, 0, nil
	}
	file.action = Waiting
	return true, file.size(), nil
}

// foresee finds out what would become of a file, and changes nothing.
func (d *download) foresee(file *remoteFile) (size int64, err error) {
	switch {
	case file.action == Conflict, d.ByContent && file.doubted():
		return d.foreseeChange(file)
	case file.action != Created || d.root == nil || file.From != "":
		return file.size(), nil
	}
	there, ok := localAt(d.root, filepath.FromSlash(file.Path))
	switch {
	case !ok || d.vacates(file.Path) || d.replaced[file.Path]:
	case d.options.Overwrite:
		file.action = Updated
	case there.Regular && there.Size == file.Size:
		file.action = Kept
		if d.ByContent {
			return d.foreseeStranger(file)
		}
	default:
		return 0, &fs.PathError{Op: "create", Path: file.Path, Err: fs.ErrExist}
	}
	return file.size(), nil
}

// foreseeDir finds out whether a new folder has its place.
func (d *download) foreseeDir(dir *PullDir) error {
	if d.root == nil || dir.From != "" {
		return nil
	}
	there, ok := localAt(d.root, filepath.FromSlash(dir.Path))
	if !ok || there.Dir || d.vacates(dir.Path) || d.unchangedCopy(dir.Path, there) {
		return nil
	}
	return &fs.PathError{Op: "mkdir", Path: dir.Path, Err: fs.ErrExist}
}

// vacates reports a path whose file or folder is to be moved away from there.
func (d *download) vacates(at string) bool {
	for ; at != "."; at = path.Dir(at) {
		if to, moves := d.sources[at]; moves && to != at {
			return true
		}
	}
	return false
}

// foreseeChange compares a file that was changed, or may have been.
func (d *download) foreseeChange(file *remoteFile) (size int64, err error) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(file.From)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	conflict := file.action == Conflict
	_, size, err = d.reconsider(d.ctx, file, dir)
	if conflict && file.action == Waiting {
		if file.action = Conflict; d.Conflict(file.Path, file.File) == KeepsRemote {
			file.action = Updated
		}
	}
	return size, err
}

// foreseeStranger compares a local file that nobody knows with the one of the
// service.
func (d *download) foreseeStranger(file *remoteFile) (int64, error) {
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
