package plan

// aim sets the folder that holds an item in the end, and its name on the
// written side, which may not be distinct there. A remote change of its place
// takes precedence.
func (p *planner) aim(it *item) {
	switch {
	case it.there == nil, it.unknown && !p.Push:
		it.to = it.hereIn
	case it.here == nil, it.unknown, it.base != nil && it.there.Parent != it.base.Parent:
		it.to = it.thereIn
	default:
		it.to = it.hereIn
	}
	kept := it.base != nil && it.there != nil && it.there.Name == it.base.Name
	switch {
	case it.there == nil, it.unknown && !p.Push, p.Push && it.renamedHere():
		it.name = it.local
	case kept && it.here == nil && !p.Push:
		it.name = it.base.Alias
	case p.Push, it.here == nil, it.base != nil && !kept && !sameName(it.local, it.there.Name):
		it.name = it.there.Name
	default:
		it.name = it.local
	}
}

// cutCycles takes back moves that would put folders into each other: A into B
// on one side and B into A on the other. The remote move takes precedence.
func (p *planner) cutCycles(all []*item) {
	for _, it := range all {
		at := it.to
		for n := 0; at != nil && at != it && n < len(all); n++ {
			at = at.to
		}
		for more := at == it; more; more = at != it {
			next := at.to
			if at.there != nil {
				at.to = at.thereIn
			}
			at = next
		}
	}
}

// findGone marks removals: files that are gone on the side that is read and
// unchanged on the other one, and folders in which nothing stays.
func (p *planner) findGone(all []*item) {
	for _, it := range all {
		it.remove = p.Delete && p.gone(it) && (it.key.Dir || it.base.alike() && (p.Push && it.thereSame() || !p.Push && it.hereSame()))
	}
	for _, it := range all {
		if it.key.Dir && p.gone(it) || p.Push && (it.there == nil || it.remove) || !p.Push && !p.stays(it) {
			continue
		}
		for in := it.to; in != nil; in = in.to {
			in.remove = false
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
