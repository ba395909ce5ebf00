package plan

import (
	"path"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// markHere marks the local items that a pull creates, renames and moves, and
// sets the names of all remaining ones.
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
			it.state.in = nil
		}
		p.enter(it)
		it.state.pending = p.stays(it) && (it.there != nil || it.parked) && !p.left(it) && (it.parked || it.to != it.hereIn || it.name != it.state.name)
	}
}

// arrives reports whether a remote item must exist locally after the plan.
func (p *planner) arrives(it *item) bool {
	return it.there != nil && (it.key.Dir || it.there.Stored) && !p.left(it)
}

// stays reports whether an item exists locally after the plan.
func (p *planner) stays(it *item) bool { return !it.remove && (it.here != nil || p.arrives(it)) }

// nameIn makes the names of the items in a local folder distinct. Items that
// keep folder and name take precedence.
func nameIn(items []*item) {
	var taken []string
	var fresh []*item
	var entries []filenames.Entry
	for _, it := range items {
		if it.here != nil && !it.parked && it.to == it.hereIn && it.name == it.local {
			taken = append(taken, it.name)
			continue
		}
		fresh = append(fresh, it)
		entries = append(entries, filenames.Entry{Name: it.name, ID: it.key.ID, Folder: it.key.Dir})
	}
	for i, name := range filenames.DistinctLocalBeside(entries, taken) {
		fresh[i].name = name
	}
}
