package plan

// findDrops marks what is gone here and has no other content there.
func (p *planner) findDrops(all []*item) {
	p.keepFolders(all, func(it *item) bool {
		return it.here == nil && it.base != nil && it.there != nil && !it.unknown
	}, func(it *item) bool { return it.base.alike() && it.thereSame() },
		func(it *item) bool { return it.there != nil || it.needed })
}

// keepFolders marks which of the items that are gone on the other side are
// removed: files that are as they were, and folders in which nothing stays.
func (p *planner) keepFolders(all []*item, gone, same, stays func(*item) bool) {
	full := map[*item]bool{}
	for _, it := range all {
		folder := it.key.Dir && gone(it)
		it.remove = p.Delete && gone(it) && !it.key.Dir && same(it)
		if folder || it.remove || !stays(it) {
			continue
		}
		for in := it.to; in != nil && !full[in]; in = in.to {
			full[in] = true
		}
	}
	for _, it := range all {
		if it.key.Dir && gone(it) {
			it.remove = p.Delete && !full[it]
		}
	}
}

// dropOne deletes what is gone here, or reports it.
func (p *planner) dropOne(it *item) {
	switch {
	case it.unknown || it.here != nil || it.base == nil:
	case it.there == nil:
		p.forget(it)
	case it.remove:
		s := &Step{Op: Drop, Key: it.key, Path: BasePath(p.trees.Base, *it.base), There: it.there}
		p.Removals++
		p.outcome(it, Removed, s.Path).Place = s
		p.Drops = append(p.Drops, s)
	case !it.key.Dir && !it.there.Stored: // of a create that was interrupted, whose file is gone
		p.outcome(it, Ignored, BasePath(p.trees.Base, *it.base))
	case it.key.Dir || it.base.alike() && it.thereSame():
		p.outcome(it, Gone, BasePath(p.trees.Base, *it.base))
	default:
		p.outcome(it, Waiting, BasePath(p.trees.Base, *it.base))
	}
}

// moves reports an item that gets another name or folder there.
func (it *item) moves() bool {
	return it.there != nil && it.here != nil && !it.unknown && (it.to != it.thereIn || it.name != it.there.Name)
}
