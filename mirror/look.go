package mirror

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// look reads both sides.
func (r *run) look() error {
	base, _ := r.manifest.snapshot()
	r.trees = &plan.Trees{Base: base}
	if err := r.lookHere(); err != nil {
		return err
	}
	if r.push {
		return r.lookThere(r.unrelated())
	}
	if r.lookChanged() {
		return nil
	}
	return r.lookThere(func(item Item, _ plan.Key) bool { return r.leavesOut(item) })
}

// lookHere scans the local tree and reads files that may have changed.
func (r *run) lookHere() (err error) {
	parked, stamps := map[string]bool{}, map[string]string{}
	for _, e := range r.trees.Base {
		parked[e.Parked] = true
		if e.Stamp != "" {
			stamps[e.Stamp] = cmp.Or(e.Sent, e.Digest)
		}
	}
	leaveOut := func(at string, info fs.FileInfo) bool {
		item := Item{Path: at, IsDir: info.IsDir(), Local: info}
		if !item.IsDir {
			item.Size = info.Size()
		}
		return r.push && r.leavesOut(item)
	}
	if r.local, err = r.disk.scan(r.ctx, parked, leaveOut); err != nil {
		return err
	}
	var unread []*plan.Local
	for _, l := range r.local.locals {
		l.Digest = stamps[l.Stamp]
		if !l.Dir && !l.Other && (l.Digest == "" || r.ByContent || !utf8.ValidString(l.Path)) {
			unread = append(unread, l)
		}
	}
	r.read(unread)
	for at, err := range r.local.hidden {
		if err != nil {
			r.add(Result{Path: at, IsDir: true, Err: err})
		}
	}
	r.trees.Here, r.trees.HereUnknown = r.local.locals, r.local.unknown
	return nil
}

// read reads local files. A file that cannot be read counts as unknown.
func (r *run) read(unread []*plan.Local) {
	var mu sync.Mutex
	each(r.ctx, r, unread, func(l *plan.Local) {
		digest, stamp, size, err := r.disk.sum(r.ctx, l.Path)
		if err != nil {
			mu.Lock()
			defer mu.Unlock()
			r.local.hidden[l.Path] = nil
			r.fail(Result{Path: l.Path, Size: l.Size, Err: err})
			return
		}
		l.Digest, l.Stamp, l.Size = digest, stamp, size
	})
}

// leavesOutEntry reports whether Exclude matches a missing entry or a folder
// above it.
func (r *run) leavesOutEntry(e plan.Entry) bool {
	at := plan.PathThere(r.trees.Base, e)
	if r.push {
		at = plan.BasePath(r.trees.Base, e)
	}
	above, inside := r.trees.Base[plan.Folder(e.Parent)]
	return at != "" && (inside && r.leavesOutEntry(above) || r.leavesOut(Item{Path: at, IsDir: e.Key.Dir}))
}

// unrelated returns the filter of a push for the remote walk. It skips folders
// that are not in the base and have the name of no local folder, in any form
// that a pull may have given it: with a mark, or shortened.
func (r *run) unrelated() func(Item, plan.Key) bool {
	unmarked := func(name string) string {
		name, _, _ = strings.Cut(filenames.Local(name), " (")
		whole := []rune(filenames.OnDisk(name))
		return string(whole[:min(len(whole), 30)]) // characters that each shortened name keeps
	}
	dirs := map[string]bool{}
	for _, l := range r.local.locals {
		if l.Dir {
			dirs[unmarked(path.Base(l.Path))] = true
		}
	}
	return func(item Item, key plan.Key) bool {
		_, known := r.trees.Base[key]
		return !known && item.IsDir && !dirs[unmarked(item.Folder.Name)]
	}
}

// lookThere reads the remote tree.
func (r *run) lookThere(leaveOut func(Item, plan.Key) bool) error {
	l, err := r.service.Walk(r.ctx, r.Concurrency, leaveOut)
	if err == nil && r.push && l.skipped && len(r.missing(l)) > 0 { // they may be in folders that were skipped
		l, err = r.service.Walk(r.ctx, r.Concurrency, func(Item, plan.Key) bool { return false })
	}
	if err != nil {
		return err
	}
	r.trees.ThereUnread = map[plan.Key]bool{}
	for key, failed := range l.failed {
		if r.trees.ThereUnread[key] = key.ID != "" || failed.Path == ""; !r.trees.ThereUnread[key] { // a folder that is listed without an id
			r.local.hidden[failed.Path] = nil
			failed.Err = fmt.Errorf("%w: %w", practice.ErrNoID, failed.Err)
		}
		r.add(Result{Path: cmp.Or(failed.Path, "."), ID: key.ID, IsDir: true, Err: failed})
	}
	unknown, err := r.unknownThere(l)
	if err != nil {
		return err
	}
	r.take(l.records, unknown)
	if len(l.failed) > 0 {
		r.Delete = false
	}
	return nil
}

// missing returns the entries of the base that a walk did not find.
func (r *run) missing(l *listing) map[plan.Key]bool {
	absent := map[plan.Key]bool{}
	for key := range r.trees.Base {
		absent[key] = true
	}
	for i := range l.records {
		delete(absent, l.records[i].Key)
	}
	return absent
}

// unknownThere returns the missing entries that may still exist: Exclude
// matches them, or their folder was not read.
func (r *run) unknownThere(l *listing) (unknown map[plan.Key]bool, err error) {
	unknown = map[plan.Key]bool{}
	absent := r.missing(l)
	for key, e := range r.trees.Base {
		gone := absent[key]
		if r.push {
			gone = r.local.infos[plan.BasePath(r.trees.Base, e)] == nil
		}
		switch {
		case gone && r.leavesOutEntry(e), absent[key] && len(l.failed) > 0:
			unknown[key] = true
		case absent[key] && l.skipped && !r.push:
			_, err := r.service.Get(r.ctx, key)
			if err != nil && !errors.Is(err, ErrChanged) {
				return nil, err
			}
			unknown[key] = err == nil
		}
	}
	return unknown, nil
}

// take sets the remote tree to the listed records.
func (r *run) take(records []record, unknown map[plan.Key]bool) {
	_, awaits := r.manifest.snapshot()
	r.records = map[plan.Key]*record{}
	inside := map[string]bool{"": true}
	for i := range records {
		rec := &records[i]
		switch {
		case rec.Skip:
			unknown[rec.Key] = true
			continue
		case rec.Deleted || awaits[rec.Key].Drop || !inside[rec.Parent]:
			continue
		case rec.ID == "": // it only occupies its name
			r.add(Result{Path: filenames.Local(rec.Name), IsDir: rec.Key.Dir, Err: fmt.Errorf("mirror: cannot read the listed entry %q: %w", rec.Name, practice.ErrNoID)})
			rec.Key.ID = fmt.Sprint(intentMark, i)
			unknown[rec.Key] = true
		}
		inside[rec.Key.ID] = inside[rec.Key.ID] || rec.Key.Dir
		r.records[rec.Key] = rec
		r.trees.There = append(r.trees.There, &rec.Remote)
	}
	r.trees.ThereUnknown = unknown
}

// idOf returns an id in the service's spelling.
func (r *run) idOf(key plan.Key) string {
	if rec := r.records[key]; rec != nil {
		return rec.ID
	}
	return key.ID
}
