package mirror

import (
	"path"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// PullDir is a folder of the service and its local place.
type PullDir struct {
	Remote
	Path string // where it is to lie
	From string // where it lies; empty when it lies nowhere
	Base string // where the manifest is to have it
	Was  string // where the manifest has it; empty when nowhere
	In   string // where the folder that holds it is to lie
}

// PullFile is a file of the service and its local place.
type PullFile struct {
	Remote
	Path string // where it is to lie
	From string // where it lies; empty when it lies nowhere
	Base string // where the manifest is to have it
	Was  Entry  // what the manifest says of it; zero when nothing
	In   string // where the folder that holds it is to lie
	Seen Local  // what lies there; zero when nothing
	// Verdict is Created, Updated, Kept, Waiting, Conflict or Ignored.
	Verdict Action
}

// PullGone is a local file or folder that the service does not have any more.
type PullGone struct {
	Entry
	Path   string // where it lies when the folders have their places
	From   string // where it lies
	Edited bool   // it has changed since, or may have
}

// PullPlan is what a download has to do.
type PullPlan struct {
	Dirs  []PullDir // a folder stands before what is in it
	Files []PullFile
	Gone  []PullGone // files, then folders, the inner ones first
	Lost  []string   // entries of the manifest that neither side has
}

// place is the local place of a folder of the service.
type place struct{ path, base string }

// pull plans a download.
type pull struct {
	*State
	at       *located
	plan     *PullPlan
	within   map[string][]int // by the key of a folder, what is in it
	byID     map[identity]Entry
	places   map[string]place  // by the key of a folder
	dirTo    map[string]string // where folders lie, and where they are to lie
	occupied map[string][]string
	present  map[identity]bool // what the service has
	skipped  map[identity]bool // what is left out
	holds    map[string]Entry  // entries of the manifest by where they lie now
	spelled  spellings
}

// Pull plans how the local folder becomes like that of the service. An entry
// whose name and folder are what they were keeps its place, also one that was
// moved locally.
func (s *State) Pull() *PullPlan {
	p := &pull{
		State: s, at: s.locate(), plan: &PullPlan{}, within: map[string][]int{}, byID: byID(s.Base),
		places: map[string]place{"": {".", "."}}, dirTo: map[string]string{}, occupied: map[string][]string{},
		present: map[identity]bool{}, skipped: map[identity]bool{}, holds: map[string]Entry{}, spelled: s.spellings(),
	}
	for at, e := range s.Base {
		if now := p.at.now(at); e.FileID != "" || e.FolderID != "" {
			p.holds[now] = e
		}
	}
	for i := range s.Remote {
		r := &s.Remote[i]
		p.present[r.identity()] = true
		if r.Skip {
			p.skipped[r.identity()] = true
			continue
		}
		p.within[r.Parent] = append(p.within[r.Parent], i)
	}
	for _, dirs := range []bool{true, false} { // files lie where folders will be
		for queue := []string{""}; len(queue) > 0; queue = queue[1:] {
			queue = append(queue, p.folder(queue[0], dirs)...)
		}
	}
	p.gone()
	return p.plan
}

func byID(base map[string]Entry) map[identity]Entry {
	all := make(map[identity]Entry, len(base))
	for _, e := range base {
		if e.FolderID != "" || e.FileID != "" {
			all[e.identity()] = e
		}
	}
	return all
}

// folder gives the sub folders, or the files, of a folder their places: first
// to those that have one, then to the others. It gives the keys of the sub
// folders.
func (p *pull) folder(key string, dirs bool) (subs []string) {
	in, placed := p.places[key]
	var fresh []int
	for _, i := range p.within[key] {
		r := &p.Remote[i]
		if r.Dir {
			subs = append(subs, Key(r.ID))
		}
		if !placed {
			continue
		}
		e, known := p.byID[r.identity()]
		stays := known && e.Name == r.Name && path.Dir(e.Path) == in.base
		now := p.at.now(e.Path)
		if Parked(now) {
			now = e.Path
		}
		switch {
		case known && p.left(e.Path): // nobody knows what lies there
			p.occupy(e.Path)
		case r.Dir == dirs && stays:
			p.occupied[in.path] = append(p.occupied[in.path], path.Base(e.Path))
			p.set(r, e, in, p.final(now), e.Path)
		case r.Dir == dirs:
			fresh = append(fresh, i)
		case dirs && stays: // no new folder takes the name of a file, nor that in the manifest
			p.occupied[in.path] = append(p.occupied[in.path], path.Base(e.Path))
			p.occupy(p.final(now))
		}
	}
	for n, leaf := range p.freshNames(fresh, in) {
		r := &p.Remote[fresh[n]]
		leaf = p.asOnDisk(in.path, leaf)
		p.set(r, p.byID[r.identity()], in, path.Join(in.path, leaf), path.Join(in.base, leaf))
	}
	return subs
}

// freshNames are the names of entries that have none yet. A file that was
// written here by somebody else does not keep its name from new ones: it may be
// the same one.
func (p *pull) freshNames(fresh []int, in place) []string {
	if len(fresh) == 0 {
		return nil
	}
	list := make([]filenames.Entry, len(fresh))
	taken := p.occupied[in.path]
	for n, i := range fresh {
		r := &p.Remote[i]
		list[n] = filenames.Entry{Name: r.Name, ID: r.ID, Folder: r.Dir}
		leaf := filenames.Local(r.Name)
		at, moves := path.Join(in.path, leaf), false
		if e, known := p.byID[r.identity()]; known {
			now := p.at.now(e.Path)
			if at == now {
				continue
			}
			_, moves = p.Local[now]
		}
		if p.foreign(at, moves) || !r.Dir && p.worked(at) {
			taken = append(taken[:len(taken):len(taken)], leaf)
		}
	}
	return filenames.DistinctLocalBeside(list, taken)
}

// asOnDisk gives a name the form that a local file has which nobody knows: it
// may be the same one.
func (p *pull) asOnDisk(dir, leaf string) string {
	at := path.Join(dir, leaf)
	if _, there := p.Local[at]; there {
		return leaf
	}
	if other, ok := p.spelled.other(at, func(other string) bool { return !p.holds[other].Known() && !p.Base[other].Known() }); ok {
		return path.Base(other)
	}
	return leaf
}

// foreign reports something in the way of an entry that comes to a path:
// somebody worked on it, or moved it there. Nothing else that is known stays in
// the way, and what is not known is in the way of an entry that moves only.
func (p *pull) foreign(at string, moves bool) bool {
	there, ok := p.Local[at]
	if !ok {
		return false
	}
	e, known := p.holds[at]
	switch {
	case !known:
		return moves
	case p.skipped[e.identity()]:
		return true // it is left alone
	case p.present[e.identity()]:
		return e.Path != at
	}
	return e.FileID != "" && e.Edited(there)
}

// worked reports a folder in the way of a file that is gone from the service
// and does not make room: somebody worked in it.
func (p *pull) worked(at string) bool {
	if e := p.holds[at]; e.FolderID == "" || p.present[e.identity()] {
		return false
	}
	for inner, there := range p.Local {
		if !strings.HasPrefix(inner, at+"/") {
			continue
		}
		e, known := p.holds[inner]
		switch {
		case !known || p.skipped[e.identity()] || p.left(inner):
			return true
		case p.present[e.identity()]: // it lies elsewhere in the service
			if e.Path != inner {
				return true
			}
		case e.FileID != "" && (!there.Regular || !e.Noted() || e.Edited(there)):
			return true
		}
	}
	return false
}

// set gives an entry its place.
func (p *pull) set(r *Remote, e Entry, in place, at, base string) {
	p.occupy(at)
	from := ""
	if e.Known() {
		if now := p.at.now(e.Path); p.there(now, r.Dir) {
			from = now
		}
	}
	if r.Dir {
		if from != "" {
			p.dirTo[from] = at
		}
		p.places[Key(r.ID)] = place{at, base}
		p.plan.Dirs = append(p.plan.Dirs, PullDir{Remote: *r, Path: at, From: from, Base: base, Was: e.Path, In: in.path})
		return
	}
	if from != "" && p.arrived(from, e, r) {
		e = e.arrived(r.Version)
	}
	f := PullFile{Remote: *r, Path: at, From: from, Base: base, Was: e, In: in.path}
	if !e.Known() {
		f.Was = p.replaced(at)
		if f.Was.Known() {
			f.From = at
		}
	}
	f.Verdict, f.Seen = p.judge(&f), p.Local[f.From]
	p.plan.Files = append(p.plan.Files, f)
}

func (p *pull) occupy(at string) {
	p.occupied[path.Dir(at)] = append(p.occupied[path.Dir(at)], path.Base(at))
}

func (p *pull) there(at string, dir bool) bool {
	there, ok := p.Local[at]
	return ok && there.Dir == dir
}

// replaced is a file that is gone from the service, in whose place another one
// comes.
func (p *pull) replaced(at string) Entry {
	if e := p.Base[at]; e.FileID != "" && !p.Partial && !p.present[e.identity()] {
		return e
	}
	return Entry{}
}

// final is where a local path will be when the folders have their places.
func (p *pull) final(at string) string {
	for dir := at; dir != "."; dir = path.Dir(dir) {
		if to, moves := p.dirTo[dir]; moves {
			return rebase(at, dir, to)
		}
	}
	return at
}

// judge compares a file of the service with the local one.
func (p *pull) judge(f *PullFile) Action {
	if !f.Stored {
		return Ignored
	}
	there, ok := p.Local[f.From]
	if !ok || f.From == "" {
		return Created
	}
	changed := f.Was.Version == "" || f.Version != f.Was.Version || Key(f.ID) != Key(f.Was.FileID)
	edited := there.Regular && f.Was.Edited(there)
	switch {
	case edited && changed, there.Regular && !f.Was.Noted(): // without a note nobody knows whose it is
		return Conflict
	case edited:
		return Waiting
	case changed || !there.Regular:
		return Updated
	}
	return Kept
}

// gone finds what the service does not have any more.
func (p *pull) gone() {
	if p.Partial {
		return
	}
	replaced := map[string]bool{}
	for i := range p.plan.Files {
		replaced[p.plan.Files[i].Was.Path] = true
	}
	var files, dirs []PullGone
	paths := sorted(p.Base)
	slices.Reverse(paths)
	for _, at := range paths {
		e := p.Base[at]
		if e.FileID == "" && e.FolderID == "" || replaced[at] || p.remains(e) || p.left(at) {
			continue
		}
		now := p.at.now(at)
		if !p.there(now, e.FolderID != "") {
			p.plan.Lost = append(p.plan.Lost, at)
			continue
		}
		g := PullGone{Entry: e, Path: p.final(now), From: now, Edited: e.FileID != "" && (!e.Noted() || e.Edited(p.Local[now]) || !p.Local[now].Regular)}
		if e.FolderID != "" {
			dirs = append(dirs, g)
		} else {
			files = append(files, g)
		}
	}
	p.plan.Gone = append(files, dirs...)
}

// remains reports that the service has an entry, or that it may: in a folder
// that is left out.
func (p *pull) remains(e Entry) bool {
	if p.present[e.identity()] {
		return true
	}
	for dir := path.Dir(e.Path); dir != "."; dir = path.Dir(dir) {
		if in, known := p.Base[dir]; known && p.skipped[in.identity()] {
			return true
		}
	}
	return false
}
