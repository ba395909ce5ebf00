package plan

import (
	"path"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// push plans what there has to follow. Names there need not be distinct, so no
// move is in the way of another one.
func (p *planner) push() {
	all := p.sorted()
	for _, it := range all {
		it.to, it.name = p.pushTarget(it)
	}
	p.cutCycles(all)
	for _, it := range all {
		if it.here != nil {
			p.inside[it.hereIn] = append(p.inside[it.hereIn], it)
		}
	}
	p.findDrops(all)
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

// pushTarget returns the folder that holds an item there in the end, and its
// name there.
func (p *planner) pushTarget(it *item) (to *item, name string) {
	switch {
	case it.there == nil && it.here == nil:
		return nil, ""
	case it.there == nil:
		return it.hereIn, path.Base(it.here.Path)
	case it.here == nil || it.base == nil || it.parked || it.unknown:
		return it.thereIn, it.there.Name
	}
	to, name = it.thereIn, it.there.Name
	if it.hereIn != it.baseIn && it.there.Parent == it.base.Parent {
		to = it.hereIn
	}
	if base := path.Base(it.here.Path); !filenames.SameForm(base, it.base.Alias) && it.there.Name == it.base.Name {
		name = base
	}
	return to, name
}

// wanted reports something that has to be made there.
func (p *planner) wanted(it *item) bool {
	switch {
	case it.here == nil || it.there != nil || it.other || it.unknown || it.parked || p.blocked(it):
		return false
	case it.base == nil:
		return true
	}
	return !it.key.Dir && !it.hereSame()
}

// blocked reports an item in a folder of which nobody can say which one it is
// there, or that cannot be looked at.
func (p *planner) blocked(it *item) bool {
	if it == nil {
		return p.unread(Folder(""))
	}
	for in := it.hereIn; ; in = in.hereIn {
		if it.ambiguous || it.unknown {
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

// need marks what has to be made, and the folders that have to be made for it.
func (p *planner) need(it *item) {
	for ; it != nil && it.there == nil && !it.needed; it = it.to {
		it.needed, it.state.visiting = true, false
	}
}

// place makes a folder, or moves what has another name or folder here.
func (p *planner) place(it *item) {
	if it.state.visiting || it.unknown {
		return
	}
	it.state.visiting = true
	if it.to != nil {
		p.place(it.to) // folders first: none is put into one that it holds
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
	level := 1 // the first one holds what was learned
	for in := it.to; in != nil; in = in.to {
		level++
	}
	for len(p.Structure) <= level {
		p.Structure = append(p.Structure, nil)
	}
	p.Structure[level] = append(p.Structure[level], it.state.step)
}

// target says where a step of a push puts something.
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

// sent returns the entry of an item whose name or place is sent. What only the
// service has changed is still to be pulled.
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

// pushOne plans the content of a file, and says what becomes of an item.
func (p *planner) pushOne(it *item) {
	switch {
	case it.here != nil && p.blocked(it):
		if !it.unknown && !it.ambiguous && !it.key.Dir {
			p.Blocked++
		}
	case it.unknown:
	case it.other:
		p.outcome(it, Ignored, it.here.Path)
	case it.here == nil:
	case it.key.Dir:
		p.pushedFolder(it)
	case it.there == nil && it.needed:
		s := p.target(&Step{Op: Create, Path: it.here.Path, Name: it.name, Here: it.here}, it)
		s.Entry = Entry{Name: it.name, Alias: path.Base(it.here.Path), Inode: it.here.Inode, Stamp: it.here.Stamp}
		o := p.outcome(it, Created, it.here.Path)
		o.Key, o.Transfer = Key{}, s
		p.Transfers = append(p.Transfers, s)
	case it.there == nil:
		p.outcome(it, Waiting, it.here.Path)
	default:
		p.pushContent(it)
	}
}

func (p *planner) pushedFolder(it *item) {
	switch {
	case it.there == nil:
	case it.base == nil:
		p.note(it, it.entry(path.Base(it.here.Path)))
	case it.state.step != nil:
		o := p.outcome(it, Moved, it.here.Path)
		o.From, o.Place = BasePath(p.trees.Base, *it.base), it.state.step
	}
}

// pushContent plans the content of a file that both sides have.
func (p *planner) pushContent(it *item) {
	action, e := Kept, it.entryOfPush()
	switch {
	case !it.there.Stored:
		action = Resumed
	case it.hereSame() && it.thereSame():
	case it.hereSame():
		action = Waiting
	case it.thereSame():
		action = Updated
	default:
		switch p.compare(it) {
		case open:
			return
		case alike:
			e = it.agreed(e)
		case differs:
			if action = Conflict; p.BySize {
				action = Updated
			}
		}
	}
	o := p.outcome(it, action, it.here.Path)
	if it.state.step != nil {
		o.From, o.Place = BasePath(p.trees.Base, *it.base), it.state.step
		if action == Kept {
			o.Action = Moved
		}
	}
	step := p.target(&Step{Op: Send, Key: it.key, Path: it.here.Path, Name: it.there.Name, Entry: e, Here: it.here, There: it.there}, it)
	switch action {
	case Kept, Waiting:
		if it.base == nil && action == Kept || it.base != nil && e != it.entryOfPush() {
			p.note(it, e)
		}
		return
	case Resumed:
		step.Op = Resume
	case Conflict:
		if p.decidePush(it, o, step) {
			return
		}
	}
	if step.Op != Create {
		step.Entry.Inode, step.Entry.Stamp = it.here.Inode, it.here.Stamp
	}
	o.Transfer = step
	p.Transfers = append(p.Transfers, step)
}

// entryOfPush is the entry after the step that places an item, if there is one.
func (it *item) entryOfPush() Entry {
	switch {
	case it.base == nil:
		return it.entry(path.Base(it.here.Path))
	case it.state.step != nil:
		return it.sent()
	}
	return *it.base
}

// decidePush follows the choice about a conflict, and reports whether nothing
// is sent.
func (p *planner) decidePush(it *item, o *Outcome, step *Step) (done bool) {
	switch p.Choices[it.key] {
	case KeepLocal:
		o.Action = Updated
	case KeepRemote: // what is here is let go: a pull replaces it
		step.Entry.Version, step.Entry.Digest, step.Entry.Sent, step.Entry.SentSize = "", it.here.Digest, "", 0
		step.Entry.Inode, step.Entry.Stamp = it.here.Inode, it.here.Stamp
		p.note(it, step.Entry)
		return true
	case KeepBoth:
		name := p.copyName(it, path.Base(it.here.Path))
		step.Aside = path.Join(path.Dir(it.here.Path), name)
		step.Op, step.Key, step.Name, step.There = Create, Key{}, name, nil
		step.Entry = Entry{Name: name, Alias: name, Inode: it.here.Inode} // a rename changes the stamp
		p.here(step, it)
		o.Copy = step.Aside
	default:
		p.Conflicts = append(p.Conflicts, o)
		return true
	}
	return false
}

// here puts what a step makes into the folder that holds an item here.
func (p *planner) here(s *Step, it *item) {
	switch in := it.hereIn; {
	case in == nil:
		s.In = Key{Dir: true}
	case in.there != nil:
		s.In = in.key
	default:
		p.need(in)
		p.place(in)
		s.InPath = in.here.Path
	}
}
