package plan

import (
	"path"
)

// push plans the remote changes. Remote names need not be distinct, so no move
// is in the way of another one.
func (p *planner) push(all []*item) {
	for _, it := range all {
		if it.here != nil {
			p.inside[it.hereIn] = append(p.inside[it.hereIn], it)
		}
	}
	for _, it := range all {
		switch {
		case p.wanted(it):
			p.need(it)
		case it.moves() && p.blocked(it.to):
			it.to = it.thereIn
		case it.moves() && it.to != nil && it.to.there == nil:
			p.need(it.to)
		}
	}
	for _, it := range all {
		p.place(it)
	}
	for _, it := range all {
		p.pushOne(it)
	}
	for i := len(all) - 1; i >= 0; i-- {
		p.dropOne(all[i])
	}
}

// wanted reports whether an item has to be made in the service.
func (p *planner) wanted(it *item) bool {
	switch {
	case it.here == nil || it.there != nil || it.other || it.unknown || it.parked || p.blocked(it):
		return false
	case it.base == nil:
		return true
	}
	return !it.key.Dir && !it.hereSame()
}

// blocked reports whether an item lies in a remote folder that is ambiguous or
// unread.
func (p *planner) blocked(it *item) bool {
	if it == nil {
		return p.unread(Folder(""))
	}
	for in := it.hereIn; ; in = in.hereIn {
		if it.unknown {
			return true
		}
		if in == nil {
			return p.unread(Folder(""))
		}
		if it = in; in.unread {
			return true
		}
	}
}

// need marks an item, and the folders that hold it, as to be made.
func (p *planner) need(it *item) {
	for ; it != nil && it.there == nil && !it.needed; it = it.to {
		it.needed, it.state.visiting = true, false
	}
}

// place adds the step that makes a folder, or renames or moves an item.
func (p *planner) place(it *item) {
	if it.state.visiting || it.unknown {
		return
	}
	it.state.visiting = true
	if it.to != nil {
		p.place(it.to) // folders first: none is put into itself
	}
	switch {
	case it.key.Dir && it.needed && it.there == nil:
		it.state.step = p.target(&Step{Op: MakeFolder, Path: it.here.Path, Name: it.name, Here: it.here}, it)
		it.state.step.Key = Key{Dir: true}
		it.state.step.Entry = Entry{Name: it.name, Alias: path.Base(it.here.Path), Inode: it.here.Inode}
	case it.moves():
		it.state.step = p.target(&Step{Op: Place, Key: it.key, Path: it.here.Path, Name: it.name, Entry: it.sent(), Here: it.here, There: it.there}, it)
	default:
		return
	}
	level := 1 // the first one holds the notes of learn
	for in := it.to; in != nil; in = in.to {
		level++
	}
	for len(p.Structure) <= level {
		p.Structure = append(p.Structure, nil)
	}
	p.Structure[level] = append(p.Structure[level], it.state.step)
}

// target sets the remote folder of a step of a push.
func (p *planner) target(s *Step, it *item) *Step {
	switch {
	case it.to == nil:
		s.In = Key{Dir: true}
	case it.to.there != nil:
		s.In = it.to.key
	default:
		s.InPath = it.to.here.Path
	}
	if it.base != nil && it.there == nil {
		s.Replaces = it.key
	}
	return s
}

// sent returns the entry of an item whose name or place is sent. Changes of the
// service remain to be pulled.
func (it *item) sent() Entry {
	e := *it.base
	if it.name != it.there.Name {
		e.Name, e.Alias = it.name, path.Base(it.here.Path)
	}
	if it.to != it.thereIn {
		e.Parent = ""
		if it.to != nil {
			e.Parent = it.to.key.ID
		}
	}
	e.Inode = it.here.Inode
	return e
}

// pushOne plans the content and the outcome of an item.
func (p *planner) pushOne(it *item) {
	switch {
	case it.here != nil && p.blocked(it):
		if !it.unknown && !it.key.Dir {
			p.Blocked++
		}
	case it.unknown:
	case it.other:
		p.outcome(it, Ignored, it.here.Path)
	case it.here == nil:
	case it.there == nil && it.key.Dir:
	case it.there == nil && it.needed:
		s := p.target(&Step{Op: Create, Path: it.here.Path, Name: it.name, Here: it.here}, it)
		s.Entry = Entry{Name: it.name, Alias: path.Base(it.here.Path), Inode: it.here.Inode, Stamp: it.here.Stamp}
		o := p.outcome(it, Created, it.here.Path)
		o.Key, o.Transfer = Key{}, s
		p.Transfers = append(p.Transfers, s)
	case it.there == nil:
		p.outcome(it, Waiting, it.here.Path)
	default:
		p.both(it)
	}
}

// dropOne deletes or reports an item that is gone locally.
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
	case !it.key.Dir && !it.there.Stored: // a create was interrupted, and its file is gone
		p.outcome(it, Ignored, BasePath(p.trees.Base, *it.base))
	case it.key.Dir || it.base.alike() && it.thereSame():
		p.outcome(it, Gone, BasePath(p.trees.Base, *it.base))
	default:
		p.outcome(it, Waiting, BasePath(p.trees.Base, *it.base))
	}
}

// moves reports whether an item gets another remote name or folder.
func (it *item) moves() bool {
	return it.there != nil && it.here != nil && !it.unknown && (it.to != it.thereIn || it.name != it.there.Name)
}
