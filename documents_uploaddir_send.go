package practice

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// send uploads the files that have to be.
func (u *dirUpload) send(dirs []*localDir) {
	var files []*localFile
	var total int64
	for _, dir := range dirs {
		for _, file := range dir.files {
			files = append(files, file)
			total += file.info.Size()
		}
	}
	if u.ctx.Err() != nil {
		return
	}
	u.progress.begin(total)
	each(u.dirRun, files, func(file *localFile) {
		result := DirResult{Path: file.path, Action: file.action, ID: file.id, Size: file.info.Size()}
		stored, err := u.sendFile(file)
		if err == nil {
			file.id, file.sent, file.made = stored.ID, stored.Size, true
			result.ID, result.Size = stored.ID, stored.Size
		} else if failed, ok := errors.AsType[*TransferError](err); ok && failed.FileID != "" {
			result.ID = failed.FileID
			file.id, file.made = failed.FileID, true
		}
		result.Err = err
		u.add(result)
	})
}

func (u *dirUpload) sendFile(file *localFile) (stored *UploadedFile, err error) {
	body, err := openSeekable(u.fsys, file.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = body.Close() }() // it was only read
	upload := Upload{
		Name: file.info.Name(), FolderID: file.dir.id, Body: body,
		DateCreated: file.info.ModTime(), Progress: u.progress.of(file.info.Size()),
	}
	switch file.action {
	case DirUpdated:
		return u.documents.UploadVersion(u.ctx, u.matterID, file.id, upload, u.opts...)
	case DirResumed:
		return u.documents.ResumeUpload(u.ctx, u.matterID, file.id, upload, u.opts...)
	}
	err = u.inFolder(file.dir, func() (err error) {
		stored, err = u.create(upload)
		return err
	})
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
