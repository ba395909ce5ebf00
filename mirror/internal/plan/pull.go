package plan

import (
	"path"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// pull plans the local changes. Remote changes of names and places take
// precedence over local ones.
func (p *planner) pull(all []*item) {
	for _, it := range all {
		if p.stays(it) {
			p.inside[it.to] = append(p.inside[it.to], it)
		}
	}
	for _, items := range p.inside {
		nameIn(items)
	}
	p.arrange(all)
	for _, it := range all {
		p.pullOne(it)
	}
}

// nameHere returns the local name; for a parked item, the name before.
func (it *item) nameHere() string {
	switch {
	case it.parked:
		return it.base.Alias
	case it.here == nil:
		return ""
	}
	return path.Base(it.here.Path)
}

// arrives reports whether a record of the service gets a local place.
func (p *planner) arrives(it *item) bool {
	return it.there != nil && (it.key.Dir || it.there.Stored) && !p.unreachable(it)
}

// unreachable reports whether an item belongs into a folder that is left alone.
func (p *planner) unreachable(it *item) bool {
	for n := 0; it != nil && n <= len(p.items)+len(p.paths); n++ {
		if it.unknown {
			return true
		}
		it = it.to
	}
	return false
}

// stays reports whether an item exists locally after the plan.
func (p *planner) stays(it *item) bool { return !it.remove && (it.here != nil || p.arrives(it)) }

// nameIn sets the names of the items of a local folder. An item that keeps its
// name and folder in the service keeps its local name.
func nameIn(items []*item) {
	var taken []string
	var fresh []*item
	var entries []filenames.Entry
	for _, it := range items {
		renamed := it.there != nil && !it.unknown && (it.here == nil || it.base != nil && it.there.Name != it.base.Name)
		if it.here != nil && it.to == it.hereIn && (!renamed || sameName(it.name, it.there.Name)) {
			taken = append(taken, it.name)
			continue
		}
		name := it.name
		switch {
		case it.here == nil && it.base != nil && it.there.Name == it.base.Name:
			name = it.base.Alias
		case renamed:
			name = it.there.Name
		}
		fresh = append(fresh, it)
		entries = append(entries, filenames.Entry{Name: name, ID: it.key.ID, Folder: it.key.Dir})
	}
	if len(fresh) == 0 {
		return
	}
	for i, name := range filenames.DistinctLocalBeside(entries, taken) {
		fresh[i].name = name
	}
}

// entryHere returns the entry of an item after its local moves. A name that was
// changed only locally remains to be sent.
func (it *item) entryHere() Entry {
	alias := it.name
	if it.base != nil && it.here != nil && it.there.Name == it.base.Name && !it.parked && path.Base(it.here.Path) != it.base.Alias &&
		!filenames.SameForm(path.Base(it.here.Path), it.base.Alias) {
		alias = it.base.Alias
	}
	return it.entry(alias)
}

// pullOne plans the content and the outcome of an item.
func (p *planner) pullOne(it *item) {
	switch {
	case it.base != nil && it.here == nil && it.there == nil && !it.unknown:
		p.forget(it)
	case it.other:
		p.outcome(it, Ignored, it.here.Path)
	case it.base == nil && it.there == nil, p.unreachable(it):
	case it.there == nil && !it.remove:
		p.outcome(it, Gone, it.here.Path)
	case it.there == nil:
		p.Removals++
		p.outcome(it, Removed, it.here.Path).Place = it.state.step
	case !it.key.Dir && !it.there.Stored:
		at := path.Join(p.pathOf(it.to), filenames.Local(it.there.Name))
		if it.here != nil {
			at = p.pathOf(it)
		}
		p.outcome(it, Ignored, at)
	default:
		p.both(it)
	}
}
