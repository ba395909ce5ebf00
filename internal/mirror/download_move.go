package mirror

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// renames are moves that were made one after the other.
type renames [][2]string

// apply follows a path through them.
func (r renames) apply(at string) string {
	for _, move := range r {
		from, to := move[0], move[1]
		if at == from {
			at = to
		} else if strings.HasPrefix(at, from+"/") {
			at = path.Join(to, at[len(from)+1:])
		}
	}
	return at
}

// moveFiles gives the files that are there their places. One whose folder has
// no place stays where it is.
func (d *download) moveFiles(plan *PullPlan) {
	for i := range plan.Files {
		if f := &plan.Files[i]; d.failed[f.In] {
			delete(d.sources, f.From)
		}
	}
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.From == "" || d.failed[f.In] {
			continue
		}
		if err := d.rename(f.From, f.Path); err != nil {
			d.add(Result{Path: f.Path, ID: f.ID, Size: max(0, f.Size), Err: err})
			d.failed[f.Path] = true
		}
	}
}

// comeBack gives what had to make room, and has no new place after all, one
// beside the old.
func (d *download) comeBack() {
	for n, move := range d.moved {
		from, parked := move[0], move[1]
		if Parked(parked) && exists(d.root, filepath.FromSlash(parked)) {
			home := path.Join(d.moved[n+1:].apply(path.Dir(from)), path.Base(from))
			_ = d.move(parked, d.free(home)) // the next call finds what stays
		}
	}
}

// free is a path, or one beside it where nothing lies.
func (d *download) free(at string) string {
	for n, name := 1, path.Base(at); ; n++ {
		if !exists(d.root, filepath.FromSlash(at)) {
			return at
		}
		at = path.Join(path.Dir(at), asideName(name, n))
	}
}

// rename moves a file or folder from where it lay at the beginning. One that
// lies there now and is to be moved itself makes room.
func (d *download) rename(from, to string) error {
	now := d.moved.apply(from)
	if now == to {
		return nil
	}
	there, err := d.root.Lstat(filepath.FromSlash(to))
	if err != nil {
		return d.move(now, to)
	}
	mine, err := d.root.Lstat(filepath.FromSlash(now))
	if err != nil {
		return err
	}
	leaving, gone := d.leaving[to]
	switch {
	case os.SameFile(mine, there): // only its spelling changes
	case gone && mine.Mode().IsRegular() && there.Mode().IsRegular() && !leaving.Edited(localOf(there)):
		delete(d.leaving, to)
		d.replaced[to] = true
	case mine.IsDir() && d.unchangedCopy(to, localOf(there)):
		if err := d.root.Remove(filepath.FromSlash(to)); err != nil {
			return err
		}
	case !d.leaves(to):
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	default:
		if err := d.move(to, Parking()); err != nil {
			return err
		}
		now = d.moved.apply(from) // what made room may have held it
	}
	return d.move(now, to)
}

// leaves reports what lies at a path and is to be moved away from there.
func (d *download) leaves(at string) bool {
	for from, to := range d.sources {
		if to != at && d.moved.apply(from) == at {
			return true
		}
	}
	return false
}

func (d *download) move(from, to string) error {
	if err := d.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to)); err != nil {
		return err
	}
	d.moved = append(d.moved, [2]string{from, to})
	return nil
}
