package plan

import (
	"path"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// aim sets the folder that holds an item in the end, and its name on the
// written side as far as it is known. A remote change of its place takes
// precedence.
func (p *planner) aim(it *item) {
	switch {
	case it.there == nil, it.unknown && !p.Push:
		it.to = it.hereIn
	case it.here == nil, it.unknown, it.base != nil && it.there.Parent != it.base.Parent:
		it.to = it.thereIn
	default:
		it.to = it.hereIn
	}
	switch {
	case !p.Push, it.there == nil:
		it.name = it.nameHere()
	case it.here == nil || it.base == nil || it.parked || it.unknown || it.there.Name != it.base.Name ||
		filenames.SameForm(path.Base(it.here.Path), it.base.Alias):
		it.name = it.there.Name
	default:
		it.name = path.Base(it.here.Path)
	}
}

// cutCycles takes back moves that would put folders into each other: A into B
// on one side and B into A on the other. The remote move takes precedence.
func (p *planner) cutCycles(all []*item) {
	const visiting, done = 1, 2
	seen := map[*item]int{}
	for _, it := range all {
		var chain []*item
		at := it
		for at != nil && seen[at] == 0 {
			seen[at] = visiting
			chain = append(chain, at)
			at = at.to
		}
		if at != nil && seen[at] == visiting {
			for again := at; ; {
				next := again.to
				if again.there != nil {
					again.to = again.thereIn
				}
				if again = next; again == at {
					break
				}
			}
		}
		for _, one := range chain {
			seen[one] = done
		}
	}
}

// findGone marks removals: files that are gone on the side that is read and
// unchanged on the other one, and folders in which nothing stays.
func (p *planner) findGone(all []*item) {
	full := map[*item]bool{}
	for _, it := range all {
		folder := it.key.Dir && p.gone(it)
		it.remove = p.Delete && !it.key.Dir && p.gone(it) && it.base.alike() && (p.Push && it.thereSame() || !p.Push && it.hereSame())
		if folder || p.Push && (it.there == nil || it.remove) || !p.Push && !p.stays(it) {
			continue
		}
		for in := it.to; in != nil && !full[in]; in = in.to {
			full[in] = true
		}
	}
	for _, it := range all {
		if it.key.Dir && p.gone(it) {
			it.remove = p.Delete && !full[it]
		}
	}
}

// gone reports whether an item was on both sides and is missing on the side
// that is read.
func (p *planner) gone(it *item) bool {
	if it.base == nil || p.left(it) {
		return false
	}
	return p.Push && it.here == nil && it.there != nil || !p.Push && it.here != nil && it.there == nil
}
