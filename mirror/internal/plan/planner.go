package plan

import (
	"cmp"
	"maps"
	"path"
	"slices"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// planner makes one plan.
type planner struct {
	*matching
	*Plan
	Options
	trees    *Trees
	unjoined map[*item][]*item // items without an entry, by their remote folder
	known    map[*item][]*item // items with an entry, by their remote folder
	held     map[*item][]*item // items by their local folder
	inside   map[*item][]*item // items by their folder after the plan
	noted    []*Step           // steps that only record an entry, for the end of the structure
}

// Make returns the plan for three trees.
func Make(trees *Trees, options Options) *Plan {
	p := &planner{
		matching: match(trees), Plan: &Plan{Known: len(trees.Base)}, Options: options, trees: trees,
		unjoined: map[*item][]*item{}, known: map[*item][]*item{}, inside: map[*item][]*item{},
	}
	p.Empty = options.Push && len(trees.Here) == 0 || !options.Push && len(trees.There) == 0
	p.attach()
	p.join()
	p.learn()
	all := p.sorted()
	for _, it := range all {
		p.aim(it)
	}
	p.cutCycles(all)
	p.findGone(all)
	if options.Push {
		p.push(all)
	} else {
		p.pull(all)
	}
	p.Structure = append(p.Structure, p.noted)
	slices.SortStableFunc(p.Outcomes, func(a, b *Outcome) int { return cmp.Compare(a.Path, b.Path) })
	return p.Plan
}

// attach adds the records of the service to the items.
func (p *planner) attach() {
	for i := range p.trees.There {
		r := &p.trees.There[i]
		it := p.items[r.Key]
		if it == nil {
			it = &item{key: r.Key}
			p.items[r.Key] = it
		}
		it.there = r
	}
	for i := range p.trees.There {
		it := p.items[p.trees.There[i].Key]
		it.thereIn = p.items[Folder(it.there.Parent)]
		if it.base == nil {
			p.unjoined[it.thereIn] = append(p.unjoined[it.thereIn], it)
		} else {
			p.known[it.thereIn] = append(p.known[it.thereIn], it)
		}
	}
	for _, it := range p.items {
		if p.trees.ThereUnknown != nil && p.trees.ThereUnknown(it.key) {
			it.unknown = true
		}
		it.unread = p.unread(it.key)
	}
	p.hold()
}

func (p *planner) unread(key Key) bool {
	return key.Dir && p.trees.ThereUnread != nil && p.trees.ThereUnread(key)
}

// hold sorts the items by their local folder.
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
		switch {
		case r.Size >= 0 && r.Size != e.SentSize:
		case r.Digest == "":
			p.Questions = append(p.Questions, r.Key)
		case r.Digest == e.Sent:
			e.Version, e.Digest, e.Sent, e.SentSize = r.Version, r.Digest, "", 0
			p.note(it, *e)
		}
	}
	p.Structure, p.noted = [][]*Step{p.noted}, nil
}

// note adds a step that only records an entry.
func (p *planner) note(it *item, e Entry) {
	p.noted = append(p.noted, &Step{Op: Note, Key: it.key, Entry: e, Here: it.here, There: it.there})
}

// forget removes an entry whose document is gone on both sides.
func (p *planner) forget(it *item) {
	p.Drops = append(p.Drops, &Step{Op: Forget, Key: it.key})
}

// hereSame reports whether the local content is unchanged, or was given up by a
// decision.
func (it *item) hereSame() bool {
	return it.base != nil && it.base.Digest != "" && it.here.Digest == it.base.Digest
}

// thereSame reports whether the service has the version of the base.
func (it *item) thereSame() bool {
	return it.base != nil && it.base.Version != "" && it.there.Version == it.base.Version
}

// compared is the result of a comparison of both contents.
type compared int

const (
	alike compared = iota
	differs
	open // the remote content has not been read
)

func (p *planner) compare(it *item) compared {
	h, t := it.here, it.there
	switch {
	case t.Size >= 0 && t.Size != h.Size:
		return differs
	case p.BySize && t.Digest == "" && t.Size >= 0:
		return alike
	case t.Digest == "":
		p.Questions = append(p.Questions, t.Key)
		return open
	case t.Digest == h.Digest:
		return alike
	}
	return differs
}

// entry returns the entry of an item with its present name and folder in the
// service; alias is its local name. Versions and digests stay.
func (it *item) entry(alias string) Entry {
	var e Entry
	if it.base != nil {
		e = *it.base
	}
	e.Key, e.Parent, e.Name, e.Alias, e.Parked = it.key, it.there.Parent, it.there.Name, alias, ""
	if it.here != nil {
		e.Inode = it.here.Inode
		if it.hereSame() && e.Sent == "" {
			e.Stamp = it.here.Stamp
		}
	}
	return e
}

// agreed returns the entry of a file whose contents are alike.
func (it *item) agreed(e Entry) Entry {
	e.Version, e.Digest, e.Stamp, e.Sent, e.SentSize = it.there.Version, it.here.Digest, it.here.Stamp, "", 0
	return e
}

// copyName returns a free name for the local content of a file of which both
// contents stay.
func (p *planner) copyName(it *item, name string) string {
	taken := map[string]bool{}
	for _, other := range append(p.inside[it.to], p.held[it.hereIn]...) {
		taken[filenames.OnDisk(other.name)] = true
		if other.here != nil {
			taken[filenames.OnDisk(path.Base(other.here.Path))] = true
		}
	}
	for n := 1; ; n++ {
		if aside := filenames.Marked(name, copyMark(n)); !taken[filenames.OnDisk(aside)] {
			return aside
		}
	}
}

func (p *planner) outcome(it *item, a Action, at string) *Outcome {
	o := &Outcome{Action: a, Key: it.key, Path: at}
	switch {
	case it.here != nil && !it.key.Dir:
		o.Size = it.here.Size
	case it.there != nil && !it.key.Dir:
		o.Size = max(0, it.there.Size)
	}
	p.Outcomes = append(p.Outcomes, o)
	return o
}
