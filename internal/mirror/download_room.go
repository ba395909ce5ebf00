package mirror

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
)

// makeRoom removes folders that became files in the service. A dry run only
// says so.
func (d *download) makeRoom(plan *PullPlan) {
	folders := map[string]string{}
	gone := map[string]*PullGone{}
	for i := range plan.Gone {
		g := &plan.Gone[i]
		gone[d.lies(g)] = g
		if g.FolderID != "" {
			folders[g.Path] = d.lies(g)
		}
	}
	for i := range plan.Files {
		if f := &plan.Files[i]; f.Verdict == Created && folders[f.Path] != "" {
			d.clear(folders[f.Path], gone)
		}
	}
}

// lies is where something lies that is gone from the service: in a dry run
// nothing moves.
func (d *download) lies(gone *PullGone) string {
	if d.DryRun {
		return gone.From
	}
	return gone.Path
}

// clear removes a folder that holds nothing but unchanged copies of what is
// gone from the service.
func (d *download) clear(at string, gone map[string]*PullGone) {
	paths, err := d.holds(at, func(at string, there Local) bool {
		g := gone[at]
		return g != nil && there.Dir == (g.FolderID != "") && (there.Dir || !g.Edited && g.Noted() && !g.Entry.Edited(there))
	})
	if err != nil {
		return
	}
	for _, at := range slices.Backward(paths) {
		if !d.DryRun && d.root.Remove(filepath.FromSlash(at)) != nil {
			return
		}
		d.replaced[at] = true
	}
}

// errInTheWay says that a folder holds something that stays.
var errInTheWay = errors.New("something stays in the folder")

// holds gives a folder and what is in it, unless that is more than may go. A
// file that has yet to move away does not count.
func (d *download) holds(at string, mayGo func(at string, there Local) bool) (paths []string, err error) {
	err = fs.WalkDir(d.root.FS(), at, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if to, moves := d.sources[at]; d.DryRun && moves && to != at {
			return skipIf(entry.IsDir())
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if !mayGo(at, localOf(info)) {
			return errInTheWay
		}
		paths = append(paths, at)
		return nil
	})
	return paths, err
}
