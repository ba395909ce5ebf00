package mirror

import (
	"path"
	"path/filepath"
	"strings"
)

// note writes down where everything is now. A file or folder without its place
// keeps its entry.
func (d *download) note(plan *PullPlan) {
	entries := d.manifest.Entries()
	fresh := map[string]Entry{}
	was := &d.renamed
	for i := range plan.Dirs {
		dir := &plan.Dirs[i]
		e := Entry{Path: dir.Base, FolderID: dir.ID, Name: dir.Name}
		if d.failed[dir.Path] {
			if e = entries[dir.Was]; !d.aside(dir.From, &e) {
				continue
			}
		}
		delete(entries, dir.Was)
		fresh[e.Path] = e
		if dir.Was != "" {
			*was = append(*was, [2]string{dir.Was, e.Path})
		}
	}
	for i := range plan.Files {
		f := &plan.Files[i]
		e := f.Was
		if f.From == "" && exists(d.root, filepath.FromSlash(f.Path)) { // somebody else's
			delete(entries, e.Path)
			continue
		}
		switch failed := d.failed[f.In] || d.failed[f.Path]; {
		case !e.Known(), failed && !d.aside(f.From, &e):
			continue
		case !failed:
			e.Path = f.Base
			if strings.EqualFold(e.FileID, f.ID) {
				e.Name = f.Name
			}
		}
		delete(entries, f.Was.Path)
		fresh[e.Path] = e
	}
	for _, lost := range plan.Lost {
		delete(entries, lost)
	}
	for at, e := range entries { // what is gone went along with its folder
		e.Path = inFolder(at, *was)
		if _, taken := fresh[e.Path]; !taken {
			fresh[e.Path] = e
		}
	}
	_ = d.manifest.Replace(fresh) // what cannot be noted is found out again
}

// aside says of an entry where it lies now, if it had to make room.
func (d *download) aside(from string, e *Entry) bool {
	now := d.moved.apply(from)
	if !e.Known() || now == from {
		return false
	}
	e.Path = now
	return true
}

// inFolder is where an entry of the manifest is after its folder was moved.
func inFolder(at string, moved renames) string {
	best := [2]string{}
	for _, move := range moved {
		if strings.HasPrefix(at, move[0]+"/") && len(move[0]) > len(best[0]) {
			best = move
		}
	}
	if best[0] == "" {
		return at
	}
	return path.Join(best[1], at[len(best[0])+1:])
}
