package practice

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/pause"
	"github.com/practicesdk/practice-go/models"
)

// AmbiguousFileError reports several files of one name in one folder. UploadDir
// cannot tell which of them to update.
type AmbiguousFileError struct {
	Name     string   // with its extension
	FolderID string   // empty for the root folder
	IDs      []string // of the files, in the order of the listing
}

// Error says what happened, without any secret.
func (e *AmbiguousFileError) Error() string {
	return fmt.Sprintf("practice: %d files are named %q", len(e.IDs), oneLine(e.Name))
}

// plan lists the folders of the service that it takes to say what has to be done. Those
// without a local counterpart are listed only when something is not where it was.
func (u *dirUpload) plan(state *mirror.State) *mirror.PushPlan {
	if u.options.Changed != nil || u.options.ByContent {
		state.Differs = u.differs
	}
	state.Choose = u.options.Ambiguous
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
		if len(wanted) == 0 && u.compare(plan) && u.ctx.Err() == nil {
			continue
		}
		if len(wanted) == 0 || u.ctx.Err() != nil {
			return plan
		}
		u.list(state, wanted)
	}
}

func unlistedFolders(state *mirror.State) (ids []string) {
	for i := range state.Remote {
		if r := &state.Remote[i]; r.Dir && r.ID != "" && !state.Listed[mirror.Key(r.ID)] {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// list reads folders of the service.
func (u *dirUpload) list(state *mirror.State, ids []string) {
	var mu sync.Mutex
	found := map[string][]Entry{}
	each(u.dirRun, ids, func(id string) {
		entries, err := u.entries(state, id)
		mu.Lock()
		defer mu.Unlock()
		state.Listed[mirror.Key(id)] = true
		if err != nil {
			state.Failed[mirror.Key(id)], state.Partial = err, true
		} else {
			found[id] = entries
		}
	})
	for _, id := range ids {
		for _, entry := range found[id] {
			if !entry.deleted() {
				state.Remote = append(state.Remote, remoteOf(entry, mirror.Key(id), len(u.records)))
				u.records = append(u.records, entry.File)
			}
		}
	}
}

// entries reads a folder, until what an earlier process made in it, or may have made, is
// there or should be.
func (u *dirUpload) entries(state *mirror.State, id string) ([]Entry, error) {
	folderID, key := id, mirror.Key(id)
	if id == "" {
		folderID = u.options.FolderID
	}
	var pending []mirror.Entry
	for _, e := range state.Base {
		if e.Made != 0 && e.Parent == key {
			pending = append(pending, e)
		}
	}
	for looks := 0; ; looks++ {
		entries, err := Collect(u.documents.AllEntries(u.ctx, u.matterID, folderID, u.opts...))
		if err != nil {
			return nil, err
		}
		if !u.awaited(pending, entries) || pause.Sleep(u.ctx, pause.Doubled(firstPause, longestPause, looks)) != nil {
			return entries, nil //nolint:nilerr // the run sees the end of its context by itself
		}
	}
}

// awaited reports that something is not listed yet that may still come.
func (u *dirUpload) awaited(pending []mirror.Entry, entries []Entry) bool {
	there := map[string]bool{}
	for _, entry := range entries {
		there[mirror.Key(entry.ID())], there["name "+entry.Name()] = true, true
	}
	for _, e := range pending {
		id := mirror.Key(e.FileID + e.FolderID)
		listed := there[id]
		if id == "" {
			listed = there["name "+e.Name]
		}
		if !listed && time.Since(e.Asked()) <= u.options.Settle {
			return true
		}
	}
	return false
}

// arrange finds or makes the folders of the service, level by level.
func (u *dirUpload) arrange(plan *mirror.PushPlan, state *mirror.State) {
	root := &localDir{PushDir: mirror.PushDir{Path: "."}, id: u.options.FolderID}
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
		parent.subs = append(parent.subs, dir)
		depth := strings.Count(d.Path, "/")
		levels[depth] = append(levels[depth], dir)
	}
	for _, depth := range slices.Sorted(maps.Keys(levels)) {
		each(u.dirRun, levels[depth], u.arrangeDir)
	}
}

// arrangeDir gives a folder its place in the service.
func (u *dirUpload) arrangeDir(dir *localDir) {
	switch {
	case dir.parent.failed || dir.Gone:
		dir.failed = true
	case dir.Err != nil:
		u.fail(dir, dir.Err)
	case len(dir.Same) > 0:
		u.fail(dir, &AmbiguousFolderError{Name: path.Base(dir.Path), ParentID: dir.parent.id, IDs: dir.Same})
	case dir.Dir && badIdentifier(dir.id) != "":
		u.fail(dir, fmt.Errorf("practice: the folder is listed: %w", ErrNoID))
	case dir.id == "":
		u.makeDir(dir)
	case dir.Rename || dir.Move:
		u.moveDir(dir)
	case dir.Was.Path != dir.Path || dir.Was.FolderID != dir.id || dir.Was.Made != 0 || dir.Was.Name != dir.Name:
		u.noteDir(dir)
	}
}

func (u *dirUpload) makeDir(dir *localDir) {
	name := path.Base(dir.Path)
	if u.options.DryRun {
		return
	}
	if err := u.intend(dir.Path, dir.parent); err != nil {
		u.fail(dir, err)
		return
	}
	var id string
	err := u.inFolder(dir.parent, func() error {
		var err error
		id, err = u.documents.createdFolder(u.grace, u.matterID, models.FolderCreate{Name: name, ParentFolderID: dir.parent.id}, u.opts)
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

// moveDir renames a folder of the service, or moves it into the one of the local parent.
func (u *dirUpload) moveDir(dir *localDir) {
	var patch models.FolderPatch
	if dir.Rename {
		dir.Name = path.Base(dir.Path)
		patch.Name = models.Some(dir.Name)
	}
	if dir.Move {
		patch.ParentFolderID = folderOrRoot(dir.parent.id)
	}
	if !u.options.DryRun {
		if _, err := u.documents.PatchFolder(u.ctx, u.matterID, dir.id, patch, u.opts...); err != nil {
			u.fail(dir, err)
			return
		}
	}
	dir.moved = true
	u.add(DirResult{Path: dir.Path, From: dir.Was.Path, ID: dir.id, IsDir: true, Action: DirMoved})
}

func folderOrRoot(id string) models.Opt[string] {
	if id == "" {
		return models.Null[string]()
	}
	return models.Some(id)
}

// noteDir notes where a folder is.
func (u *dirUpload) noteDir(dir *localDir) {
	if was := dir.Was.Path; was != "" && was != dir.Path {
		_ = u.set(mirror.Entry{Path: was}) // it is found by its files otherwise
	}
	_ = u.set(mirror.Entry{Path: dir.Path, FolderID: dir.id, Name: dir.Name}) // it is found by its name otherwise
}

// decided reports the files that need nothing, and gives the others.
func (u *dirUpload) decided(plan *mirror.PushPlan) (files []*localFile) {
	for i := range plan.Files {
		f := &plan.Files[i]
		dir := u.dirs[path.Dir(f.Path)]
		if dir == nil || dir.failed && f.Verdict != mirror.Wait {
			continue
		}
		file := &localFile{PushFile: *f, info: u.infos[f.Path], dir: dir, name: path.Base(f.Path), id: f.ID, sent: -1}
		result := DirResult{Path: f.Path, ID: f.ID, Size: file.info.Size()}
		switch {
		case u.compared.err(f) != nil:
			result.Err = u.compared.err(f)
		case len(f.Same) > 0:
			result.Err = ambiguousFile(f, dir)
		case f.Verdict != mirror.Create && f.Verdict != mirror.Wait && badIdentifier(f.ID) != "":
			result.Err = fmt.Errorf("practice: the file is listed: %w", ErrNoID)
		case f.Verdict == mirror.Wait:
			result.Action, result.ID = DirWaiting, f.Was.FileID
		case f.Verdict == mirror.Keep && !f.Rename && !f.Move:
			result.Action = DirKept
			_ = u.agreed(f.Path, f.Was.Path, f.Remote, file.info) // it is found out again
		default:
			file.action = uploadActions()[f.Verdict]
			dir.files = append(dir.files, file)
			files = append(files, file)
			continue
		}
		u.add(result)
	}
	return files
}

func uploadActions() map[mirror.Verdict]DirAction {
	return map[mirror.Verdict]DirAction{
		mirror.Keep: DirMoved, mirror.Create: DirCreated, mirror.Update: DirUpdated,
		mirror.Resume: DirResumed, mirror.Conflict: DirConflict,
	}
}

func ambiguousFile(f *mirror.PushFile, dir *localDir) error {
	several := &AmbiguousFileError{Name: path.Base(f.Path), FolderID: dir.id}
	for _, r := range f.Same {
		several.IDs = append(several.IDs, r.ID)
	}
	return several
}
