package practice

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/practicesdk/practice-go/internal/manifest"
)

// receive downloads the files that have to be.
func (d *dirDownload) receive(files []*remoteFile) {
	if d.ctx.Err() != nil {
		return
	}
	var total int64
	for _, file := range files {
		total += max(0, file.record.SizeBytes.Or(0))
	}
	d.progress.begin(total)
	each(d.dirRun, files, func(file *remoteFile) {
		result := DirResult{Path: file.path, Action: file.action, ID: file.record.ID, Size: file.record.SizeBytes.Or(0)}
		stored, err := d.receiveFile(file)
		if err == nil {
			result.Size = stored.Size
		}
		result.Err = err
		d.add(result)
	})
}

func (d *dirDownload) receiveFile(file *remoteFile) (*DownloadedFile, error) {
	replace, err := d.claim(file)
	if err != nil {
		return nil, err
	}
	dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(file.path)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // nothing is written through it any more
	options := d.transfer
	options.Progress = d.progress.of(max(0, file.record.SizeBytes.Or(0)))
	content, err := d.documents.content(d.ctx, d.operation, d.matterID, file.record.ID, append([]CallOption{options}, d.opts...))
	if err != nil {
		return nil, err
	}
	stored, err := content.toFile(d.ctx, dir, path.Base(file.path), replace)
	if errors.Is(err, fs.ErrExist) { // somebody else was faster
		err = errors.Join(err, d.manifest.Set(manifest.Entry{Path: file.path}))
	}
	if err != nil {
		return nil, err
	}
	if changed := file.record.DateModified.Time(); !changed.IsZero() {
		_ = d.root.Chtimes(filepath.FromSlash(file.path), changed, changed) // the content is what counts
	}
	return stored, d.manifest.Set(entryOf(file.path, file.record, stored.Size))
}

// claim tells whether the local file may be replaced. A new one is noted before
// it gets its name: if the process ends between the two, the next one knows that
// it is not somebody else's.
func (d *dirDownload) claim(file *remoteFile) (replace bool, err error) {
	if _, ours := d.manifest.Lookup(file.path); ours || d.options.Overwrite {
		return true, nil
	}
	if _, err := d.root.Lstat(filepath.FromSlash(file.path)); err == nil {
		return false, &fs.PathError{Op: "create", Path: file.path, Err: fs.ErrExist}
	}
	return false, d.manifest.Set(manifest.Entry{Path: file.path, FileID: file.record.ID})
}
