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

// settle waits until the service shows what it was asked for: by an earlier
// run, before anything is planned, or by this one, in the end. What it does not
// show in time is not awaited any more.
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

// waiting is what one folder of the service has to show.
type waiting struct {
	in      string
	awaits  map[plan.Key]awaited
	intents map[string]intent
	problem error // of the last look
}

// groups returns all that is awaited, by folder.
func (r *run) groups() []*waiting {
	_, awaits, intents := r.manifest.snapshot()
	groups := map[string]*waiting{}
	in := func(id string) *waiting {
		key := plan.Folder(id).ID
		if groups[key] == nil {
			groups[key] = &waiting{in: id, awaits: map[plan.Key]awaited{}, intents: map[string]intent{}}
		}
		return groups[key]
	}
	for key, a := range awaits {
		in(a.In).awaits[key] = a
	}
	for name, i := range intents {
		in(i.In).intents[name] = i
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
	for _, i := range g.intents {
		if since(i.At) < r.settleTime() {
			return false
		}
	}
	return true
}

// giveUp lets go of what was awaited for too long, unless somebody has moved it
// into another folder.
func (r *run) giveUp(ctx context.Context, g *waiting) error {
	var problems []error
	for key, a := range g.awaits {
		if since(a.At) < r.settleTime() {
			continue
		}
		rec, err := r.service.Get(ctx, key)
		if err == nil && a.shownBy(rec) {
			delete(g.awaits, key)
			problems = append(problems, r.manifest.saw(key, a, rec))
			continue
		}
		problems = append(problems, r.manifest.await(key, nil))
	}
	for name, i := range g.intents {
		if since(i.At) >= r.settleTime() {
			problems = append(problems, r.manifest.update(note{Intent: name, Dir: i.dir}))
		}
	}
	return errors.Join(problems...)
}

// look drops what a folder shows to be done, and notes it.
func (g *waiting) look(r *run, entries []record) error {
	listed := map[plan.Key]*record{}
	for i := range entries {
		if !entries[i].Deleted {
			listed[entries[i].Key] = &entries[i]
		}
	}
	var problems []error
	for key, a := range g.awaits {
		if a.shownBy(listed[key]) {
			delete(g.awaits, key)
			problems = append(problems, r.manifest.saw(key, a, listed[key]))
		}
	}
	for name, i := range g.intents {
		if rec := i.among(entries, r.manifest); rec != nil {
			delete(g.intents, name)
			problems = append(problems, r.manifest.found(name, i, rec))
		}
	}
	return errors.Join(problems...)
}

// shownBy reports whether a record, or that there is none, is what was asked
// for.
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

// among returns the record of what may have been made: the base does not know
// it, and it has the name.
func (i *intent) among(entries []record, m *manifest) *record {
	for n := range entries {
		rec := &entries[n]
		if rec.Key.Dir == i.dir && rec.Name == i.Name && rec.ID != "" && !rec.Deleted && !m.knows(rec.Key) {
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

// saw notes that the service shows what was awaited. The content of a record
// that was made just then is the one that was sent: nobody else knew of it.
func (m *manifest) saw(key plan.Key, a awaited, rec *record) error {
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

// found notes the record of what may have been made.
func (m *manifest) found(name string, i intent, rec *record) error {
	e := plan.Entry{Key: rec.Key, Parent: plan.Folder(i.In).ID, Name: rec.Name, Alias: i.Name, Sent: i.Digest, SentSize: i.Size}
	return m.update(note{ID: rec.Key.ID, Dir: rec.Key.Dir, Entry: &e}, note{Intent: name, Dir: i.dir})
}

// unseenIn reports what the service did not show. When the caller ended the
// run, there was no time to see it: that is no failure.
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
		case a.Drop:
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

// freshLists are lists of folders that are moments old.
type freshLists struct {
	mu    sync.Mutex
	lists map[string]freshList
}

type freshList struct {
	at      time.Time
	entries []record
}

// freshFor is how long a list counts as the look before something is deleted.
const freshFor = 2 * time.Second

func (f *freshLists) list(ctx context.Context, s service, key, id string) ([]record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if l, ok := f.lists[key]; ok && time.Since(l.at) < freshFor {
		return l.entries, nil
	}
	at := time.Now()
	entries, err := s.List(ctx, id)
	if err != nil {
		return nil, err
	}
	if f.lists == nil {
		f.lists = map[string]freshList{}
	}
	f.lists[key] = freshList{at, entries}
	return entries, nil
}

// Pauses between two looks at what the service does later.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)
