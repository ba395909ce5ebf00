package plan

import (
	"path"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// markHere marks what a pull makes, renames and moves on disk, and sets the
// names of all that stays.
func (p *planner) markHere(all []*item) {
	for _, it := range all {
		if p.stays(it) {
			p.inside[it.to] = append(p.inside[it.to], it)
		}
	}
	for _, items := range p.inside {
		nameIn(items)
	}
	for _, it := range all {
		if it.here == nil {
			it.state.pending = it.key.Dir && p.stays(it)
			continue
		}
		it.state.in, it.state.name = it.hereIn, path.Base(it.here.Path)
		if it.parked {
			it.state.in, it.state.name = nil, it.here.Path
		}
		p.enter(it)
		it.state.pending = p.stays(it) && it.there != nil && !p.left(it) && (it.parked || it.to != it.hereIn || it.name != it.state.name)
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
	return it.there != nil && (it.key.Dir || it.there.Stored) && !p.left(it)
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
