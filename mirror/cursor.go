package mirror

import (
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// lookChanged reads the changes since a cursor instead of all folders. It
// returns false if the folders must be read.
func (r *run) lookChanged() (known bool) {
	if r.Cursor == "" || r.Exclude != nil || r.ByContent || len(r.trees.Base) == 0 {
		return false
	}
	changed, err := r.changed()
	records, ok := recall(r.trees.Base, changed)
	if err != nil || !ok {
		return false
	}
	r.take(records, map[plan.Key]bool{})
	return true
}

// quiet is the time for which the response to a cursor must remain the same.
const quiet = time.Second

// changed returns the files that have changed since the cursor. An event may
// arrive before its change is listed, and several changes may become visible
// one after another. So it repeats the request until the response no longer
// changes, and uses the earliest of the recent cursors.
func (r *run) changed() (changed []record, err error) {
	r.manifest.mu.Lock()
	recent := slices.DeleteFunc(slices.Clone(r.manifest.cursors), func(h heard) bool { return since(h.At) > r.settling })
	r.manifest.mu.Unlock()
	if !slices.ContainsFunc(recent, func(h heard) bool { return h.Cursor == r.Cursor }) {
		recent = append(recent, heard{r.Cursor, time.Now().UnixNano()})
	}
	if err := r.manifest.update(note{Cursors: recent}); err != nil {
		return nil, err
	}
	end := time.Now().Add(r.settling)
	for looks := 0; ; looks++ {
		seen, err := r.service.Changed(r.ctx, r.Cursor)
		if err == nil && recent[0].Cursor != r.Cursor && len(seen) > 0 {
			seen, err = r.service.Changed(r.ctx, recent[0].Cursor)
		}
		if err != nil {
			return nil, err
		}
		same := slices.EqualFunc(seen, changed, func(a, b record) bool { return a.Remote == b.Remote && a.Deleted == b.Deleted })
		if changed = seen; len(seen) > 0 && same || time.Now().After(end) {
			return changed, nil
		}
		pause := quiet
		if len(seen) == 0 {
			pause = backoff.Exponential(firstPause, longestPause, looks)
		}
		if err := backoff.Sleep(r.ctx, pause); err != nil {
			return nil, err
		}
	}
}

// recall returns the records of the base, updated with the changed ones. It
// returns false if a folder must be read.
func recall(base map[plan.Key]plan.Entry, changed []record) ([]record, bool) {
	latest := map[plan.Key]record{}
	for _, r := range changed {
		latest[r.Key] = r
	}
	var folders, files []record
	for key, e := range base {
		r := record{Remote: plan.Remote{Key: key, Parent: e.Parent, Name: e.Name, Version: e.Version, Size: -1, Stored: true}, ID: key.ID}
		switch _, renewed := latest[key]; {
		case key.Dir:
			folders = append(folders, r)
		case renewed:
		case e.Version == "" || e.Sent != "":
			return nil, false
		default:
			files = append(files, r)
		}
	}
	for _, r := range latest {
		if _, known := base[plan.Folder(r.Parent)]; r.ID == "" || r.Parent != "" && r.Parent != outside && !known {
			return nil, false
		}
		files = append(files, r)
	}
	slices.SortFunc(folders, func(a, b record) int { // a folder before its subfolders
		return strings.Compare(plan.BasePath(base, base[a.Key]), plan.BasePath(base, base[b.Key]))
	})
	return append(folders, files...), true
}
