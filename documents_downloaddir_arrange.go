package practice

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/models"
)

// remoteFile is a file of the service that has to be received.
type remoteFile struct {
	mirror.PullFile
	record *models.File
	action DirAction
	copy   string // where a local change was moved to
	stored DownloadedFile
}

// doubted reports a file that is where it should be, and whose content is compared.
func (f *remoteFile) doubted() bool { return f.action == DirKept || f.action == DirWaiting }

// arrange makes the local folders, moves what has another place now, and gives the
// files that have to be received.
func (d *dirDownload) arrange(plan *mirror.PullPlan) (files []*remoteFile) {
	if d.ctx.Err() != nil {
		return nil
	}
	d.failed = map[string]bool{}
	d.leaving, d.replaced = map[string]mirror.Entry{}, map[string]bool{}
	for _, gone := range plan.Gone {
		if gone.FileID != "" && !gone.Edited {
			d.leaving[gone.Path] = gone.Entry
		}
	}
	sources := map[string]string{} // what is moved, and where to
	for i := range plan.Dirs {
		sources[plan.Dirs[i].From] = plan.Dirs[i].Path
	}
	for i := range plan.Files {
		sources[plan.Files[i].From] = plan.Files[i].Path
	}
	for i := range plan.Dirs {
		d.arrangeDir(&plan.Dirs[i], sources)
	}
	for i := range plan.Files {
		f := &plan.Files[i]
		if d.failed[f.In] {
			continue
		}
		if f.From != "" && !d.options.DryRun {
			if err := d.rename(f.From, f.Path, sources); err != nil {
				d.add(DirResult{Path: f.Path, ID: f.ID, Size: max(0, f.Size), Err: err})
				d.failed[f.Path] = true
			}
		}
	}
	if !d.options.DryRun {
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

// settled reports a file that needs nothing, and gives any other.
func (d *dirDownload) settled(f *mirror.PullFile) *remoteFile {
	file := &remoteFile{PullFile: *f, record: d.records[f.Ref], action: DirCreated}
	result := DirResult{Path: f.Path, ID: f.ID, Size: max(0, f.Size), Action: DirKept}
	switch f.Verdict {
	case mirror.Create:
		return file
	case mirror.Update:
		file.action = DirUpdated
		return file
	case mirror.Conflict:
		file.action = DirConflict
		return file
	case mirror.Wait:
		if d.options.Overwrite {
			file.action = DirUpdated
			return file
		}
		result.Action = DirWaiting
		if d.options.ByContent {
			file.action = DirWaiting
			return file
		}
	case mirror.Ignore:
		result.Action = DirIgnored
	case mirror.Keep:
		if d.options.ByContent {
			file.action = DirKept
			return file
		}
		result.VersionID = file.record.VersionID
		d.noteTime(f)
	}
	if from := f.From; from != "" && from != f.Path {
		result.From = from
		if result.Action == DirKept {
			result.Action = DirMoved
		}
	}
	d.add(result)
	return nil
}

// noteTime completes what an earlier version of this library noted.
func (d *dirDownload) noteTime(f *mirror.PullFile) {
	if e, known := d.manifest.Lookup(f.Base); known && e.ModTime == 0 {
		if there, ok := localAt(d.root, filepath.FromSlash(f.Path)); ok {
			e.ModTime = there.ModTime
			_ = d.manifest.Set(e) // the size tells changes as well
		}
	}
}

// arrangeDir gives a folder its place.
func (d *dirDownload) arrangeDir(dir *mirror.PullDir, sources map[string]string) {
	if d.failed[dir.In] {
		d.failed[dir.Path] = true
		return
	}
	var err error
	switch {
	case d.options.DryRun:
	case dir.From != "":
		err = d.rename(dir.From, dir.Path, sources)
	default:
		err = d.makeDir(dir.Path, sources)
	}
	if err != nil {
		d.failed[dir.Path] = true
		d.add(DirResult{Path: dir.Path, ID: dir.ID, IsDir: true, Err: err})
		return
	}
	if dir.From != "" && dir.From != dir.Path {
		d.add(DirResult{Path: dir.Path, From: dir.From, ID: dir.ID, IsDir: true, Action: DirMoved})
	}
}

// makeDir makes a folder, unless it is there. A file that moves away makes room, and so
// does an unchanged copy of one that became a folder.
func (d *dirDownload) makeDir(at string, sources map[string]string) error {
	err := d.root.Mkdir(filepath.FromSlash(at), dirMode(d.options.FileMode))
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	there, ok := localAt(d.root, filepath.FromSlash(at)) // a link leads to the place of other files
	if ok && there.Dir {
		return nil
	}
	if ok && d.leaves(at, sources) {
		if moved := d.move(at, mirror.Parking()); moved == nil {
			return d.root.Mkdir(filepath.FromSlash(at), dirMode(d.options.FileMode))
		}
	}
	if e := d.leaving[at]; ok && there.Regular && e.Noted() && !e.Edited(there) {
		if removed := d.root.Remove(filepath.FromSlash(at)); removed == nil {
			return d.root.Mkdir(filepath.FromSlash(at), dirMode(d.options.FileMode))
		}
	}
	return err
}

// rename moves a file or folder from where it lay at the beginning. One that lies there
// now and is to be moved itself makes room.
func (d *dirDownload) rename(from, to string, sources map[string]string) error {
	now := d.moved.apply(from)
	if now == to {
		return nil
	}
	if there, err := d.root.Lstat(filepath.FromSlash(to)); err == nil {
		mine, err := d.root.Lstat(filepath.FromSlash(now))
		if err != nil {
			return err
		}
		_, leaves := d.leaving[to]
		switch {
		case os.SameFile(mine, there): // only its spelling changes
		case leaves && mine.Mode().IsRegular() && there.Mode().IsRegular():
			delete(d.leaving, to)
			d.replaced[to] = true
		default:
			if !d.leaves(to, sources) {
				return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
			}
			if err := d.move(to, mirror.Parking()); err != nil {
				return err
			}
			now = d.moved.apply(from)
		}
	}
	return d.move(now, to)
}

// leaves reports what lies at a path and is to be moved away from there.
func (d *dirDownload) leaves(at string, sources map[string]string) bool {
	for from, to := range sources {
		if from != "" && to != at && d.moved.apply(from) == at {
			return true
		}
	}
	return false
}

func (d *dirDownload) move(from, to string) error {
	if err := d.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to)); err != nil {
		return err
	}
	d.moved = append(d.moved, [2]string{from, to})
	return nil
}

// note writes down where everything is now. A file or folder without its place keeps its entry.
func (d *dirDownload) note(plan *mirror.PullPlan) {
	entries := d.manifest.Entries()
	fresh := map[string]mirror.Entry{}
	was := &d.renamed
	for i := range plan.Dirs {
		dir := &plan.Dirs[i]
		if d.failed[dir.Path] {
			continue
		}
		delete(entries, dir.Was)
		fresh[dir.Base] = mirror.Entry{Path: dir.Base, FolderID: dir.ID, Name: dir.Name}
		if dir.Was != "" {
			*was = append(*was, [2]string{dir.Was, dir.Base})
		}
	}
	for i := range plan.Files {
		f := &plan.Files[i]
		if !f.Was.Known() || d.failed[f.In] || d.failed[f.Path] {
			continue
		}
		delete(entries, f.Was.Path)
		e := f.Was
		e.Path = f.Base
		if mirror.Key(e.FileID) == mirror.Key(f.ID) {
			e.Name = f.Name
		}
		fresh[f.Base] = e
	}
	for _, lost := range plan.Lost {
		delete(entries, lost)
	}
	for at, e := range entries { // what is gone went along with its folder
		e.Path = inFolder(at, *was)
		if _, taken := fresh[e.Path]; !taken {
			fresh[e.Path] = e
		}
	}
	_ = d.manifest.Replace(fresh) // what cannot be noted is found out again
}

// inFolder is where an entry of the manifest is after its folder was moved.
func inFolder(at string, moved renames) string {
	best := [2]string{}
	for _, move := range moved {
		if strings.HasPrefix(at, move[0]+"/") && len(move[0]) > len(best[0]) {
			best = move
		}
	}
	if best[0] == "" {
		return at
	}
	return path.Join(best[1], at[len(best[0])+1:])
}

// drop reports what is gone from the service, and removes it when that was asked for.
func (d *dirDownload) drop(plan *mirror.PullPlan) {
	if d.ctx.Err() != nil {
		return
	}
	for _, gone := range plan.Gone {
		result := DirResult{Path: gone.Path, ID: gone.FileID + gone.FolderID, Size: gone.Size, IsDir: gone.FolderID != "", Action: DirGone}
		if d.options.Exclude.leavesOut(DirItem{Path: gone.Path, IsDir: result.IsDir, Size: gone.Size}) {
			continue
		}
		if d.options.DryRun {
			d.foreseeGone(&gone, result, plan)
			continue
		}
		at := filepath.FromSlash(gone.Path)
		there, ok := localAt(d.root, at)
		if there.Dir != result.IsDir || d.replaced[gone.Path] {
			continue // it has made room
		}
		if ok && d.options.Delete && !gone.Edited && (gone.FolderID != "" || !gone.Entry.Edited(there)) {
			if err := d.root.Remove(at); err == nil { // a folder with something in it stays
				result.Action = DirRemoved
				err = d.manifest.Set(mirror.Entry{Path: inFolder(gone.Entry.Path, d.renamed)})
				if err != nil {
					result.Err = err
				}
			}
		}
		d.add(result)
	}
}

// collect removes what dead processes left: unfinished files that nobody writes to.
func (d *dirDownload) collect() {
	for _, at := range d.parts {
		dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(at)))
		if err != nil {
			continue
		}
		_ = partfile.Collect(dir, path.Base(at)) // what is left is found the next time
		_ = dir.Close()
	}
}
