package plan

import (
	"path"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// pull plans what here has to follow. Names and places that changed there hold,
// also where they changed here as well.
func (p *planner) pull() {
	all := p.sorted()
	for _, it := range all {
		it.to, it.name = p.pullTarget(it)
	}
	p.cutCycles(all)
	p.findRemovals(all)
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

// pullTarget returns the folder that holds an item here in the end, and its
// name as far as it is known.
func (p *planner) pullTarget(it *item) (to *item, name string) {
	switch {
	case it.here == nil && it.there == nil:
		return nil, ""
	case it.there == nil || it.unknown:
		return it.hereIn, it.nameHere()
	case it.here == nil:
		return it.thereIn, ""
	case it.base == nil || it.there.Parent == it.base.Parent:
		return it.hereIn, it.nameHere()
	}
	return it.thereIn, it.nameHere()
}

// nameHere is the name here, without the one that it has for a moment.
func (it *item) nameHere() string {
	switch {
	case it.parked:
		return it.base.Alias
	case it.here == nil:
		return ""
	}
	return path.Base(it.here.Path)
}

// cutCycles takes back moves that would put folders into each other: A into B
// on one side and B into A on the other. The move that was made there holds.
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

// findRemovals marks what is gone there and has no other content here.
func (p *planner) findRemovals(all []*item) {
	p.keepFolders(all, func(it *item) bool {
		return it.here != nil && it.base != nil && it.there == nil && !it.unknown
	}, func(it *item) bool { return it.base.alike() && it.hereSame() }, p.stays)
}

// arrives reports something of the service that here will have.
func (p *planner) arrives(it *item) bool {
	return it.there != nil && (it.key.Dir || it.there.Stored) && !p.unreachable(it)
}

// unreachable reports an item that lies, or would lie, where nothing is done.
func (p *planner) unreachable(it *item) bool {
	for n := 0; it != nil && n <= len(p.items)+len(p.paths); n++ {
		if it.unknown {
			return true
		}
		it = it.to
	}
	return false
}

// stays reports an item that here has in the end.
func (p *planner) stays(it *item) bool { return !it.remove && (it.here != nil || p.arrives(it)) }

// nameIn gives each item of a folder its name here. What keeps its place and
// name in the service keeps its name here.
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

// placed returns the entry of an item once its name and place here are those
// that it gets. A name that was changed here only is still to be sent.
func (it *item) placed() Entry {
	alias := it.name
	if it.base != nil && it.here != nil && it.there.Name == it.base.Name && !it.parked && path.Base(it.here.Path) != it.base.Alias &&
		!filenames.SameForm(path.Base(it.here.Path), it.base.Alias) {
		alias = it.base.Alias
	}
	return it.entry(alias)
}

// pullOne plans the content of a file, and says what becomes of an item.
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
		p.outcome(it, Removed, it.here.Path).Place = it.removal()
	case it.key.Dir:
		p.pulledFolder(it)
	case !it.there.Stored:
		at := path.Join(p.pathOf(it.to), filenames.Local(it.there.Name))
		if it.here != nil {
			at = p.pathOf(it)
		}
		p.outcome(it, Ignored, at)
	default:
		p.pullContent(it)
	}
}

// pulledFolder reports a folder that was moved, and notes one that was found.
func (p *planner) pulledFolder(it *item) {
	if it.state.step == nil {
		if e := it.placed(); it.base == nil || e != *it.base {
			p.note(it, e)
		}
	}
	if at := p.pathOf(it); it.here != nil && !it.parked && at != it.here.Path {
		o := p.outcome(it, Moved, at)
		o.From, o.Place = it.here.Path, it.movedBy()
	}
}

// movedBy returns the step that moves an item, or a folder that holds it.
func (it *item) movedBy() *Step {
	for ; it != nil; it = it.state.in {
		if it.state.step != nil {
			return it.state.step
		}
	}
	return nil
}

// pullContent plans the content of a file that the service has.
func (p *planner) pullContent(it *item) {
	e := it.placed()
	action := Kept
	switch {
	case it.here == nil:
		action = Created
	case it.hereSame() && it.thereSame():
	case it.hereSame():
		action = Updated
	case it.thereSame() && !p.Overwrite:
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
			action = Conflict
		}
	}
	p.carry(it, action, e)
}

// carry adds the step that a action about a content takes.
func (p *planner) carry(it *item, action Action, e Entry) {
	o := p.outcome(it, action, p.pathOf(it))
	if it.here != nil && !it.parked && o.Path != it.here.Path {
		o.From, o.Place = it.here.Path, it.movedBy()
	}
	step := &Step{Op: Receive, Key: it.key, Path: o.Path, Entry: e, Here: it.here, There: it.there}
	switch action {
	case Created, Updated:
	case Conflict:
		if p.decidePull(it, o, step) {
			return
		}
	default:
		if o.From != "" && action == Kept {
			o.Action = Moved
		}
		known := it.base
		if moved := it.state.step; moved != nil {
			known = &moved.Entry
		}
		if known == nil || e != *known {
			p.note(it, e)
		}
		return
	}
	step.Entry.Version = it.there.Version
	o.Size, o.Transfer = max(0, it.there.Size), step
	p.Transfers = append(p.Transfers, step)
}

// decidePull follows the choice about a conflict, and reports whether nothing
// is received.
func (p *planner) decidePull(it *item, o *Outcome, step *Step) (done bool) {
	choice := p.Choices[it.key]
	if p.Overwrite {
		choice = KeepRemote
	}
	switch choice {
	case KeepRemote:
		o.Action = Updated
	case KeepLocal: // what is here is one of this version now, and still to be sent
		step.Entry.Version, step.Entry.Digest, step.Entry.Sent, step.Entry.SentSize = it.there.Version, "", "", 0
		step.Entry.Stamp = ""
		p.note(it, step.Entry)
		return true
	case KeepBoth:
		step.Aside = path.Join(path.Dir(o.Path), p.copyName(it, it.name))
		o.Copy = step.Aside
	default:
		p.Conflicts = append(p.Conflicts, o)
		return true
	}
	return false
}
