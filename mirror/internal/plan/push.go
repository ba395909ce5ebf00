package plan

// markThere marks the remote items that a push creates, renames and moves.
func (p *planner) markThere(all []*item) {
	for _, it := range all {
		switch {
		case p.wanted(it):
			p.need(it)
		case it.there != nil && it.here != nil && (it.to != it.thereIn || it.name != it.there.Name) && !p.left(it):
			it.state.pending = true
			p.need(it.to)
		}
	}
}

// wanted reports whether an item must be created remotely.
func (p *planner) wanted(it *item) bool {
	switch {
	case it.here == nil || it.there != nil || it.other || it.parked || p.left(it):
		return false
	case it.base == nil:
		return true
	}
	return !it.key.Dir && !it.hereSame()
}

// need marks an item and its parent folders for creation.
func (p *planner) need(it *item) {
	for ; it != nil && it.there == nil && !it.needed; it = it.to {
		it.needed, it.state.pending = true, it.key.Dir
	}
}

// place adds the step of a push that creates a folder, or renames or moves an
// item. Remote names need not be distinct, so no name has to be freed first.
func (p *planner) place(it *item) {
	s := &Step{Op: Place, Key: it.key, Path: it.here.Path, Name: it.name, Here: it.here, There: it.there}
	s.In, s.Within = p.folder(it.to)
	if it.there == nil {
		s.Op, s.Key = MakeFolder, Key{Dir: true}
		s.Entry = Entry{Name: it.name, Alias: it.local, Inode: it.here.Inode}
	} else {
		s.Entry = p.entry(it)
	}
	it.state.step = s
	level := 1 // level 0 holds the notes of learn
	for in := it.to; in != nil; in = in.to {
		level++
	}
	for len(p.Structure) <= level {
		p.Structure = append(p.Structure, nil)
	}
	p.Structure[level] = append(p.Structure[level], s)
}

// folder returns the key of a folder and the step that creates it, or a nil
// step if it exists on the target side.
func (p *planner) folder(it *item) (Key, *Step) {
	switch {
	case it == nil:
		return Key{Dir: true}, nil
	case p.Push && it.there == nil, !p.Push && it.here == nil:
		return Key{}, it.state.step
	}
	return it.key, nil
}

// create plans a new document.
func (p *planner) create(it *item) {
	s := &Step{Op: Create, Path: it.here.Path, Name: it.name, Here: it.here}
	s.In, s.Within = p.folder(it.to)
	s.Entry = Entry{Name: it.name, Alias: it.local, Inode: it.here.Inode, Stamp: it.here.Stamp}
	o := p.outcome(it, Created)
	o.Key, o.Transfer = Key{}, s
}
