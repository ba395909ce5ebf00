package mirror

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// drop reports what is gone from the service, and removes it when that was
// asked for. What has made room for something else is not reported.
func (d *download) drop(plan *PullPlan) {
	if d.ctx.Err() != nil {
		return
	}
	taken := plan.paths()
	removed := map[string]bool{} // by a dry run
	for i := range plan.Gone {
		gone := &plan.Gone[i]
		if taken[gone.Path] || d.replaced[d.lies(gone)] {
			continue
		}
		result := Result{Path: gone.Path, ID: gone.FileID + gone.FolderID, Size: gone.Size, IsDir: gone.FolderID != "", Action: Gone}
		there, ok := localAt(d.root, filepath.FromSlash(d.lies(gone)))
		if there.Dir != result.IsDir {
			continue // somebody put something else there
		}
		if ok && d.Delete && !gone.Edited && (result.IsDir || !gone.Entry.Edited(there)) {
			d.remove(gone, &result, func() bool { return d.foreseeRemoval(gone, taken, removed) })
		}
		d.add(result)
	}
}

// remove removes what is gone from the service. A dry run foresees whether it
// could.
func (d *download) remove(gone *PullGone, result *Result, foresee func() bool) {
	switch {
	case d.DryRun && foresee():
		result.Action = Removed
	case !d.DryRun && d.root.Remove(filepath.FromSlash(gone.Path)) == nil: // a folder with something in it stays
		result.Action = Removed
		result.Err = d.manifest.Set(Entry{Path: inFolder(gone.Entry.Path, d.renamed)})
	}
}

// foreseeRemoval reports whether something would be removed, and notes that: a
// folder with something in it stays.
func (d *download) foreseeRemoval(gone *PullGone, taken, removed map[string]bool) bool {
	if gone.FolderID != "" {
		for at := range taken {
			if strings.HasPrefix(at, gone.Path+"/") {
				return false
			}
		}
		_, err := d.holds(gone.From, func(at string, _ Local) bool { return at == gone.From || removed[at] })
		if err != nil {
			return false
		}
	}
	removed[gone.From] = true
	return true
}

// paths are where everything is to lie that comes from the service.
func (p *PullPlan) paths() map[string]bool {
	all := make(map[string]bool, len(p.Dirs)+len(p.Files))
	for i := range p.Dirs {
		all[p.Dirs[i].Path] = true
	}
	for i := range p.Files {
		if f := &p.Files[i]; f.Verdict != Ignored || f.From != "" {
			all[f.Path] = true
		}
	}
	return all
}

// collect removes what dead processes left: unfinished files that nobody writes
// to.
func (d *download) collect() {
	for _, at := range d.parts {
		dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(at)))
		if err != nil {
			continue
		}
		_ = partfile.Collect(dir, path.Base(at)) // what is left is found the next time
		_ = dir.Close()
	}
}
