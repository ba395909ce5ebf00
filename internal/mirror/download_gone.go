package mirror

import (
	"path"
	"path/filepath"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// drop reports what is gone from the service, and removes it when that was asked for.
func (d *download) drop(plan *PullPlan) {
	if d.ctx.Err() != nil {
		return
	}
	for _, gone := range plan.Gone {
		result := Result{Path: gone.Path, ID: gone.FileID + gone.FolderID, Size: gone.Size, IsDir: gone.FolderID != "", Action: Gone}
		if d.DryRun {
			d.foreseeGone(&gone, result, plan)
			continue
		}
		at := filepath.FromSlash(gone.Path)
		there, ok := localAt(d.root, at)
		if there.Dir != result.IsDir || d.replaced[gone.Path] {
			continue // it has made room
		}
		if ok && d.Delete && !gone.Edited && (gone.FolderID != "" || !gone.Entry.Edited(there)) {
			if err := d.root.Remove(at); err == nil { // a folder with something in it stays
				result.Action = Removed
				err = d.manifest.Set(Entry{Path: inFolder(gone.Entry.Path, d.renamed)})
				if err != nil {
					result.Err = err
				}
			}
		}
		d.add(result)
	}
}

// collect removes what dead processes left: unfinished files that nobody writes to.
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
