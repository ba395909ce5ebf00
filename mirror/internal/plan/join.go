package plan

import (
	"path"
	"slices"
	"strconv"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// join pairs files and folders that the base does not know, by name and folder.
// Names decide identities, never whether contents are alike.
func (p *planner) join() {
	p.joinIn(nil, p.held[nil])
	for _, r := range p.trees.There {
		if it := p.items[r.Key]; r.Key.Dir && it.here != nil && it.base != nil {
			p.joinIn(it, p.held[it])
		}
	}
	p.hold()
}

// joinIn pairs the local and remote items of one folder.
func (p *planner) joinIn(in *item, held []*item) {
	there := p.unjoined[in]
	here := map[string][]*item{} // local items by the form of their names
	for _, it := range held {
		if it.key.ID == "" && !it.other {
			form := filenames.Form(path.Base(it.here.Path))
			here[form] = append(here[form], it)
		}
	}
	if len(there) == 0 || len(here) == 0 {
		return
	}
	p.joinDistinct(in, there, here)
	p.joinNamed(held, there)
	for _, it := range there {
		if it.key.Dir && it.here != nil {
			p.joinIn(it, p.held[it])
		}
	}
}

// joinDistinct pairs by the distinct names that a pull uses.
func (p *planner) joinDistinct(in *item, there []*item, here map[string][]*item) {
	siblings := slices.Concat(there, p.known[in])
	for i, name := range filenames.DistinctLocal(entriesOf(siblings)) {
		it := siblings[i]
		locals := here[filenames.Form(name)]
		for _, exact := range locals { // both forms of a name may exist locally
			if path.Base(exact.here.Path) == name {
				locals = []*item{exact}
			}
		}
		for _, local := range locals {
			if it.base == nil && it.here == nil && local.key == (Key{Dir: it.key.Dir}) {
				p.pair(it, local)
			}
		}
	}
}

// joinNamed pairs the remaining local and remote items by name. Several remote
// items of a folder may share a name.
func (p *planner) joinNamed(held, there []*item) {
	type name struct {
		dir  bool
		form string
	}
	named := map[name][]*item{}
	for _, it := range there {
		if it.here == nil {
			key := name{it.key.Dir, filenames.Form(it.there.Name)}
			named[key] = append(named[key], it)
			if local := filenames.Form(filenames.Local(it.there.Name)); local != key.form {
				key.form = local
				named[key] = append(named[key], it)
			}
		}
	}
	for _, local := range held {
		if local.key.ID != "" || local.other {
			continue
		}
		same := named[name{local.key.Dir, filenames.Form(path.Base(local.here.Path))}]
		free := slices.DeleteFunc(slices.Clone(same), func(it *item) bool { return it.here != nil })
		if it := p.chosen(local, free); it != nil {
			p.pair(it, local)
		}
	}
}

// chosen returns the remote item, of several with the same name, that belongs
// to a local file or folder; nil when none does, or it is ambiguous.
func (p *planner) chosen(local *item, free []*item) *item {
	if len(free) == 0 {
		return nil
	}
	if len(free) == 1 {
		return free[0]
	}
	for _, it := range free {
		if local.key.Dir {
			if p.Folders[local.here.Path] == it.there.Key.ID {
				return it
			}
			continue
		}
		if it.there.Size >= 0 && it.there.Size != local.here.Size {
			continue
		}
		switch (&planner{Plan: p.Plan, Options: p.Options}).compare(&item{here: local.here, there: it.there}) {
		case alike:
			return it
		case open:
			return nil
		}
	}
	if p.Push {
		local.unknown = true // until the user chooses one of them
		o := p.outcome(local, Failed, local.here.Path)
		for _, it := range free {
			o.IDs = append(o.IDs, it.there.Key.ID)
		}
	}
	return nil
}

// pair merges the items of both sides.
func (p *planner) pair(it, local *item) {
	it.here, it.hereIn, it.unknown = local.here, local.hereIn, it.unknown || local.unknown
	local.key = it.key
	p.paths[it.here.Path] = it
	for _, child := range p.held[local] {
		child.hereIn = it
	}
	p.held[it] = p.held[local]
	delete(p.held, local)
}

func entriesOf(items []*item) []filenames.Entry {
	entries := make([]filenames.Entry, len(items))
	for i, it := range items {
		entries[i] = filenames.Entry{Name: it.there.Name, ID: it.key.ID, Folder: it.key.Dir}
	}
	return entries
}

// copyMark is the mark of the nth copy of a local content.
func copyMark(n int) string {
	if n > 1 {
		return " (local copy " + strconv.Itoa(n) + ")"
	}
	return " (local copy)"
}
