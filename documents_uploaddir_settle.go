package practice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
	"github.com/practicesdk/practice-go/models"
)

// Pauses between two looks at what the service does later.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = 2 * time.Second
)

// settle waits until the service lists what it accepted, as another UploadDir
// will look for it.
func (u *dirUpload) settle(dirs []*localDir) {
	if u.options.Settle < 0 {
		return
	}
	end := time.Now().Add(u.options.Settle)
	eachUntil(u.grace, u.concurrency, dirs, func(dir *localDir) {
		files, folders := dir.accepted()
		var problem error
		for looks := 0; len(files)+len(folders) > 0; looks++ {
			var entries []Entry
			entries, problem = Collect(u.documents.AllEntries(u.grace, u.matterID, dir.id, u.opts...))
			files, folders = unlisted(files, folders, entries)
			if len(files)+len(folders) == 0 || time.Now().After(end) || pause.Sleep(u.grace, pause.Doubled(firstPause, longestPause, looks)) != nil {
				break
			}
		}
		u.missing(files, folders, problem)
	})
}

// accepted are the files that were made or stored in a folder, and the folders
// that were made in it.
func (d *localDir) accepted() (files []*localFile, folders []*localDir) {
	for _, file := range d.files {
		if file.made {
			files = append(files, file)
		}
	}
	for _, sub := range d.dirs {
		if sub.id != "" && !sub.made.IsZero() {
			folders = append(folders, sub)
		}
	}
	return files, folders
}

// unlisted drops what is listed now, files with the size that was sent if any was.
func unlisted(files []*localFile, folders []*localDir, entries []Entry) (restFiles []*localFile, restFolders []*localDir) {
	records := map[string]*models.File{}
	known := map[string]bool{}
	for _, entry := range entries {
		if entry.File != nil {
			records[folderKey(entry.ID())] = entry.File
		} else {
			known[folderKey(entry.ID())] = true
		}
	}
	for _, file := range files {
		if record := records[folderKey(file.id)]; record == nil || file.sent >= 0 && !isStored(record, file.sent) {
			restFiles = append(restFiles, file)
		}
	}
	for _, folder := range folders {
		if !known[folderKey(folder.id)] {
			restFolders = append(restFolders, folder)
		}
	}
	return restFiles, restFolders
}

func (u *dirUpload) missing(files []*localFile, folders []*localDir, problem error) {
	err := ErrNotVisibleYet
	if problem != nil && !errors.Is(problem, ErrNotFound) {
		err = fmt.Errorf("%w: %w", ErrNotVisibleYet, problem)
	}
	for _, file := range files {
		if file.sent < 0 {
			continue // it failed already
		}
		u.revoke(DirResult{Path: file.path, ID: file.id, Size: file.sent, Err: err})
	}
	for _, folder := range folders {
		u.add(DirResult{Path: folder.path, ID: folder.id, IsDir: true, Err: err})
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
