package mirror

import (
	"errors"
	"io"
	"path"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/models"
)

// send uploads the files that have to be, and moves those that were moved.
func (u *upload) send(files []*localFile) {
	var total int64
	for _, file := range files {
		if file.Verdict != Kept {
			total += file.info.Size()
		}
	}
	if u.ctx.Err() != nil {
		return
	}
	u.begin(total)
	u.together(files)
	each(u.run, files, func(file *localFile) {
		result := Result{Path: file.Path, Action: file.action, ID: file.ID, Size: file.info.Size()}
		if (file.Rename || file.Move) && file.Was.Path != file.Path {
			result.From = file.Was.Path
		}
		if u.DryRun {
			result.Action, result.Err = u.foresee(file)
			u.add(result)
			return
		}
		stored, err := u.sendFile(file)
		if stored.ID != "" {
			file.id, file.made, result.ID = stored.ID, true, stored.ID
		}
		if stored.ID != "" && err == nil {
			file.sent = stored.Size
			result.Size, result.ETag, result.Requests = stored.Size, stored.ETag, stored.Requests
		}
		result.Action, result.Err = file.action, err
		if file.action == Conflict && file.name != path.Base(file.Path) {
			result.Copy = path.Join(path.Dir(file.Path), file.name)
		}
		u.add(result)
	})
}

// sendFile does what has to be done about a file. It gives nothing when no
// content was sent.
func (u *upload) sendFile(file *localFile) (stored Sent, err error) {
	if file.Rename || file.Move {
		if err := u.moveFile(file); err != nil {
			return stored, err
		}
	}
	if file.Verdict == Kept {
		return stored, nil
	}
	body, err := openSeekable(u.fsys, file.Path)
	if err != nil {
		return stored, err
	}
	defer func() { _ = body.Close() }() // it was only read
	if file.Verdict == Conflict {
		done, err := u.decide(file, body)
		if err != nil || done {
			return stored, err
		}
	}
	if err := u.fingerprint(file, body); err != nil {
		return stored, err
	}
	upload := Upload{
		Name: file.name, FolderID: file.dir.id, Body: body,
		DateCreated: file.info.ModTime(), Progress: u.progress(file.Path, file.info.Size()),
	}
	if file.action != Updated && file.action != Resumed {
		return u.createFile(file, upload)
	}
	upload.FileID, upload.Resumed = file.id, file.action == Resumed
	if err := u.noteSending(file); err != nil {
		return stored, err
	}
	return u.service.Send(u.ctx, u.ctx, upload)
}

// moveFile gives a file of the service the name and the folder of the local
// one.
func (u *upload) moveFile(file *localFile) error {
	var patch models.FilePatch
	if file.Rename {
		patch.FileName = models.Some(file.name)
	}
	if file.Move {
		patch.FolderID = folderOrRoot(file.dir.id)
	}
	err := u.inFolder(file.dir, func() error {
		return u.service.PatchFile(u.ctx, file.id, patch)
	})
	file.moved = err == nil
	return err
}

// decide settles a conflict, and reports whether that was all. There is none
// when both have the same content.
func (u *upload) decide(file *localFile, body io.ReadSeeker) (done bool, err error) {
	if file.Size == file.info.Size() {
		err := u.service.Read(u.ctx, file.id, file.File.VersionID, &comparison{with: body})
		switch {
		case err == nil:
			file.action = Kept
			return true, u.agreed(file.Path, file.Was, file.Remote, file.info, file.Was.still(file.ID, file.Version))
		case !errors.Is(err, errDifferent):
			return true, err
		}
		if _, err := body.Seek(0, io.SeekStart); err != nil {
			return true, err
		}
	}
	switch u.Conflict(file.Path, file.File) {
	case KeepsLocal:
		file.action = Updated
	case KeepsRemote:
		e := file.Was // DownloadDir brings the version of the service
		e.Path, e.Size, e.ModTime, e.SHA256 = file.Path, file.info.Size(), file.info.ModTime().UnixNano(), ""
		return true, u.renote(file.Was.Path, e)
	default:
		if !u.onDisk(file.Path, file.info) { // under its own name it would become a document at each call
			return true, nil
		}
		return false, u.keepBoth(file)
	}
	return false, nil
}

// keepBoth gives the local change a name of its own, under which it becomes a
// new file. DownloadDir brings the version of the service in its place.
func (u *upload) keepBoth(file *localFile) error {
	dir, err := u.root.OpenRoot(path.Dir(file.Path))
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }() // a name was changed, nothing written
	file.name, err = moveAside(dir, path.Base(file.Path))
	return err
}

// createFile makes a new file and sends its content.
func (u *upload) createFile(file *localFile, upload Upload) (stored Sent, err error) {
	if file.batch != nil {
		u.announce(file.batch)
		switch {
		case file.announced == nil: // it is made alone
		case file.announced.err != nil:
			return stored, file.announced.err
		default:
			upload.FileID, upload.Place = file.id, &file.announced.place
			if err := u.recorded(path.Join(path.Dir(file.Path), file.name), file.id, file.sending); err != nil {
				return stored, err
			}
			return u.service.Send(u.ctx, u.ctx, upload)
		}
	}
	at := path.Join(path.Dir(file.Path), file.name)
	if err := u.intend(at, file.dir); err != nil {
		return stored, err
	}
	var id string
	upload.Created = func(made string) error {
		id = made
		return u.recorded(at, made, file.sending)
	}
	err = u.inFolder(file.dir, func() (err error) {
		stored, err = u.service.Send(u.ctx, u.grace, upload)
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

// inFolder makes something in a folder. One that was accepted just now may not
// be found yet; being refused for that has no effect, so that it can be tried
// again.
func (u *upload) inFolder(dir *localDir, create func() error) error {
	for tries := 0; ; tries++ {
		err := create()
		if err == nil || u.service.Meaning(err) != NotFound || dir.made.IsZero() || time.Since(dir.made) > u.options.Settle {
			return err
		}
		if backoff.Sleep(u.grace, backoff.Exponential(firstPause, longestPause, tries)) != nil {
			return err
		}
	}
}
