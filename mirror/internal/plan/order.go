package plan

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
	"github.com/practicesdk/practice-go/internal/partfile"
)

// Parking is the prefix of temporary names for files and folders that swap
// places. A document cannot have such a name.
const Parking = partfile.Prefix + "moving-"

// state holds the current place of an item while the steps of a pull are
// ordered.
type state struct {
	in       *item
	name     string
	pending  bool // must still be moved or created
	visiting bool
	step     *Step
}

type slot struct {
	in   *item
	name string
}

// sorted returns all items by path, so that a folder precedes its entries. It
// uses the remote path of items that do not exist locally.
func (p *planner) sorted() []*item {
	at := map[*item]string{}
	for _, it := range p.paths {
		at[it] = it.here.Path
	}
	for _, it := range p.items {
		for in := it; it.here == nil && in != nil && in.there != nil; in = in.thereIn {
			at[it] = path.Join(filenames.Element(in.there.Name), at[it])
		}
		if at[it] == "" {
			at[it] = it.at // gone on both sides
		}
	}
	return slices.SortedFunc(maps.Keys(at), func(a, b *item) int {
		return cmp.Or(strings.Compare(at[a], at[b]), strings.Compare(a.key.ID, b.key.ID))
	})
}

// arrange plans the changes of names, places and folders in an order in which
// each target name is free. Remote changes take precedence over local ones.
func (p *planner) arrange(all []*item) {
	if p.Push {
		p.markThere(all)
	} else {
		p.markHere(all)
	}
	p.removeHere(all, false)
	for _, it := range all {
		p.visit(it)
	}
	p.removeHere(all, true)
}

// removeHere adds the steps of a pull that remove files or, with dirs, folders.
func (p *planner) removeHere(all []*item, dirs bool) {
	for _, it := range slices.Backward(all) {
		if it.remove && it.key.Dir == dirs && !p.Push {
			it.state.step = p.add(&Step{Op: Remove, Key: it.key, Path: p.pathOf(it), Here: it.here})
			p.leave(it)
		}
	}
}

func (p *planner) add(s *Step) *Step {
	p.Structure = append(p.Structure, []*Step{s})
	return s
}

func (it *item) slot() slot { return slot{it.state.in, filenames.OnDisk(it.state.name)} }

func (p *planner) enter(it *item) { p.slots[it.slot()] = append(p.slots[it.slot()], it) }

func (p *planner) leave(it *item) {
	p.slots[it.slot()] = slices.DeleteFunc(p.slots[it.slot()], func(other *item) bool { return other == it })
}

// visit moves or creates an item once its folder is in place and its name is
// free. It returns false if the item is already being visited.
func (p *planner) visit(it *item) bool {
	if !it.state.pending {
		return !it.state.visiting
	}
	if it.state.visiting {
		return false
	}
	it.state.visiting = true
	defer func() { it.state.visiting = false }()
	if it.to != nil && !p.visit(it.to) {
		return false
	}
	target := slot{it.to, filenames.OnDisk(it.name)}
	for _, other := range slices.Clone(p.slots[target]) { // park an item that occupies the name and cannot be moved yet
		if other != it && (!other.state.pending || !p.visit(other)) && slices.Contains(p.slots[target], other) {
			p.park(other)
		}
	}
	switch {
	case p.Push:
		p.place(it)
	case it.here == nil:
		_, within := p.folder(it.to)
		it.state.in, it.state.name = it.to, it.name
		it.state.step = p.add(&Step{Op: MakeDir, Key: it.key, Path: p.pathOf(it), Within: within, Entry: p.entry(it), There: it.there})
		p.enter(it)
	default:
		it.state.step = p.move(it, it.to, it.name, p.entry(it))
	}
	it.state.pending = false
	return true
}

// park moves an item to a temporary name in the mirrored folder. It also does
// so for an item that is removed later.
func (p *planner) park(it *item) {
	for p.parked++; ; p.parked++ {
		at := Parking + strconv.Itoa(p.parked)
		if p.paths[at] == nil {
			e := Entry{Key: it.key}
			if it.base != nil {
				e = *it.base
			}
			e.Parked = at
			p.move(it, nil, at, e)
			return
		}
	}
}

func (p *planner) move(it *item, in *item, name string, e Entry) *Step {
	from := p.pathOf(it)
	_, within := p.folder(in)
	p.leave(it)
	it.state.in, it.state.name = in, name
	p.enter(it)
	return p.add(&Step{Op: Move, Key: it.key, Path: from, To: p.pathOf(it), Within: within, Entry: e, Here: it.here, There: it.there})
}

// pathOf returns the path of an item after the steps so far; "." is the
// mirrored folder.
func (p *planner) pathOf(it *item) string {
	if it == nil {
		return "."
	}
	elements := []string{}
	for ; it != nil; it = it.state.in {
		if it.here == nil && it.state.name == "" { // a new file
			it.state.in, it.state.name = it.to, it.name
		}
		elements = append(elements, it.state.name)
	}
	slices.Reverse(elements)
	return path.Join(elements...)
}
