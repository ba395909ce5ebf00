package mirror

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// Pauses between two looks at what the service does later.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)

// settle waits until the service lists what it accepted, as another UploadDir
// will look for it. It also looks for what may have been made.
func (u *upload) settle(state *State) {
	if u.options.Settle < 0 {
		return
	}
	groups := u.accepted()
	if len(groups) > 0 {
		u.before = state.known()
	}
	end := time.Now().Add(u.options.Settle)
	eachUntil(u.grace, u.run, groups, func(g *accepted) {
		for looks := 0; !u.look(g) && !time.Now().After(end); looks++ {
			if backoff.Sleep(u.grace, backoff.Exponential(firstPause, longestPause, looks)) != nil {
				break
			}
		}
	})
	for _, g := range groups {
		u.missing(g.files, g.folders, g.problem)
	}
}

// accepted is what was made or stored in a folder of the service, or may have
// been, and what was deleted in it.
type accepted struct {
	folderID string
	files    []*localFile
	folders  []*localDir
	removed  []PushGone
	problem  error // of the last look
}

// look lists a folder, drops what it shows to be done, and reports whether that
// is all.
func (u *upload) look(g *accepted) (done bool) {
	var entries []Remote
	entries, g.problem = u.service.List(u.grace, g.folderID)
	g.files, g.folders = u.unlisted(g.files, g.folders, entries)
	if g.problem == nil || u.service.Meaning(g.problem) == IsDeleted {
		g.removed = u.stillListed(g.removed, entries)
	}
	return len(g.files)+len(g.folders)+len(g.removed) == 0
}

// stillListed drops what is not listed any more, and what the manifest says of
// it.
func (u *upload) stillListed(removed []PushGone, entries []Remote) (rest []PushGone) {
	there := map[string]bool{}
	for _, entry := range entries {
		there[Key(entry.ID)] = !entry.Deleted
	}
	for _, gone := range removed {
		if there[Key(gone.ID)] {
			rest = append(rest, gone)
		} else {
			_ = u.set(Entry{Path: gone.Was.Path}) // the next call finds it lost
		}
	}
	return rest
}

// accepted gives all of it, by the folder that has to list it.
func (u *upload) accepted() (groups []*accepted) {
	byFolder := map[string]*accepted{}
	in := func(id string) *accepted {
		if id == "" {
			id = u.FolderID
		}
		g := byFolder[Key(id)]
		if g == nil {
			g = &accepted{folderID: id}
			byFolder[Key(id)] = g
			groups = append(groups, g)
		}
		return g
	}
	for _, at := range slices.Sorted(maps.Keys(u.dirs)) {
		dir := u.dirs[at]
		for _, file := range dir.files {
			if !file.made && !file.uncertain && !file.moved {
				continue
			}
			folderID := dir.id
			if file.ID != "" && !file.Move && file.action != Conflict {
				folderID = file.Parent // it may lie elsewhere in the service
			}
			g := in(folderID)
			g.files = append(g.files, file)
		}
		switch {
		case dir.id != "" && !dir.made.IsZero() || dir.uncertain || dir.moved && dir.Move:
			g := in(dir.parent.id)
			g.folders = append(g.folders, dir)
		case dir.moved:
			g := in(dir.Parent)
			g.folders = append(g.folders, dir)
		}
	}
	for _, gone := range u.removed {
		g := in(gone.Parent)
		g.removed = append(g.removed, gone)
	}
	return groups
}

// listing is what a folder of the service lists: by the keys of ids, and what
// was not there before by name.
type listing struct{ byID, byName map[string]*Remote }

// listings are the files and the folders of a list.
func (u *upload) listings(entries []Remote) (files, folders listing) {
	files = listing{map[string]*Remote{}, map[string]*Remote{}}
	folders = listing{map[string]*Remote{}, map[string]*Remote{}}
	for i := range entries {
		r, in := &entries[i], files
		if r.Dir {
			in = folders
		}
		if r.Dir && r.Deleted {
			continue
		}
		in.byID[Key(r.ID)] = r
		if !u.before[r.identity()] {
			in.byName[r.Name] = r
		}
	}
	return files, folders
}

// find is what was made: one that may have been made has no id yet.
func (l listing) find(id, name string, uncertain bool) *Remote {
	if uncertain {
		return l.byName[name]
	}
	return l.byID[Key(id)]
}

// unlisted drops what is listed now, files with the size that was sent if any
// was, and notes it.
func (u *upload) unlisted(files []*localFile, folders []*localDir, entries []Remote) (restFiles []*localFile, restFolders []*localDir) {
	listedFiles, listedFolders := u.listings(entries)
	for _, file := range files {
		if !u.isListed(file, listedFiles.find(file.id, file.name, file.uncertain)) {
			restFiles = append(restFiles, file)
		}
	}
	for _, folder := range folders {
		there := listedFolders.find(folder.id, path.Base(folder.Path), folder.uncertain)
		if there == nil || folder.moved && there.Name != folder.Name {
			restFolders = append(restFolders, folder)
			continue
		}
		folder.id, folder.Name = there.ID, there.Name
		u.noteDir(folder)
	}
	return restFiles, restFolders
}

// isListed compares a file with what the service lists, and notes it when they
// agree.
func (u *upload) isListed(file *localFile, record *Remote) bool {
	at := path.Join(path.Dir(file.Path), file.name)
	switch {
	case record == nil:
		return false
	case file.uncertain:
		if !record.NoID {
			_, _ = u.made(at, record.ID, false, nil) // the next call finds it by its name
		}
		return true
	case file.sent >= 0 && (!record.Stored || record.Size != file.sent), file.moved && record.Name != file.name:
		return false
	case file.action == Updated && file.Size == file.sent && record.File.VersionID != "" && record.File.VersionID == file.File.VersionID:
		return false // it is the version before
	}
	if file.sent >= 0 || file.Verdict == Kept {
		was := file.Was
		if file.action == Conflict {
			was = Entry{} // the version of the service has the entry now
		}
		_ = u.agreed(at, was, *record, file.info, file.content(record)) // it is found out again
	}
	return true
}

// content is the SHA256 of what a file has now; empty when it is not known.
func (f *localFile) content(record *Remote) string {
	switch {
	case f.sent < 0:
		return f.Was.still(record.ID, record.Version)
	case f.sent == f.sending.Size:
		return f.sending.SHA256
	}
	return ""
}

// missing reports what the service does not list. When the caller ended the
// run, there was no time to see it: that is no failure.
func (u *upload) missing(files []*localFile, folders []*localDir, problem error) {
	err := ErrNotVisibleYet
	if problem != nil && u.service.Meaning(problem) != NotFound {
		err = fmt.Errorf("%w: %w", ErrNotVisibleYet, problem)
	}
	for _, file := range files {
		switch {
		case file.sent < 0 && !file.moved || file.uncertain:
			continue // it failed already
		case u.ctx.Err() != nil:
			u.unseen()
			continue
		}
		u.revoke(Result{Path: file.Path, ID: file.id, Size: max(0, file.sent), Err: err})
	}
	for _, folder := range folders {
		if !folder.uncertain {
			u.add(Result{Path: folder.Path, ID: folder.id, IsDir: true, Err: err})
		}
	}
}
