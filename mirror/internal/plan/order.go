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

// Parking begins the temporary names of files and folders that change places.
// No document can have such a name.
const Parking = partfile.Prefix + "moving-"

// state holds the place of an item while the steps of a pull are ordered.
type state struct {
	in       *item
	name     string
	pending  bool // has to be moved or made
	visiting bool
	step     *Step
}

type slot struct {
	in   *item
	name string
}

// sorted returns all items by depth and then by path, so that a folder precedes
// its contents.
func (p *planner) sorted() []*item {
	depth := map[*item]int{}
	for _, it := range p.paths {
		depth[it] = 0
	}
	for _, it := range p.items {
		depth[it] = 0
	}
	for it := range depth {
		n := 1
		for in := it.holder(); in != nil && n < len(depth); n++ { // the folders of both sides may form a circle
			in = in.holder()
		}
		depth[it] = n
	}
	return slices.SortedFunc(maps.Keys(depth), func(a, b *item) int {
		return cmp.Or(depth[a]-depth[b], strings.Compare(a.label(), b.label()), strings.Compare(a.key.ID, b.key.ID))
	})
}

// holder returns the folder that holds an item now.
func (it *item) holder() *item {
	if it.here != nil {
		return it.hereIn
	}
	return it.thereIn
}

func (it *item) label() string {
	switch {
	case it.here != nil:
		return it.here.Path
	case it.there != nil:
		return it.there.Name
	}
	return ""
}

// arranger orders moves so that each target is free. An item in the way that
// cannot move yet is parked.
type arranger struct {
	*planner
	slots  map[slot][]*item
	parked int
}

func (p *planner) arrange(all []*item) {
	a := &arranger{planner: p, slots: map[slot][]*item{}}
	for _, it := range all {
		if it.here == nil {
			it.state.pending = it.key.Dir && p.stays(it)
			continue
		}
		it.state.in, it.state.name = it.hereIn, path.Base(it.here.Path)
		if it.parked {
			it.state.in, it.state.name = nil, it.here.Path
		}
		a.enter(it)
		it.state.pending = p.stays(it) && it.there != nil && !p.unreachable(it) && (it.parked || it.to != it.hereIn || it.name != it.state.name)
	}
	for i := len(all) - 1; i >= 0; i-- {
		if it := all[i]; it.remove && !it.key.Dir {
			a.removeNow(it)
		}
	}
	for _, it := range all {
		a.visit(it)
	}
	for _, it := range slices.Backward(all) {
		if it.remove && it.key.Dir {
			a.removeNow(it)
		}
	}
}

func (a *arranger) add(s *Step) *Step {
	a.Structure = append(a.Structure, []*Step{s})
	return s
}

func (a *arranger) removeNow(it *item) {
	it.state.step = a.add(&Step{Op: Remove, Key: it.key, Path: a.pathOf(it), Here: it.here})
	a.leave(it)
}

func (it *item) slot() slot { return slot{it.state.in, filenames.OnDisk(it.state.name)} }

func (a *arranger) enter(it *item) { a.slots[it.slot()] = append(a.slots[it.slot()], it) }

func (a *arranger) leave(it *item) {
	a.slots[it.slot()] = slices.DeleteFunc(a.slots[it.slot()], func(other *item) bool { return other == it })
}

// visit moves or makes an item after its folder is in place and the name is
// free. It reports false for an item that is being visited.
func (a *arranger) visit(it *item) bool {
	if !it.state.pending {
		return !it.state.visiting
	}
	if it.state.visiting {
		return false
	}
	it.state.visiting = true
	defer func() { it.state.visiting = false }()
	if it.to != nil && !a.visit(it.to) {
		return false
	}
	target := slot{it.to, filenames.OnDisk(it.name)}
	for _, other := range slices.Clone(a.slots[target]) {
		if other != it && (!other.state.pending || !a.visit(other)) && slices.Contains(a.slots[target], other) {
			a.park(other)
		}
	}
	if it.here == nil {
		it.state.in, it.state.name = it.to, it.name
		it.state.step = a.add(&Step{Op: MakeDir, Key: it.key, Path: a.pathOf(it), Entry: it.entryHere(), There: it.there})
	} else {
		it.state.step = a.move(it, it.to, it.name, it.entryHere())
	}
	it.state.pending = false
	if it.here == nil {
		a.enter(it)
	}
	return true
}

// park moves an item to a temporary name at the top. An item that is removed in
// the end makes room as well.
func (a *arranger) park(it *item) {
	for a.parked++; ; a.parked++ {
		at := Parking + strconv.Itoa(a.parked)
		if a.paths[at] == nil {
			e := Entry{Key: it.key}
			if it.base != nil {
				e = *it.base
			}
			e.Parked = at
			a.move(it, nil, at, e)
			return
		}
	}
}

func (a *arranger) move(it *item, in *item, name string, e Entry) *Step {
	from := a.pathOf(it)
	a.leave(it)
	it.state.in, it.state.name = in, name
	a.enter(it)
	return a.add(&Step{Op: Move, Key: it.key, Path: from, To: a.pathOf(it), Entry: e, Here: it.here, There: it.there})
}

// pathOf returns the path of an item after the steps so far; "." for the top.
func (p *planner) pathOf(it *item) string {
	if it == nil {
		return "."
	}
	elements := []string{}
	for ; it != nil; it = it.state.in {
		if it.here == nil && it.state.name == "" { // a file that arrives
			it.state.in, it.state.name = it.to, it.name
		}
		elements = append(elements, it.state.name)
	}
	slices.Reverse(elements)
	return path.Join(elements...)
}
