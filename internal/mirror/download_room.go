package mirror

import (
	"io/fs"
	"path/filepath"
	"slices"
)

// makeRoom removes folders that became files in the service.
func (d *download) makeRoom(plan *PullPlan) {
	folders := map[string]bool{}
	gone := map[string]*PullGone{}
	for i := range plan.Gone {
		g := &plan.Gone[i]
		gone[g.Path], folders[g.Path] = g, g.FolderID != ""
	}
	for i := range plan.Files {
		if f := &plan.Files[i]; f.Verdict == Created && folders[f.Path] {
			d.clear(f.Path, gone)
		}
	}
}

// clear removes a folder that holds nothing but unchanged copies of what is gone from the
// service.
func (d *download) clear(at string, gone map[string]*PullGone) {
	var paths []string
	stays := fs.WalkDir(d.root.FS(), at, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		g := gone[at]
		if g == nil || entry.IsDir() != (g.FolderID != "") || !entry.IsDir() && (g.Edited || !g.Noted() || g.Entry.Edited(localOf(info))) {
			return fs.ErrExist // it is somebody's work
		}
		paths = append(paths, at)
		return nil
	})
	if stays != nil {
		return
	}
	for _, at := range slices.Backward(paths) {
		if d.root.Remove(filepath.FromSlash(at)) != nil {
			return
		}
		d.replaced[at] = true
	}
}
