package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// settle waits until the service shows all awaited effects: those of earlier
// runs before anything is planned, those of this run in the end. After Settle
// nothing is awaited any more.
func (r *run) settle(x *execution) error {
	ctx := r.ctx
	if x != nil {
		ctx = r.grace
	}
	groups := r.groups()
	var mu sync.Mutex
	var problems []error
	each(ctx, r, groups, func(g *waiting) {
		err := g.wait(ctx, r)
		mu.Lock()
		defer mu.Unlock()
		problems = append(problems, err)
	})
	if x == nil {
		return errors.Join(problems...)
	}
	for _, g := range groups {
		r.unseenIn(g)
	}
	return errors.Join(problems...)
}

// waiting holds the effects that are awaited in one folder of the service.
type waiting struct {
	in      string
	awaits  map[plan.Key]awaited
	problem error // of the last look
}

// groups returns all that is awaited, by folder.
func (r *run) groups() []*waiting {
	_, awaits := r.manifest.snapshot()
	groups := map[string]*waiting{}
	for key, a := range awaits {
		in := plan.Folder(a.In).ID
		if groups[in] == nil {
			groups[in] = &waiting{in: a.In, awaits: map[plan.Key]awaited{}}
		}
		groups[in].awaits[key] = a
	}
	return slices.Collect(maps.Values(groups))
}

// wait looks at a folder until it shows all, or time has passed.
func (g *waiting) wait(ctx context.Context, r *run) error {
	for looks := 0; ; looks++ {
		entries, err := r.service.List(ctx, g.in)
		g.problem = err
		if err == nil || r.service.Missing(err) {
			if err := g.look(r, entries); err != nil {
				return err
			}
		}
		if g.expire(r) || backoff.Sleep(ctx, backoff.Exponential(firstPause, longestPause, looks)) != nil {
			break
		}
	}
	return r.giveUp(ctx, g)
}

// expire reports that nothing is awaited, or not any more.
func (g *waiting) expire(r *run) bool {
	for _, a := range g.awaits {
		if since(a.At) < r.settleTime() {
			return false
		}
	}
	return true
}

// giveUp ends waits that took too long, unless the record lies in another
// folder by now.
func (r *run) giveUp(ctx context.Context, g *waiting) error {
	var problems []error
	for key, a := range g.awaits {
		if since(a.At) < r.settleTime() {
			continue
		}
		if !isIntent(key) {
			if rec, err := r.service.Get(ctx, key); err == nil && a.shownBy(rec) {
				delete(g.awaits, key)
				problems = append(problems, r.manifest.saw(key, a, rec))
				continue
			}
		}
		problems = append(problems, r.manifest.await(key, nil))
	}
	return errors.Join(problems...)
}

// look ends the waits for all effects that a folder shows.
func (g *waiting) look(r *run, entries []record) error {
	listed := map[plan.Key]*record{}
	for i := range entries {
		if !entries[i].Deleted {
			listed[entries[i].Key] = &entries[i]
		}
	}
	var problems []error
	for key, a := range g.awaits {
		rec := listed[key]
		if isIntent(key) {
			if rec = a.among(entries, key.Dir, r.manifest); rec == nil {
				continue
			}
		} else if !a.shownBy(rec) {
			continue
		}
		delete(g.awaits, key)
		problems = append(problems, r.manifest.saw(key, a, rec))
	}
	return errors.Join(problems...)
}

// shownBy reports whether a record, nil for none, shows the effect.
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

// among returns the record that may have been made: it has the name, and no
// entry.
func (a *awaited) among(entries []record, dir bool, m *manifest) *record {
	for n := range entries {
		rec := &entries[n]
		if rec.Key.Dir == dir && rec.Name == a.Name && rec.ID != "" && !rec.Deleted && !m.knows(rec.Key) {
			return rec
		}
	}
	return nil
}

func (m *manifest) knows(key plan.Key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.base[key]
	return known
}

// saw notes an effect that the service shows. A record that this mirror has
// made holds the content that it sent: nobody else knew of it.
func (m *manifest) saw(key plan.Key, a awaited, rec *record) error {
	if isIntent(key) {
		e := plan.Entry{Key: rec.Key, Parent: plan.Folder(a.In).ID, Name: rec.Name, Alias: a.Name, Sent: a.Digest, SentSize: a.Size}
		return m.update(note{ID: rec.Key.ID, Dir: rec.Key.Dir, Entry: &e}, note{ID: key.ID, Dir: key.Dir})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.noteOf(key)
	if n.Await = nil; n.Entry != nil && a.Made {
		n.Entry.Name = rec.Name
		if a.Digest != "" && n.Entry.Sent == a.Digest {
			n.Entry.Version, n.Entry.Digest, n.Entry.Sent, n.Entry.SentSize = rec.Version, a.Digest, "", 0
		}
	}
	return m.updateLocked(n)
}

// unseenIn reports effects that the service did not show. They are no failures
// when the caller ended the run.
func (r *run) unseenIn(g *waiting) {
	err := practice.ErrNotVisibleYet
	if g.problem != nil && !r.service.Missing(g.problem) {
		err = fmt.Errorf("%w: %w", practice.ErrNotVisibleYet, g.problem)
	}
	for key, a := range g.awaits {
		r.made.mu.Lock()
		result, ours := r.made.results[key]
		r.made.mu.Unlock()
		switch {
		case a.Drop || isIntent(key):
		case r.account.ctx.Err() != nil:
			if ours && !key.Dir {
				r.unseen()
			}
		case ours:
			result.Err = err
			r.revoke(result)
		default:
			r.add(Result{Path: a.Name, ID: key.ID, IsDir: key.Dir, Err: err})
		}
	}
}

// Pauses between two looks at a folder.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)
