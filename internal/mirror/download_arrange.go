package mirror

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/practicesdk/practice-go/internal/transfer"
)

// remoteFile is a file of the service that has to be received.
type remoteFile struct {
	PullFile
	action Action
	copy   string // where a local change was moved to
	stored transfer.File
}

// doubted reports a file that is where it should be, and whose content is
// compared.
func (f *remoteFile) doubted() bool { return f.action == Kept || f.action == Waiting }

// arrange makes the local folders, moves what has another place now, and gives
// the files that have to be received.
func (d *download) arrange(plan *PullPlan) (files []*remoteFile) {
	if d.ctx.Err() != nil {
		return nil
	}
	d.prepare(plan)
	for i := range plan.Dirs {
		d.arrangeDir(&plan.Dirs[i])
	}
	if !d.DryRun {
		d.moveFiles(plan)
		d.comeBack()
	}
	d.makeRoom(plan)
	if !d.DryRun {
		d.note(plan)
	}
	for i := range plan.Files {
		if f := &plan.Files[i]; !d.failed[f.In] && !d.failed[f.Path] {
			if file := d.settled(f); file != nil {
				files = append(files, file)
			}
		}
	}
	return files
}

// prepare notes what moves, and what is gone.
func (d *download) prepare(plan *PullPlan) {
	d.failed, d.replaced = map[string]bool{}, map[string]bool{}
	d.leaving, d.sources = map[string]Entry{}, map[string]string{}
	for _, gone := range plan.Gone {
		if gone.FileID != "" && !gone.Edited {
			d.leaving[gone.Path] = gone.Entry
		}
	}
	for i := range plan.Dirs {
		d.sources[plan.Dirs[i].From] = plan.Dirs[i].Path
	}
	for i := range plan.Files {
		d.sources[plan.Files[i].From] = plan.Files[i].Path
	}
	delete(d.sources, "") // what lies nowhere
}

// settled reports a file that needs nothing, and gives any other.
func (d *download) settled(f *PullFile) *remoteFile {
	file := &remoteFile{PullFile: *f, action: Created}
	result := Result{Path: f.Path, ID: f.ID, Size: max(0, f.Size), Action: Kept}
	if result.Err = d.compared.err(f.From, f.ID); result.Err != nil { // it may be what was sent from here
		d.add(result)
		return nil
	}
	switch f.Verdict {
	case Created, Updated, Conflict:
		file.action = f.Verdict
		return file
	case Waiting:
		if d.options.Overwrite {
			file.action = Updated
			return file
		}
		result.Action = Waiting
		if d.ByContent {
			file.action = Waiting
			return file
		}
	case Ignored:
		result.Action = Ignored
	case Kept:
		if d.ByContent {
			file.action = Kept
			return file
		}
		result.VersionID = file.versionID()
		d.noteTime(f)
	}
	if from := f.From; from != "" && from != f.Path {
		result.From = from
		if result.Action == Kept {
			result.Action = Moved
		}
	}
	d.add(result)
	return nil
}

// noteTime completes what an earlier version of this library noted.
func (d *download) noteTime(f *PullFile) {
	if e, known := d.manifest.Lookup(f.Base); known && e.ModTime == 0 {
		e.ModTime = f.Seen.ModTime
		_ = d.manifest.Set(e) // the size tells changes as well
	}
}

// arrangeDir gives a folder its place.
func (d *download) arrangeDir(dir *PullDir) {
	if d.failed[dir.In] {
		d.failed[dir.Path] = true
		return
	}
	var err error
	switch {
	case d.DryRun:
		err = d.foreseeDir(dir)
	case dir.From != "":
		err = d.rename(dir.From, dir.Path)
	default:
		err = d.makeDir(dir.Path)
	}
	if err != nil {
		d.failed[dir.Path] = true
		d.add(Result{Path: dir.Path, ID: dir.ID, IsDir: true, Err: err})
		return
	}
	if dir.From != "" && dir.From != dir.Path {
		d.add(Result{Path: dir.Path, From: dir.From, ID: dir.ID, IsDir: true, Action: Moved})
	}
}

// makeDir makes a folder, unless it is there. A file that moves away makes
// room, and so does an unchanged copy of a file that became a folder.
func (d *download) makeDir(at string) error {
	mkdir := func() error { return d.root.Mkdir(filepath.FromSlash(at), dirMode(d.options.FileMode)) }
	err := mkdir()
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, ok := localAt(d.root, filepath.FromSlash(at)) // a link leads to the place of other files
	switch {
	case ok && d.leaves(at) && d.move(at, Parking()) == nil:
		return mkdir()
	case ok && there.Dir:
		return nil
	case ok && d.unchangedCopy(at, there) && d.root.Remove(filepath.FromSlash(at)) == nil:
		return mkdir()
	}
	return err
}

// unchangedCopy reports a local file that is gone from the service, and in
// which nobody worked.
func (d *download) unchangedCopy(at string, there Local) bool {
	e := d.leaving[at]
	return there.Regular && e.Noted() && !e.Edited(there)
}
