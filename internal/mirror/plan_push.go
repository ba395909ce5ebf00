package mirror

import (
	"path"
	"slices"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// PushDir is a local folder and its counterpart in the service.
type PushDir struct {
	Path   string
	Remote          // without an id it has to be made
	Was    Entry    // what the manifest says of it; zero when nothing
	Rename bool     // it has another name now
	Move   bool     // it lies in another folder now
	Gone   bool     // the service does not have it any more, and nothing in it asks for it
	Same   []string // ids of several that have its name; it has none of them
	Err    error    // the folder could not be listed
}

// PushFile is a local file and its counterpart in the service.
type PushFile struct {
	Path   string
	Remote          // zero for a new file
	Was    Entry    // what the manifest says of it; zero when nothing
	Rename bool     // it has another name now
	Move   bool     // it lies in another folder now
	Same   []Remote // several that have its name; it is none of them
	// Verdict is Created, Updated, Resumed, Kept, Waiting or Conflict.
	Verdict Action
}

// PushGone is a file or folder of the service whose local counterpart is gone.
type PushGone struct {
	Remote
	Was     Entry
	Path    string // where it would lie now
	Changed bool   // the service has another version since
}

// PushPlan is what an upload has to do.
type PushPlan struct {
	Dirs   []PushDir // a folder stands before what is in it
	Files  []PushFile
	Gone   []PushGone // files, then folders, the inner ones first
	Lost   []string   // entries of the manifest that neither side has
	Wanted []string   // ids of folders that have to be listed before the plan is one
	Unseen bool       // an entry of the manifest was not met in the lists
}

// push plans an upload.
type push struct {
	*State
	at      *located
	plan    *PushPlan
	files   map[string]*Remote
	dirs    map[string]*Remote
	within  map[form][]*Remote
	here    map[string]Entry  // entries of the manifest by where they lie now
	claimed map[identity]bool // what belongs to a local file or folder already
	places  map[string]*counterpart
}

// form is the key of a folder of the service and a form of a name in it.
type form struct{ in, name string }

// counterpart is what a local folder has in the service.
type counterpart struct {
	key    string // of the folder; empty for the one that is mirrored
	none   bool   // it has to be made
	gone   bool   // it has to be made when something in it asks for it
	closed bool   // nothing can be said of what is in it
	dir    int    // in the plan; -1 for the folder that is mirrored
	above  *counterpart
}

// Push plans how the folder of the service becomes like the local one. Files
// and folders that the manifest does not know are compared by name. As long as
// folders have to be listed, nothing is said of files.
func (s *State) Push() *PushPlan {
	p := &push{
		State: s, at: s.locate(), plan: &PushPlan{}, files: map[string]*Remote{}, dirs: map[string]*Remote{},
		within: map[form][]*Remote{}, here: map[string]Entry{}, claimed: map[identity]bool{}, places: map[string]*counterpart{},
	}
	for i := range s.Remote {
		r := &s.Remote[i]
		if r.Dir {
			p.dirs[Key(r.ID)] = r
		} else {
			p.files[Key(r.ID)] = r
		}
		in := form{r.Parent, filenames.Form(r.Name)}
		p.within[in] = append(p.within[in], r)
	}
	p.root()
	p.claim()
	paths := sorted(s.Local)
	for _, at := range paths {
		if s.Local[at].Dir {
			p.dir(at)
		}
	}
	if len(p.plan.Wanted) > 0 {
		return p.plan
	}
	for _, at := range paths {
		if s.Local[at].Regular {
			p.file(at, s.Local[at])
		}
	}
	return p.plan
}

func (p *push) root() {
	root := &counterpart{dir: -1}
	switch {
	case p.Failed[""] != nil:
		root.closed = true
	case !p.Listed[""]:
		root.closed = true
		p.plan.Wanted = append(p.plan.Wanted, "")
	}
	p.places["."] = root
}

// claim finds the entries of the manifest on both sides.
func (p *push) claim() {
	paths := sorted(p.Base)
	for n := range paths {
		e := p.Base[paths[len(paths)-1-n]]
		if e.FileID == "" && e.FolderID == "" || p.left(e.Path) {
			continue
		}
		now := p.at.now(e.Path)
		r, met := p.files[Key(e.FileID)]
		if e.FolderID != "" {
			r, met = p.dirs[Key(e.FolderID)]
		}
		if !met && e.Made == 0 && !p.Complete {
			p.plan.Unseen = true
		}
		if met && p.arrived(now, e, r) {
			e = e.arrived(r.Version)
		}
		there, ok := p.Local[now]
		switch {
		case ok && there.Dir == (e.FolderID != "") && (there.Dir || there.Regular):
			p.here[now] = e
			if met {
				p.claimed[r.identity()] = true
			}
		case met:
			p.plan.Gone = append(p.plan.Gone, PushGone{Remote: *r, Was: e, Path: now, Changed: e.replaced(r)})
			if !r.Dir { // otherwise the content of another file would be its own
				p.claimed[r.identity()] = true
			}
		case p.Complete && !p.Partial: // it may lie where nobody could look
			p.plan.Lost = append(p.plan.Lost, e.Path)
		}
	}
	var files, dirs []PushGone
	for _, g := range p.plan.Gone {
		if g.Dir {
			dirs = append(dirs, g)
		} else {
			files = append(files, g)
		}
	}
	p.plan.Gone = append(files, dirs...)
}

// renamed reports that somebody gave a local file or folder another name, which
// the service does not have. Another form of it is none.
func renamed(at string, e Entry, r *Remote) bool {
	return !filenames.SameForm(path.Base(at), path.Base(e.Path)) && path.Base(at) != r.Name
}

// alike gives what may be in a folder of the service for a local path: of its
// very name, or else of another form of it, which no local neighbour has as its
// very name.
func (p *push) alike(key, at string, dir bool) (all []*Remote) {
	var forms []*Remote
	for _, r := range p.within[form{key, filenames.Form(path.Base(at))}] {
		switch {
		case r.Dir != dir || p.claimed[r.identity()] && r.ID != "":
		case r.Name == path.Base(at):
			all = append(all, r)
		default:
			if _, there := p.Local[path.Join(path.Dir(at), r.Name)]; !there {
				forms = append(forms, r)
			}
		}
	}
	if len(all) == 0 {
		return forms
	}
	return all
}

// dir finds the counterpart of a folder.
func (p *push) dir(at string) {
	in := p.places[path.Dir(at)]
	c := &counterpart{closed: true, dir: -1, above: in}
	p.places[at] = c
	if in == nil || in.closed {
		return
	}
	d := PushDir{Path: at}
	e, known := p.here[at]
	r := p.dirs[Key(e.FolderID)]
	switch {
	case known && r != nil:
		d.Remote, d.Was = *r, e
		d.Rename = renamed(at, e, r)
		d.Move = path.Dir(at) != p.at.now(path.Dir(e.Path)) && (in.none || in.gone || in.key != r.Parent)
		if d.Move {
			in.need(p.plan)
		}
	case known && e.Made == 0 && (!p.Complete || p.Partial):
		return // it may lie anywhere
	case known && e.Made == 0:
		if !in.none && !in.gone {
			p.match(&d, in) // it was remade
		}
		if d.ID == "" && len(d.Same) == 0 {
			c.gone, d.Gone, d.Was = true, true, e
		}
	default:
		p.match(&d, in)
	}
	c.closed = len(d.Same) > 0
	c.none = d.ID == "" && !c.gone && !c.closed
	if d.ID != "" {
		c.key = Key(d.ID)
		d.Err = p.Failed[c.key]
		switch {
		case d.Err != nil:
			c.closed = true
		case !p.Listed[c.key]:
			c.closed = true
			p.plan.Wanted = append(p.plan.Wanted, d.ID)
		}
	}
	c.dir = len(p.plan.Dirs)
	p.plan.Dirs = append(p.plan.Dirs, d)
}

// match looks for a folder of the name.
func (p *push) match(d *PushDir, in *counterpart) {
	if in.none || in.gone {
		in.need(p.plan)
		return
	}
	var same []*Remote
	for _, r := range p.alike(in.key, d.Path, true) {
		if !p.claimed[r.identity()] {
			same = append(same, r)
			d.Same = append(d.Same, r.ID)
		}
	}
	switch {
	case len(same) == 1:
		d.Remote, d.Same = *same[0], nil
	case len(same) > 1 && p.Choose != nil:
		chosen := p.Choose(d.Path, d.Same)
		for _, r := range same {
			if chosen != "" && Key(r.ID) == Key(chosen) {
				d.Remote, d.Same = *r, nil
			}
		}
	}
	if d.ID != "" {
		p.claimed[d.identity()] = true
		d.Was = p.back(d.identity())
	}
}

// back takes a folder that has a local counterpart after all out of what is
// gone.
func (p *push) back(id identity) (was Entry) {
	for i, g := range p.plan.Gone {
		if g.identity() == id {
			p.plan.Gone = slices.Delete(p.plan.Gone, i, i+1)
			return g.Was
		}
	}
	return Entry{}
}

// need says that a folder has to be made after all, with those that hold it.
func (c *counterpart) need(plan *PushPlan) {
	for ; c != nil && c.gone; c = c.above {
		c.gone, c.none = false, true
		plan.Dirs[c.dir].Gone = false
	}
}

// file finds the counterpart of a file, and what is to be done about it.
func (p *push) file(at string, l Local) {
	in := p.places[path.Dir(at)]
	if in == nil || in.closed {
		return
	}
	f := PushFile{Path: at}
	e, known := p.here[at]
	r := p.files[Key(e.FileID)]
	switch {
	case known && r != nil:
		f.Remote, f.Was = *r, e
		f.Verdict = p.judge(&f, l)
		f.Rename = renamed(at, e, r)
		f.Move = path.Dir(at) != p.at.now(path.Dir(e.Path)) && (in.none || in.gone || in.key != r.Parent)
	case known && e.Made == 0 && e.Noted():
		f.Was, f.Verdict = e, Waiting // it is gone from the service, or may be anywhere
		if p.Complete && !p.Partial && e.Edited(l) {
			p.remade(&f, in)
		}
	default:
		f.Was = e
		p.named(&f, in, l)
	}
	if f.Verdict == Created || f.Verdict == Conflict || f.Move {
		in.need(p.plan)
	}
	p.plan.Files = append(p.plan.Files, f)
}

// judge compares a file with the one of the service that it is.
func (p *push) judge(f *PushFile, l Local) Action {
	if !f.Stored {
		return Resumed
	}
	noted := f.Was.Noted()
	edited := !noted || f.Was.Edited(l) // without a note nobody knows whose it is
	if f.Size == l.Size && p.Differs != nil {
		edited = p.Differs(f.Path, &f.Remote)
	}
	switch changed := f.Was.replaced(&f.Remote) || !noted && edited; {
	case edited && changed:
		return Conflict
	case changed:
		return Waiting
	case edited:
		return Updated
	}
	return Kept
}

// remade looks for a file that came in the place of one that is gone from the
// service.
func (p *push) remade(f *PushFile, in *counterpart) {
	f.Verdict = Created
	if in.none || in.gone {
		return
	}
	for _, r := range p.alike(in.key, f.Path, false) {
		f.Same = append(f.Same, *r)
	}
	if len(f.Same) != 1 {
		return
	}
	f.Remote, f.Same, f.Verdict = f.Same[0], nil, Conflict
	if !f.Stored {
		f.Verdict = Resumed
	}
	p.claimed[f.identity()] = true
}

// named looks for a file of the name. Of several, one of the same size is
// enough.
func (p *push) named(f *PushFile, in *counterpart, l Local) {
	f.Verdict = Created
	if in.none || in.gone {
		return
	}
	for _, r := range p.alike(in.key, f.Path, false) {
		if r.ID != "" && r.Stored && r.Size == l.Size && (p.Differs == nil || !p.Differs(f.Path, r)) {
			f.Remote, f.Verdict, f.Same = *r, Kept, nil
			p.claimed[r.identity()] = true
			return
		}
		f.Same = append(f.Same, *r)
	}
	if len(f.Same) != 1 {
		return
	}
	f.Remote, f.Same, f.Verdict = f.Same[0], nil, Updated
	if !f.Stored {
		f.Verdict = Resumed
	}
	p.claimed[f.identity()] = true
}
