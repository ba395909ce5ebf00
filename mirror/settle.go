package mirror

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// settle waits until the service shows all awaited effects: those of earlier
// runs before planning, those of this run at the end. After ListWait it removes
// those that remain.
func (r *run) settle(ended bool) error {
	ctx := r.ctx
	if ended {
		ctx = r.grace
	}
	groups := r.groups(ended)
	each(ctx, r, groups, func(g *waiting) { g.wait(ctx, r) })
	var failures []error
	for _, g := range groups {
		failures = append(failures, g.failure)
		for key, a := range g.awaits {
			if ended && !a.Drop && !isIntent(key) {
				r.unseen(key, a.Name, g.problem)
			}
		}
	}
	return errors.Join(failures...)
}

// waiting holds the effects that are awaited in one folder of the service.
type waiting struct {
	in      string
	ended   bool // this run has sent the contents
	awaits  map[plan.Key]awaited
	problem error // error of the last read
	failure error // errors of the manifest
}

// groups returns the awaited effects by folder.
func (r *run) groups(ended bool) []*waiting {
	_, awaits := r.manifest.snapshot()
	groups := map[string]*waiting{}
	for key, a := range awaits {
		in := plan.Folder(a.In).ID
		if groups[in] == nil {
			groups[in] = &waiting{in: a.In, ended: ended, awaits: map[plan.Key]awaited{}}
		}
		groups[in].awaits[key] = a
	}
	return slices.Collect(maps.Values(groups))
}

// wait reads a folder repeatedly until it shows all effects, or their time is
// over.
func (g *waiting) wait(ctx context.Context, r *run) {
	end := time.Now().Add(r.settling) // for a clock that was set back since the request
	over := func(a awaited) bool { return since(a.At) >= r.settling || !time.Now().Before(end) }
	for looks := 0; ; looks++ {
		var entries []record
		if entries, g.problem = r.service.List(ctx, g.in); g.problem == nil || missing(g.problem) {
			g.look(r, entries)
		}
		waits := false
		for _, a := range g.awaits {
			waits = waits || !over(a)
		}
		if !waits || backoff.Sleep(ctx, backoff.Exponential(firstPause, longestPause, looks)) != nil {
			break
		}
	}
	for key, a := range g.awaits {
		if over(a) {
			g.giveUp(ctx, r, key, a)
		}
	}
}

// giveUp removes an awaited effect whose time is over. First it requests the
// record itself, which may be in another folder by now.
func (g *waiting) giveUp(ctx context.Context, r *run, key plan.Key, a awaited) {
	if !isIntent(key) {
		if rec, err := r.service.Get(ctx, key); (err == nil || errors.Is(err, ErrChanged)) && a.shownBy(rec) {
			g.saw(r, key, a, rec)
			return
		}
	}
	g.failure = errors.Join(g.failure, r.manifest.await(key, nil))
}

// look records all effects that a folder listing shows.
func (g *waiting) look(r *run, entries []record) {
	listed := map[plan.Key]*record{}
	for i := range entries {
		if !entries[i].Deleted {
			listed[entries[i].Key] = &entries[i]
		}
	}
	for key, a := range g.awaits {
		rec := listed[key]
		shown := !isIntent(key) && a.shownBy(rec)
		if isIntent(key) {
			rec = r.manifest.among(entries, a, key.Dir)
			shown = rec != nil
		}
		if shown {
			g.saw(r, key, a, rec)
		}
	}
}

// saw records an effect that the service shows.
func (g *waiting) saw(r *run, key plan.Key, a awaited, rec *record) {
	delete(g.awaits, key)
	g.failure = errors.Join(g.failure, r.manifest.saw(key, a, rec, g.ended))
}

// shownBy reports whether a record, or its absence as nil, shows the effect.
func (a *awaited) shownBy(rec *record) bool {
	switch {
	case a.Drop:
		return rec == nil
	case rec == nil:
		return false
	case !a.Made && a.Name != "" && rec.Name != a.Name && rec.Name == a.Old:
		return false
	case a.Digest == "":
		return true
	}
	return rec.Stored && (rec.Size < 0 || rec.Size == a.Size) && (a.Before == "" || rec.Version != a.Before)
}

// among returns the record that an intent may have created: it has the name and
// is not in the base.
func (m *manifest) among(entries []record, a awaited, dir bool) *record {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n := range entries {
		rec := &entries[n]
		if _, known := m.base[rec.Key]; !known && rec.Key.Dir == dir && rec.Name == a.Name && rec.ID != "" && !rec.Deleted {
			return rec
		}
	}
	return nil
}

// saw records an effect that the service shows. At the end of the run, a record
// that it created holds the content that it sent. Later, someone else may have
// stored another version, so learn reads the content.
func (m *manifest) saw(key plan.Key, a awaited, rec *record, ended bool) error {
	if isIntent(key) {
		e := plan.Entry{Key: rec.Key, Parent: plan.Folder(a.In).ID, Name: rec.Name, Alias: a.Name, Sent: a.Digest}
		return m.update(note{ID: rec.Key.ID, Dir: rec.Key.Dir, Entry: &e}, note{ID: key.ID, Dir: key.Dir})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.noteOf(key)
	if n.Await = nil; n.Entry != nil && a.Made {
		n.Entry.Name = rec.Name
		if ended && a.Digest != "" && n.Entry.Sent == a.Digest {
			n.Entry.Agree(rec.Version, a.Digest)
		}
	}
	return m.updateLocked(n)
}

// Waits between two reads of a folder.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)
