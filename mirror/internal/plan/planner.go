package plan

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// planner holds the state of making one plan.
type planner struct {
	*matching
	*Plan
	Options
	listed map[*item][]*item // items by their remote folder
	held   map[*item][]*item // items by their local folder
	inside map[*item][]*item // items by their folder after the plan
	slots  map[slot][]*item  // items by their current local place, while moves are ordered
	parked int
	noted  []*Step // steps that only change the base; executed after the structural ones
}

// Make returns the plan for three trees.
func Make(trees *Trees, options Options) *Plan {
	p := &planner{
		matching: match(trees), Plan: &Plan{}, Options: options,
		listed: map[*item][]*item{}, inside: map[*item][]*item{}, slots: map[slot][]*item{},
	}
	for _, r := range trees.There {
		it := p.items[r.Key]
		p.listed[it.thereIn] = append(p.listed[it.thereIn], it)
	}
	p.hold()
	p.join()
	p.learn()
	all := p.sorted()
	for _, it := range all {
		p.aim(it)
	}
	p.cutCycles(all)
	p.findGone(all)
	p.arrange(all)
	for _, it := range all {
		p.settle(it)
	}
	slices.Reverse(p.Drops) // entries of a folder before the folder
	p.Structure = append(p.Structure, p.noted)
	slices.SortStableFunc(p.Outcomes, func(a, b *Outcome) int { return cmp.Compare(a.Path, b.Path) })
	return p.Plan
}

// hold groups the items by their local folder.
func (p *planner) hold() {
	p.held = map[*item][]*item{}
	for _, at := range slices.Sorted(maps.Keys(p.paths)) {
		it := p.paths[at]
		p.held[it.hereIn] = append(p.held[it.hereIn], it)
	}
}

// learn finds remote contents that this mirror sent, and records their
// versions.
func (p *planner) learn() {
	for _, r := range p.trees.There {
		it := p.items[r.Key]
		e := it.base
		if e == nil || e.Sent == "" || !r.Stored || e.Version == r.Version || it.unknown {
			continue
		}
		switch r.Digest {
		case "":
			p.Questions = append(p.Questions, r.Key)
		case e.Sent:
			e.Agree(r.Version, r.Digest)
			p.note(it, *e)
		}
	}
	p.Structure, p.noted = [][]*Step{p.noted}, nil
}

// note adds a step that only records an entry.
func (p *planner) note(it *item, e Entry) {
	p.noted = append(p.noted, &Step{Op: Note, Key: it.key, Entry: e, Here: it.here, There: it.there})
}

// hereSame reports whether the local content is that of the base.
func (it *item) hereSame() bool {
	return it.base != nil && it.base.Digest != "" && it.here.Digest == it.base.Digest
}

// thereSame reports whether the remote version is that of the base.
func (it *item) thereSame() bool {
	return it.base != nil && it.base.Version != "" && it.there.Version == it.base.Version
}

// compare reports whether both sides have the same content. known is false if
// the remote content must be read first.
func (p *planner) compare(here *Local, there *Remote) (same, known bool) {
	switch {
	case there.Size >= 0 && there.Size != here.Size:
		return false, true
	case there.Digest != "":
		return there.Digest == here.Digest, true
	case p.BySize && there.Size >= 0:
		return true, true
	}
	p.Questions = append(p.Questions, there.Key)
	return false, false
}

// entry returns the entry of an item after the structural steps of the plan. It
// keeps versions, digests and changes that the other direction has to transfer.
func (p *planner) entry(it *item) Entry {
	var e Entry
	if it.base != nil {
		e = *it.base
	}
	e.Key = it.key
	switch {
	case it.there == nil: // a parked item gets its name back
		if e.Alias, e.Parked = it.name, ""; it.to == nil {
			e.Parent = ""
		}
	case !p.Push:
		if e.Parent, e.Name, e.Parked = it.there.Parent, it.there.Name, ""; !it.renamedHere() {
			e.Alias = it.name
		}
	case it.base == nil:
		e.Parent, e.Name, e.Alias = it.there.Parent, it.there.Name, it.local
	default:
		if it.name != it.there.Name {
			e.Name, e.Alias = it.name, it.local
		}
		if it.to != it.thereIn {
			in, _ := p.folder(it.to)
			e.Parent = in.ID
		}
	}
	if it.here != nil {
		e.Inode = it.here.Inode
		if it.hereSame() && e.Sent == "" {
			e.Stamp = it.here.Stamp
		}
	}
	return e
}

// renamedHere reports whether only the local name of an item was changed.
func (it *item) renamedHere() bool {
	return it.base != nil && it.here != nil && !it.parked && it.there.Name == it.base.Name && !filenames.SameForm(it.local, it.base.Alias)
}

// copyName returns a free name for the local copy of a file in a conflict.
func (p *planner) copyName(it *item, name string) string {
	taken := map[string]bool{}
	for _, other := range append(p.inside[it.to], p.held[it.hereIn]...) {
		taken[filenames.OnDisk(other.name)], taken[filenames.OnDisk(other.local)] = true, true
	}
	aside := filenames.Marked(name, " (local copy)")
	for n := 2; taken[filenames.OnDisk(aside)]; n++ {
		aside = filenames.Marked(name, " (local copy "+strconv.Itoa(n)+")")
	}
	return aside
}

// left reports whether an item must be left alone, because it or one of its
// folders could not be read on one side or is ambiguous.
func (p *planner) left(it *item) bool {
	for range len(p.items) + len(p.paths) {
		if it.unknown {
			return true
		}
		if p.Push && it.here != nil {
			it = it.hereIn
		} else {
			it = it.to
		}
		if key, _ := p.folder(it); p.Push && p.trees.ThereUnread[key] {
			return true
		}
		if it == nil {
			break
		}
	}
	return false
}

// settle plans the content and the outcome of an item.
func (p *planner) settle(it *item) {
	switch {
	case p.left(it):
		if p.Push && it.here != nil && !it.unknown && !it.key.Dir {
			p.Blocked++
		}
	case it.other:
		p.outcome(it, Ignored)
	case it.here == nil && it.there == nil: // gone on both sides
		p.noted = append(p.noted, &Step{Op: Forget, Key: it.key})
	case it.remove:
		p.Removals++
		o := p.outcome(it, Removed)
		if o.Place = it.state.step; p.Push {
			o.Place = &Step{Op: Drop, Key: it.key, Path: o.Path, There: it.there}
			p.Drops = append(p.Drops, o)
		}
	case p.gone(it):
		p.outcome(it, p.missing(it)).Place = it.state.step
	case p.Push && it.here == nil, !p.Push && it.there == nil: // not in the base: the other direction transfers it
	case it.there == nil && it.key.Dir: // a step creates it if it is needed
	case it.there == nil && it.needed:
		p.create(it)
	case it.there == nil:
		p.outcome(it, Waiting)
	case !p.Push && !it.key.Dir && !it.there.Stored:
		p.outcome(it, Ignored)
	default:
		p.both(it)
	}
}

// missing returns the action for an item that is gone on the source side and is
// kept.
func (p *planner) missing(it *item) Action {
	switch {
	case it.key.Dir || !p.Push || it.base.alike() && it.thereSame():
		return Gone
	case !it.there.Stored: // its creation was interrupted, and the local file is gone
		return Ignored
	}
	return Waiting
}

// outcome adds the outcome of an item. Its path is the local path after the
// plan.
func (p *planner) outcome(it *item, a Action) *Outcome {
	o := &Outcome{Action: a, Key: it.key, Path: it.at}
	switch {
	case it.here != nil && (p.Push || it.remove):
		o.Path = it.here.Path
	case it.here == nil && a == Ignored && !p.Push:
		o.Path = path.Join(p.pathOf(it.to), filenames.Local(it.there.Name))
	case !p.Push:
		o.Path = p.pathOf(it)
	}
	switch {
	case it.here != nil && !it.key.Dir:
		o.Size = it.here.Size
	case it.there != nil && !it.key.Dir:
		o.Size = max(0, it.there.Size)
	}
	p.Outcomes = append(p.Outcomes, o)
	return o
}
