package practice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/pause"
	"github.com/practicesdk/practice-go/models"
)

// send uploads the files that have to be, and moves those that were moved.
func (u *dirUpload) send(files []*localFile) {
	var total int64
	for _, file := range files {
		if file.Verdict != mirror.Keep {
			total += file.info.Size()
		}
	}
	if u.ctx.Err() != nil {
		return
	}
	u.progress.begin(total)
	each(u.dirRun, files, func(file *localFile) {
		result := DirResult{Path: file.Path, Action: file.action, ID: file.id, Size: file.info.Size()}
		if (file.Rename || file.Move) && file.Was.Path != file.Path {
			result.From = file.Was.Path
		}
		if u.options.DryRun {
			result.Action, result.Err = u.foresee(file)
			u.add(result)
			return
		}
		stored, err := u.sendFile(file)
		if err == nil && stored != nil {
			file.id, file.sent, file.made = stored.ID, stored.Size, true
			result.ID, result.Size, result.ETag, result.Requests = stored.ID, stored.Size, stored.ETag, stored.Requests
		} else if failed, ok := errors.AsType[*TransferError](err); ok && failed.FileID != "" {
			result.ID = failed.FileID
			file.id, file.made = failed.FileID, true
		}
		result.Action, result.Err = file.action, err
		if file.action == DirConflict && file.name != path.Base(file.Path) {
			result.Copy = path.Join(path.Dir(file.Path), file.name)
		}
		u.add(result)
	})
}

// sendFile does what has to be done about a file. It gives nothing when no content was
// sent.
func (u *dirUpload) sendFile(file *localFile) (stored *UploadedFile, err error) {
	if file.Rename || file.Move {
		if err := u.moveFile(file); err != nil {
			return nil, err
		}
	}
	if file.Verdict == mirror.Keep {
		return nil, nil
	}
	body, err := openSeekable(u.fsys, file.Path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }() // it was only read
	if file.Verdict == mirror.Conflict {
		done, err := u.decide(file, body)
		if err != nil || done {
			return nil, err
		}
	}
	upload := Upload{
		Name: file.name, FolderID: file.dir.id, Body: body,
		DateCreated: file.info.ModTime(), Progress: u.progress.of(file.Path, file.info.Size()),
	}
	switch file.action {
	case DirUpdated:
		return u.documents.UploadVersion(u.ctx, u.matterID, file.id, upload, u.opts...)
	case DirResumed:
		return u.documents.ResumeUpload(u.ctx, u.matterID, file.id, upload, u.opts...)
	}
	return u.createFile(file, upload)
}

// moveFile gives a file of the service the name and the folder of the local one.
func (u *dirUpload) moveFile(file *localFile) error {
	var patch models.FilePatch
	if file.Rename {
		patch.FileName = models.Some(file.name)
	}
	if file.Move {
		patch.FolderID = folderOrRoot(file.dir.id)
	}
	err := u.inFolder(file.dir, func() error {
		_, err := u.documents.PatchFile(u.ctx, u.matterID, file.id, patch, u.opts...)
		return err
	})
	file.moved = err == nil
	return err
}

// decide settles a conflict, and reports whether that was all. There is none when both
// have the same content.
func (u *dirUpload) decide(file *localFile, body io.ReadSeeker) (done bool, err error) {
	record := u.records[file.Ref]
	if file.Size == file.info.Size() {
		_, err := u.documents.Download(u.ctx, u.matterID, file.id, &comparison{with: body}, DownloadOptions{VersionID: record.VersionID}, u.opts...)
		switch {
		case err == nil:
			file.action = DirKept
			return true, u.agreed(file.Path, file.Was.Path, file.Remote, file.info)
		case !errors.Is(err, errDifferent):
			return true, err
		}
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return true, err
		}
	}
	switch u.options.Conflict.choose(file.Path, record) {
	case KeepsLocal:
		file.action = DirUpdated
	case KeepsRemote:
		e := file.Was // DownloadDir brings the version of the service
		e.Path, e.Size, e.ModTime = file.Path, file.info.Size(), file.info.ModTime().UnixNano()
		return true, u.set(e)
	default:
		return false, u.keepBoth(file)
	}
	return false, nil
}

// keepBoth gives the local change a name of its own, under which it becomes a new file.
// On a disk the local file is renamed as well, and DownloadDir brings the version of
// the service in its place.
func (u *dirUpload) keepBoth(file *localFile) error {
	extension := path.Ext(file.name)
	file.name = strings.TrimSuffix(file.name, extension) + " (local copy)" + extension
	if !u.onDisk {
		return nil
	}
	dir, err := u.root.OpenRoot(path.Dir(file.Path))
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // a name was changed, nothing written
	file.name, err = moveAside(dir, path.Base(file.Path))
	return err
}

// createFile makes a new file and sends its content.
func (u *dirUpload) createFile(file *localFile, upload Upload) (stored *UploadedFile, err error) {
	at := path.Join(path.Dir(file.Path), file.name)
	if err := u.intend(at, file.dir); err != nil {
		return nil, err
	}
	var id string
	upload.Created = func(made string) error {
		id = made
		_, err := u.made(at, made, false, nil)
		return err
	}
	err = u.inFolder(file.dir, func() (err error) {
		stored, err = u.create(upload)
		return err
	})
	if id == "" {
		uncertain, noted := u.made(at, "", false, err)
		if file.uncertain = uncertain; err == nil {
			err = noted
		}
	}
	return stored, err
}

// create is Upload, except that a file is not given up while it is being made.
func (u *dirUpload) create(upload Upload) (*UploadedFile, error) {
	if err := context.Cause(u.ctx); err != nil {
		return nil, err
	}
	t := &fileUpload{
		fileTransfer: fileTransfer{documents: u.documents, operation: "Documents.Upload", matterID: u.matterID, opts: u.opts},
		grace:        u.grace,
	}
	return t.send(u.ctx, u.documents.createFileCall(u.ctx, u.matterID, upload.record(), u.opts), upload)
}

// inFolder makes something in a folder. One that was accepted just now may not be
// found yet; being refused for that has no effect, so that it can be tried again.
func (u *dirUpload) inFolder(dir *localDir, create func() error) error {
	for tries := 0; ; tries++ {
		err := create()
		answer, refused := errors.AsType[*Error](err)
		_, begun := errors.AsType[*TransferError](err)
		if !refused || begun || !errors.Is(answer, ErrNotFound) || dir.made.IsZero() || time.Since(dir.made) > u.options.Settle {
			return err
		}
		if pause.Sleep(u.grace, pause.Doubled(firstPause, longestPause, tries)) != nil {
			return err
		}
	}
}

// drop reports what is gone locally, and deletes it when that was asked for. It stays
// noted until the service does not list it any more.
func (u *dirUpload) drop(plan *mirror.PushPlan, state *mirror.State) {
	if u.ctx.Err() != nil {
		return
	}
	for _, lost := range plan.Lost {
		_ = u.set(mirror.Entry{Path: lost}) // the next call finds it lost again
	}
	deleted := map[string]bool{}
	for _, gone := range plan.Gone {
		result := DirResult{Path: gone.Was.Path, ID: gone.ID, Size: max(0, gone.Size), IsDir: gone.Dir, Action: DirGone}
		stays := gone.Changed || state.Partial || gone.Dir && holds(state, gone.ID, deleted)
		if u.options.Delete && !stays {
			result.Err = u.delete(&gone.Remote)
			if result.Err == nil {
				result.Action = DirRemoved
				deleted[mirror.Key(gone.ID)] = true
			}
		}
		u.add(result)
	}
}

// holds reports a folder of the service that has something in it that stays.
func holds(state *mirror.State, id string, deleted map[string]bool) bool {
	if !state.Listed[mirror.Key(id)] {
		return true
	}
	for i := range state.Remote {
		if r := &state.Remote[i]; r.Parent == mirror.Key(id) && !deleted[mirror.Key(r.ID)] {
			return true
		}
	}
	return false
}

func (u *dirUpload) delete(r *mirror.Remote) (err error) {
	if u.options.DryRun {
		return nil
	}
	if r.Dir {
		_, err = u.documents.DeleteFolder(u.ctx, u.matterID, r.ID, u.opts...)
	} else {
		_, err = u.documents.DeleteFile(u.ctx, u.matterID, r.ID, u.opts...)
	}
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("practice: what is gone locally stays: %w", err)
	}
	return nil
}
