package practice

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/pause"
	"github.com/practicesdk/practice-go/models"
)

// Pauses between two looks at what the service does later.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)

// settle waits until the service lists what it accepted, as another UploadDir
// will look for it. It also looks for what may have been made.
func (u *dirUpload) settle() {
	if u.options.Settle < 0 {
		return
	}
	groups := u.accepted()
	end := time.Now().Add(u.options.Settle)
	eachUntil(u.grace, u.concurrency, groups, func(g *accepted) {
		for looks := 0; len(g.files)+len(g.folders) > 0; looks++ {
			var entries []Entry
			entries, g.problem = Collect(u.documents.AllEntries(u.grace, u.matterID, g.folderID, u.opts...))
			g.files, g.folders = u.unlisted(g.files, g.folders, entries)
			if len(g.files)+len(g.folders) == 0 || time.Now().After(end) || pause.Sleep(u.grace, pause.Doubled(firstPause, longestPause, looks)) != nil {
				break
			}
		}
	})
	for _, g := range groups {
		u.missing(g.files, g.folders, g.problem)
	}
}

// accepted is what was made or stored in a folder of the service, or may have been.
type accepted struct {
	folderID string
	files    []*localFile
	folders  []*localDir
	problem  error // of the last look
}

// accepted gives all of it, by the folder that has to list it.
func (u *dirUpload) accepted() (groups []*accepted) {
	byFolder := map[string]*accepted{}
	in := func(id string) *accepted {
		if id == "" {
			id = u.options.FolderID
		}
		g := byFolder[folderKey(id)]
		if g == nil {
			g = &accepted{folderID: id}
			byFolder[folderKey(id)] = g
			groups = append(groups, g)
		}
		return g
	}
	for _, at := range slices.Sorted(maps.Keys(u.dirs)) {
		dir := u.dirs[at]
		for _, file := range dir.files {
			if !file.made && !file.uncertain && !file.moved {
				continue
			}
			g := in(dir.id)
			if file.ID != "" && !file.Move && file.action != DirConflict {
				g = in(file.Parent) // it may lie elsewhere in the service
			}
			g.files = append(g.files, file)
		}
		switch {
		case dir.id != "" && !dir.made.IsZero() || dir.uncertain || dir.moved && dir.Move:
			g := in(dir.parent.id)
			g.folders = append(g.folders, dir)
		case dir.moved:
			g := in(dir.Parent)
			g.folders = append(g.folders, dir)
		}
	}
	return groups
}

// unlisted drops what is listed now, files with the size that was sent if any was, and
// notes it.
func (u *dirUpload) unlisted(files []*localFile, folders []*localDir, entries []Entry) (restFiles []*localFile, restFolders []*localDir) {
	records := map[string]*models.File{}
	known := map[string]*models.Folder{}
	for _, entry := range entries {
		switch {
		case entry.File != nil:
			records[folderKey(entry.ID())], records["name "+entry.Name()] = entry.File, entry.File
		case entry.Folder != nil && !entry.deleted():
			known[folderKey(entry.ID())], known["name "+entry.Name()] = entry.Folder, entry.Folder
		}
	}
	for _, file := range files {
		if !u.isListed(file, records) {
			restFiles = append(restFiles, file)
		}
	}
	for _, folder := range folders {
		key := folderKey(folder.id)
		if folder.uncertain {
			key = "name " + path.Base(folder.Path)
		}
		switch there := known[key]; {
		case there == nil || folder.moved && there.Name != folder.Name:
			restFolders = append(restFolders, folder)
		default:
			folder.id, folder.Name = there.ID, there.Name
			u.noteDir(folder)
		}
	}
	return restFiles, restFolders
}

// isListed compares a file with what the service lists, and notes it when they agree.
func (u *dirUpload) isListed(file *localFile, records map[string]*models.File) bool {
	at := path.Join(path.Dir(file.Path), file.name)
	if file.uncertain {
		record := records["name "+file.name]
		if record != nil && badIdentifier(record.ID) == "" {
			_, _ = u.made(at, record.ID, false, nil) // the next call finds it by its name
		}
		return record != nil
	}
	record := records[folderKey(file.id)]
	if record == nil || file.sent >= 0 && !isStored(record, file.sent) || file.moved && record.Name+record.FileExtension != file.name {
		return false
	}
	old := file.action == DirUpdated && file.Size == file.sent && record.VersionID != "" && record.VersionID == u.records[file.Ref].VersionID
	if old {
		return false
	}
	if file.sent >= 0 || file.Verdict == mirror.Keep {
		was := file.Was.Path
		if file.action == DirConflict {
			was = "" // the version of the service has the entry now
		}
		_ = u.agreed(at, was, remoteOf(Entry{File: record}, "", 0), file.info) // it is found out again
	}
	return true
}

// isStored tells whether the service has content of that size for a file.
func isStored(record *models.File, size int64) bool {
	stored, known := record.SizeBytes.Get()
	return record.IsUploaded.Or(true) && known && stored == size
}

// missing reports what the service does not list. When the caller ended the run, there
// was no time to see it: that is no failure.
func (u *dirUpload) missing(files []*localFile, folders []*localDir, problem error) {
	err := ErrNotVisibleYet
	if problem != nil && !errors.Is(problem, ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrNotVisibleYet, problem)
	}
	for _, file := range files {
		switch {
		case file.sent < 0 && !file.moved || file.uncertain:
			continue // it failed already
		case u.ctx.Err() != nil:
			u.unseen()
			continue
		}
		u.revoke(DirResult{Path: file.Path, ID: file.id, Size: max(0, file.sent), Err: err})
	}
	for _, folder := range folders {
		if !folder.uncertain {
			u.add(DirResult{Path: folder.Path, ID: folder.id, IsDir: true, Err: err})
		}
	}
}

// UploadDirGrace limits how long UploadDir continues after its context has
// ended. In that time it waits for the answers to its creates, and for the
// service to list the created records.
const UploadDirGrace = 3 * time.Second

// withGrace gives a context that ends UploadDirGrace after another one.
func withGrace(ctx context.Context) (grace context.Context, end func()) {
	grace, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if pause.Sleep(grace, UploadDirGrace) == nil {
			cancel(context.Cause(ctx))
		}
	})
	return grace, func() {
		stop()
		cancel(nil)
	}
}
