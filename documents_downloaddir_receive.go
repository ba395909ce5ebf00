package practice

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/practicesdk/practice-go/internal/manifest"
)

// receive downloads the files that have to be.
func (d *dirDownload) receive(files []*remoteFile) {
	if d.ctx.Err() != nil {
		return
	}
	var total int64
	for _, file := range files {
		total += file.size()
	}
	d.progress.begin(total)
	each(d.dirRun, files, func(file *remoteFile) {
		size, err := d.receiveFile(file)
		result := DirResult{Path: file.path, Action: file.action, ID: file.record.ID, Size: size, Err: err}
		if err != nil {
			result.Size = file.size()
		}
		d.add(result)
	})
}

func (f *remoteFile) size() int64 { return max(0, f.record.SizeBytes.Or(0)) }

func (d *dirDownload) receiveFile(file *remoteFile) (size int64, err error) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(file.path)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = dir.Close() }() // nothing is written through it any more
	ctx, observer := d.documents.client.observeTransfer(d.ctx, d.operation+" file")
	defer func() { observer.end(err) }()
	options := DownloadOptions{Ranges: d.options.Ranges, RangeSize: d.options.RangeSize, Progress: d.progress.of(file.size())}
	content, err := d.documents.download(ctx, d.operation, d.matterID, file.record.ID, options, d.opts)
	if err != nil {
		return 0, err
	}
	name := path.Base(file.path)
	switch _, ours := d.manifest.Lookup(file.path); {
	case ours || d.options.Overwrite:
		size, err = d.store(ctx, file, content, dir, true)
	case exists(dir, name):
		size, err = d.adopt(ctx, file, content, dir)
	default:
		// Noted before the file gets its name: if the process ends between the two,
		// the next one knows that it is not somebody else's.
		if err := d.manifest.Set(manifest.Entry{Path: file.path, FileID: file.record.ID}); err != nil {
			return 0, err
		}
		size, err = d.store(ctx, file, content, dir, false)
		if err != nil { // what gets this name now is somebody else's
			err = errors.Join(err, d.manifest.Set(manifest.Entry{Path: file.path}))
		}
	}
	if err != nil {
		return 0, err
	}
	entry := entryOf(file.path, file.record, size)
	if size != file.record.SizeBytes.Or(size) {
		entry.Version = "" // the content is not the one that was listed: another call looks again
	}
	return size, d.manifest.Set(entry)
}

func exists(dir *os.Root, name string) bool {
	_, err := dir.Lstat(name)
	return err == nil
}

// store writes the local file.
func (d *dirDownload) store(ctx context.Context, file *remoteFile, content *download, dir *os.Root, replace bool) (int64, error) {
	name := path.Base(file.path)
	stored, err := content.toFile(ctx, dir, name, replace)
	if err != nil {
		return 0, err
	}
	if changed := file.record.DateModified.Time(); !changed.IsZero() {
		_ = dir.Chtimes(name, changed, changed) // the content is what counts
	}
	return stored.Size, nil
}

// adopt keeps a local file that nobody knows when it has the same content, as
// when the manifest was lost.
func (d *dirDownload) adopt(ctx context.Context, file *remoteFile, content *download, dir *os.Root) (int64, error) {
	name := path.Base(file.path)
	foreign := &fs.PathError{Op: "create", Path: file.path, Err: fs.ErrExist}
	info, err := dir.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() != file.record.SizeBytes.Or(info.Size()) {
		return 0, foreign
	}
	local, err := dir.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = local.Close() }() // it was only read
	size, err := content.copyTo(ctx, &comparison{with: local})
	switch {
	case errors.Is(err, errDifferent) || err == nil && size != info.Size():
		return 0, foreign
	case err != nil:
		return 0, err
	}
	file.action = DirKept
	return size, nil
}

var errDifferent = errors.New("the contents differ")

// comparison is a writer that takes what a reader has.
type comparison struct {
	with   io.Reader
	buffer []byte
}

func (c *comparison) Write(p []byte) (int, error) {
	c.buffer = slices.Grow(c.buffer[:0], len(p))[:len(p)]
	n, err := io.ReadFull(c.with, c.buffer)
	if err == nil && bytes.Equal(c.buffer, p) {
		return len(p), nil
	}
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errDifferent
	}
	return n, err
}
