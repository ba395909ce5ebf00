package plan

// aim sets the folder and the name of an item after the plan. The name may not
// be distinct yet. A remote move or rename takes precedence.
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

// cutCycles cancels moves that would put two folders into each other: A into B
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

// findGone marks removals, with Delete: files that are gone on the source side
// and unchanged on the target side, and folders that are gone and become empty.
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

// gone reports whether an item was on both sides and is missing on the source
// side.
func (p *planner) gone(it *item) bool {
	if it.base == nil || p.left(it) {
		return false
	}
	return p.Push && it.here == nil && it.there != nil || !p.Push && it.here != nil && it.there == nil
}
