package plan

import (
	"slices"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// join pairs files and folders that the base does not contain, by name and
// folder. A name identifies an item but does not prove equal contents.
func (p *planner) join() {
	p.joinIn(nil)
	for _, r := range p.trees.There {
		if it := p.items[r.Key]; r.Key.Dir && it.here != nil {
			p.joinIn(it)
		}
	}
	p.hold()
}

// joinIn pairs the local and remote items of one folder: first by the distinct
// names that a pull uses, then by any Unicode form of these, and last by the
// remote names, which several items may share.
func (p *planner) joinIn(in *item) {
	type name struct {
		dir  bool
		text string
	}
	fresh := func(it *item) bool { return it.key.ID == "" && !it.other }
	siblings := p.listed[in]
	if len(siblings) == 0 || !slices.ContainsFunc(p.held[in], fresh) {
		return
	}
	entries := make([]filenames.Entry, len(siblings))
	for i, it := range siblings {
		entries[i] = filenames.Entry{Name: it.there.Name, ID: it.key.ID, Folder: it.key.Dir}
	}
	distinct := filenames.DistinctLocal(entries)
	for pass := range 3 {
		named := map[name][]*item{}
		for i, it := range siblings {
			text := [...]string{distinct[i], filenames.Form(distinct[i]), filenames.Form(it.there.Name)}[pass]
			if it.base == nil && it.here == nil {
				named[name{it.key.Dir, text}] = append(named[name{it.key.Dir, text}], it)
			}
		}
		for _, local := range p.held[in] {
			text := local.local
			if pass > 0 {
				text = filenames.Form(text)
			}
			free := slices.DeleteFunc(named[name{local.key.Dir, text}], func(it *item) bool { return it.here != nil })
			if named[name{local.key.Dir, text}] = free; fresh(local) {
				if it := p.chosen(local, free); it != nil {
					p.pair(it, local)
				}
			}
		}
	}
}

// chosen returns the remote item, among several of the same name, that belongs
// to a local file or folder. It returns nil if none does or the choice is
// ambiguous.
func (p *planner) chosen(local *item, free []*item) *item {
	if len(free) == 0 {
		return nil
	}
	holds := func(it *item) bool { return it.key.Dir || it.there.Stored }
	if len(free) == 1 || !slices.ContainsFunc(free, holds) { // without content they are interchangeable
		return free[0]
	}
	for _, it := range free {
		if !holds(it) {
			continue
		}
		if local.key.Dir {
			if p.Folders[local.here.Path] == it.there.Key.ID {
				return it
			}
			continue
		}
		if same, _ := p.compare(local.here, it.there); same {
			return it
		}
	}
	if p.Push {
		local.unknown = true // until the user chooses one of them
		o := p.outcome(local, Failed)
		for _, it := range free {
			o.IDs = append(o.IDs, it.there.Key.ID)
		}
	}
	return nil
}

// pair merges a remote and a local item.
func (p *planner) pair(it, local *item) {
	it.here, it.local, it.hereIn, it.unknown = local.here, local.local, local.hereIn, it.unknown || local.unknown
	local.key = it.key
	p.paths[it.here.Path] = it
	for _, child := range p.held[local] {
		child.hereIn = it
	}
	p.held[it] = p.held[local]
	delete(p.held, local)
}
