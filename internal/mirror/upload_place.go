package mirror

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
)

// plan lists the folders of the service that it takes to say what has to be
// done. Those without a local counterpart are listed only when something is not
// where it was.
func (u *upload) plan(state *State) *PushPlan {
	if u.options.Changed != nil || u.ByContent {
		state.Differs = u.differs
	}
	state.Arrived = u.arrivals.arrived
	state.Choose = u.options.Ambiguous
	u.pending = map[string][]Entry{}
	for _, e := range state.Base {
		if e.Made != 0 {
			u.pending[e.Parent] = append(u.pending[e.Parent], e)
		}
	}
	for {
		plan := state.Push()
		wanted := plan.Wanted
		if len(wanted) == 0 && plan.Unseen && !state.Complete {
			wanted = unlistedFolders(state)
			state.Complete = len(wanted) == 0
			if state.Complete {
				continue
			}
		}
		if len(wanted) == 0 && (u.recognise() || u.learn(state, u.fsys.Open, u.set) || u.compare(plan)) && u.ctx.Err() == nil {
			continue
		}
		if len(wanted) == 0 || u.ctx.Err() != nil {
			return plan
		}
		u.list(state, wanted)
	}
}

func unlistedFolders(state *State) (ids []string) {
	for i := range state.Remote {
		if r := &state.Remote[i]; r.Dir && r.ID != "" && !state.Listed[Key(r.ID)] {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// list reads folders of the service.
func (u *upload) list(state *State, ids []string) {
	var mu sync.Mutex
	found := map[string][]Remote{}
	each(u.run, ids, func(id string) {
		entries, err := u.entries(state, id)
		mu.Lock()
		defer mu.Unlock()
		state.Listed[Key(id)] = true
		if err != nil {
			state.Failed[Key(id)], state.Partial = err, true
		} else {
			found[id] = entries
		}
	})
	for _, id := range ids {
		u.listed[Key(cmp.Or(id, u.FolderID))] = len(found[id])
		for _, entry := range found[id] {
			if !entry.Deleted {
				entry.Parent = Key(id)
				state.Remote = append(state.Remote, entry)
			}
		}
	}
}

// entries reads a folder, until what an earlier process made in it, or may have
// made, is there or should be.
func (u *upload) entries(state *State, id string) ([]Remote, error) {
	folderID := cmp.Or(id, u.FolderID)
	pending := u.pending[Key(id)]
	begun := time.Now()
	for looks := 0; ; looks++ {
		entries, err := u.service.List(u.ctx, folderID)
		if err != nil {
			return nil, err
		}
		late := time.Since(begun) > u.options.Settle // also when the clock was set back since they were asked for
		if late || !u.awaited(pending, entries, state) || backoff.Sleep(u.ctx, backoff.Exponential(firstPause, longestPause, looks)) != nil {
			return entries, nil //nolint:nilerr // the run sees the end of its context by itself
		}
	}
}

// awaited reports that something is not listed yet that may still come. Of what
// has no id yet, the name is known: what has an id that is known is something
// else.
func (u *upload) awaited(pending []Entry, entries []Remote, state *State) bool {
	if len(pending) == 0 {
		return false
	}
	ids, names, known := map[string]bool{}, map[string]bool{}, byID(state.Base)
	for _, entry := range entries {
		ids[Key(entry.ID)] = true
		if !known[entry.identity()].Known() {
			names[entry.Name] = true
		}
	}
	return slices.ContainsFunc(pending, func(e Entry) bool {
		listed := ids[Key(e.FileID+e.FolderID)]
		if e.FileID+e.FolderID == "" {
			listed = names[e.Name]
		}
		return !listed && time.Since(e.Asked()) <= u.options.Settle
	})
}

// arrange finds or makes the folders of the service, level by level.
func (u *upload) arrange(plan *PushPlan, state *State) {
	root := &localDir{PushDir: PushDir{Path: "."}, id: u.FolderID}
	u.dirs = map[string]*localDir{".": root}
	if err := state.Failed[""]; err != nil {
		u.fail(root, err)
	}
	levels := map[int][]*localDir{}
	for i := range plan.Dirs {
		d := &plan.Dirs[i]
		parent := u.dirs[path.Dir(d.Path)]
		dir := &localDir{PushDir: *d, parent: parent, id: d.ID}
		u.dirs[d.Path] = dir
		depth := strings.Count(d.Path, "/")
		levels[depth] = append(levels[depth], dir)
	}
	for _, depth := range slices.Sorted(maps.Keys(levels)) {
		each(u.run, levels[depth], u.arrangeDir)
	}
}

// arrangeDir gives a folder its place in the service.
func (u *upload) arrangeDir(dir *localDir) {
	switch {
	case dir.parent.failed:
		dir.failed = true
	case dir.Gone: // what the service has of it lies elsewhere
	case dir.Err != nil:
		u.fail(dir, dir.Err)
	case len(dir.Same) > 0:
		u.fail(dir, &ListedError{Dir: true, Name: path.Base(dir.Path), FolderID: dir.parent.id, IDs: dir.Same})
	case dir.NoID:
		u.fail(dir, &ListedError{Dir: true, Name: dir.Name, FolderID: dir.parent.id})
	case dir.id == "":
		u.makeDir(dir)
	case dir.Rename || dir.Move:
		u.moveDir(dir)
	case dir.Was.Path != dir.Path || dir.Was.FolderID != dir.id || dir.Was.Made != 0 || dir.Was.Name != dir.Name:
		u.noteDir(dir)
	}
}

func (u *upload) makeDir(dir *localDir) {
	name := path.Base(dir.Path)
	if u.DryRun {
		return
	}
	if err := u.intend(dir.Path, dir.parent); err != nil {
		u.fail(dir, err)
		return
	}
	var id string
	err := u.inFolder(dir.parent, func() error {
		var err error
		id, err = u.service.CreateFolder(u.grace, models.FolderCreate{Name: name, ParentFolderID: dir.parent.id})
		return err
	})
	uncertain, noted := u.made(dir.Path, id, true, err)
	if dir.uncertain = uncertain; err == nil {
		err = noted
	}
	if err != nil {
		u.fail(dir, err)
		return
	}
	dir.id, dir.made, dir.Name = id, time.Now(), name
}

// moveDir renames a folder of the service, or moves it into the one of the
// local parent.
func (u *upload) moveDir(dir *localDir) {
	var patch models.FolderPatch
	if dir.Rename {
		dir.Name = path.Base(dir.Path)
		patch.Name = models.Some(dir.Name)
	}
	if dir.Move {
		patch.ParentFolderID = folderOrRoot(dir.parent.id)
	}
	if !u.DryRun {
		if err := u.service.PatchFolder(u.ctx, dir.id, patch); err != nil {
			u.fail(dir, err)
			return
		}
	}
	dir.moved = true
	u.add(Result{Path: dir.Path, From: dir.Was.Path, ID: dir.id, IsDir: true, Action: Moved})
}

func folderOrRoot(id string) models.Opt[string] {
	if id == "" {
		return models.Null[string]()
	}
	return models.Some(id)
}

// noteDir notes where a folder is.
func (u *upload) noteDir(dir *localDir) {
	_ = u.renote(dir.Was.Path, Entry{Path: dir.Path, FolderID: dir.id, Name: dir.Name}) // it is found by its name otherwise
}

// decided reports the files that need nothing, and gives the others.
func (u *upload) decided(plan *PushPlan) (files []*localFile) {
	for i := range plan.Files {
		f := &plan.Files[i]
		dir := u.dirs[path.Dir(f.Path)]
		if dir == nil || dir.failed && f.Verdict != Waiting {
			continue
		}
		file := &localFile{PushFile: *f, info: u.infos[f.Path], dir: dir, name: path.Base(f.Path), id: f.ID, sent: -1}
		result := Result{Path: f.Path, ID: f.ID, Size: file.info.Size()}
		switch {
		case u.compared.err(f.Path, f.ID) != nil:
			result.Err = u.compared.err(f.Path, f.ID)
		case len(f.Same) > 0:
			result.Err = ambiguousFile(f, dir)
		case f.Verdict != Created && f.Verdict != Waiting && f.NoID:
			result.Err = &ListedError{Name: f.Name, FolderID: dir.id}
		case f.Verdict == Waiting:
			result.Action, result.ID = Waiting, f.Was.FileID
		case f.Verdict == Kept && !f.Rename && !f.Move:
			result.Action = Kept
			_ = u.agreed(f.Path, f.Was, f.Remote, file.info, f.Was.still(f.ID, f.Version)) // it is found out again
		default:
			if file.action = f.Verdict; f.Verdict == Kept {
				file.action = Moved
			}
			dir.files = append(dir.files, file)
			files = append(files, file)
			continue
		}
		u.add(result)
	}
	return files
}

func ambiguousFile(f *PushFile, dir *localDir) error {
	several := &ListedError{Name: path.Base(f.Path), FolderID: dir.id}
	for _, r := range f.Same {
		several.IDs = append(several.IDs, r.ID)
	}
	return several
}
