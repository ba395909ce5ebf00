package mirror

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// receive downloads the files that have to be.
func (d *download) receive(files []*remoteFile) {
	if d.ctx.Err() != nil {
		return
	}
	var total int64
	for _, file := range files {
		total += file.size()
	}
	d.begin(total)
	each(d.run, files, func(file *remoteFile) {
		receive := d.receiveFile
		if d.DryRun {
			receive = d.foresee
		}
		size, err := receive(file)
		result := Result{
			Path: file.Path, Copy: file.copy, Action: file.action, ID: file.ID, Size: size, Err: err,
			ETag: file.stored.ETag, VersionID: file.versionID(), Requests: file.stored.Requests,
		}
		if file.From != file.Path {
			result.From = file.From
		}
		if err != nil {
			result.Size = file.size()
		}
		d.add(result)
	})
}

func (f *remoteFile) size() int64 { return max(0, f.Size) }

func (d *download) receiveFile(file *remoteFile) (size int64, err error) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(path.Dir(file.Path)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = dir.Close() }() // nothing is written through it any more
	ctx, end := d.service.Observe(d.ctx)
	defer func() { end(err) }()
	switch {
	case file.action == Conflict:
		return d.decide(ctx, file, dir)
	case file.doubted():
		done, size, err := d.reconsider(ctx, file, dir)
		if done || err != nil {
			return size, err
		}
	}
	content, err := d.content(ctx, file)
	if err != nil {
		return 0, err
	}
	name := path.Base(file.Path)
	switch {
	case file.Was.Known() && file.From != "" || d.options.Overwrite:
		if file.action == Created && exists(dir, name) {
			file.action = Updated
		}
		size, err = d.store(ctx, file, content, dir, d.untouched(file, dir))
		if errors.Is(err, errTouched) {
			file.action = Conflict
			return d.decide(ctx, file, dir)
		}
	case exists(dir, name):
		size, err = d.adopt(ctx, file, content, dir)
	default:
		// Noted before the file gets its name: if the process ends between the
		// two, the next one knows that it may not be somebody else's.
		if err := d.manifest.Set(Entry{Path: file.Base, FileID: file.ID}); err != nil {
			return 0, err
		}
		size, err = d.store(ctx, file, content, dir, nil)
		if err != nil { // what gets this name now is somebody else's
			was := file.Was
			was.Path = file.Base
			err = errors.Join(err, d.manifest.Set(was))
		}
	}
	if err != nil {
		return 0, err
	}
	return size, d.noteFile(file, dir, size)
}

func (d *download) content(ctx context.Context, file *remoteFile) (Content, error) {
	return d.service.Open(ctx, file.ID, d.progress(file.Path, file.size()))
}

// noteFile writes down that both sides are alike.
func (d *download) noteFile(file *remoteFile, dir *os.Root, size int64) error {
	e := Entry{Path: file.Base, FileID: file.ID, Name: file.Name, Version: file.Version, Size: size, SHA256: cmp.Or(file.stored.SHA256, file.Was.still(file.ID, file.Version))}
	if there, ok := localAt(dir, path.Base(file.Path)); ok {
		e.ModTime = there.ModTime
	}
	if file.Path != file.Base {
		e.Lies = file.Path
	}
	if file.Size >= 0 && size != file.Size {
		e.Version, e.SHA256 = "", "" // the content is not the one that was listed: another call looks again
	}
	return d.manifest.Set(e)
}

func exists(dir *os.Root, name string) bool {
	_, err := dir.Lstat(name)
	return err == nil
}

// errTouched says that somebody worked on a local file meanwhile.
var errTouched = errors.New("the local file has changed meanwhile")

// untouched reports, when it is asked, whether a local file is as it was seen:
// somebody may have worked on it since. Overwrite does not mind.
func (d *download) untouched(file *remoteFile, dir *os.Root) func() error {
	return func() error {
		there, ok := localAt(dir, path.Base(file.Path))
		if ok && there != file.Seen && !d.options.Overwrite {
			return errTouched
		}
		return nil
	}
}

// store writes the local file. In the place of another one it does so as
// replace allows.
func (d *download) store(ctx context.Context, file *remoteFile, content Content, dir *os.Root, replace func() error) (int64, error) {
	name := path.Base(file.Path)
	stored, err := content.ToFile(ctx, dir, name, replace, d.mode(dir, name))
	if err != nil {
		return 0, err
	}
	file.stored = stored
	setTime(file, dir)
	return stored.Size, nil
}

// mode are the permissions of the local file of a name.
func (d *download) mode(dir *os.Root, name string) fs.FileMode {
	if d.options.FileMode != 0 {
		return d.options.FileMode
	}
	if info, err := dir.Lstat(name); err == nil && info.Mode().IsRegular() {
		return info.Mode().Perm()
	}
	return 0
}

// setTime gives a local file the time of its document.
func setTime(file *remoteFile, dir *os.Root) {
	if changed := file.File.DateModified.Time(); !changed.IsZero() {
		_ = dir.Chtimes(path.Base(file.Path), changed, changed) // the content is what counts
	}
}

// decide settles a conflict, and does so again when somebody works on the local
// file meanwhile: the choice was about another content.
func (d *download) decide(ctx context.Context, file *remoteFile, dir *os.Root) (size int64, err error) {
	for {
		file.Seen, _ = localAt(dir, path.Base(file.Path))
		if size, err = d.settle(ctx, file, dir); !errors.Is(err, errTouched) {
			return size, err
		}
		file.action = Conflict
	}
}

// settle settles a conflict. There is none when both have the same content.
func (d *download) settle(ctx context.Context, file *remoteFile, dir *os.Root) (int64, error) {
	switch same, size, err := d.compare(ctx, file, dir); {
	case err != nil:
		return 0, err
	case same:
		file.action = Kept
		return size, d.noteFile(file, dir, size)
	}
	choice := KeepsRemote
	if !d.options.Overwrite {
		choice = d.Conflict(file.Path, file.File)
	}
	name, replace := path.Base(file.Path), d.untouched(file, dir)
	switch choice {
	case KeepsRemote:
		file.action = Updated
	case KeepsLocal:
		e := file.Was
		if !e.Noted() { // no file has this size: it is not the one of this version
			e.Size = -1
		}
		e.Path, e.FileID, e.Name, e.Version, e.SHA256 = file.Base, file.ID, file.Name, file.Version, ""
		return file.size(), d.manifest.Set(e) // the local change is one of this version now
	default:
		aside, err := moveAside(dir, name)
		if err != nil {
			return 0, err
		}
		file.copy, replace = path.Join(path.Dir(file.Path), aside), nil
	}
	content, err := d.content(ctx, file)
	if err != nil {
		return 0, err
	}
	size, err := d.store(ctx, file, content, dir, replace)
	if err != nil {
		return 0, err
	}
	return size, d.noteFile(file, dir, size)
}

// moveAside gives a file another name in its folder, which nothing has, unless
// a process that ended meanwhile had given it that name already.
func moveAside(dir *os.Root, name string) (string, error) {
	mine, err := dir.Lstat(name)
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		aside := asideName(name, n)
		if there, err := dir.Lstat(aside); err == nil && os.SameFile(mine, there) {
			return aside, dir.Remove(name)
		}
		// A link, unlike a new name, never replaces a file.
		err := dir.Link(name, aside)
		switch {
		case err == nil:
			return aside, dir.Remove(name)
		case errors.Is(err, fs.ErrExist) || exists(dir, aside):
			continue
		}
		return aside, dir.Rename(name, aside) // a file system without links
	}
}

// asideMark begins the mark of such a name.
const asideMark = " (local copy"

// asideName is the nth name for what a name is taken from.
func asideName(name string, n int) string {
	if n > 1 {
		return filenames.Marked(name, fmt.Sprintf("%s %d)", asideMark, n))
	}
	return filenames.Marked(name, asideMark+")")
}

// adopt keeps a local file that nobody knows when it has the same content, as
// when the manifest was lost.
func (d *download) adopt(ctx context.Context, file *remoteFile, content Content, dir *os.Root) (int64, error) {
	same, size, err := d.compareWith(ctx, file, dir, func() (Content, error) { return content, nil })
	switch {
	case err != nil:
		return 0, err
	case !same:
		return 0, &fs.PathError{Op: "create", Path: file.Path, Err: fs.ErrExist}
	}
	setTime(file, dir)
	file.action = Kept
	return size, nil
}

// compare reports a local file with the content that the service has.
func (d *download) compare(ctx context.Context, file *remoteFile, dir *os.Root) (same bool, size int64, err error) {
	return d.compareWith(ctx, file, dir, func() (Content, error) { return d.content(ctx, file) })
}

func (d *download) compareWith(ctx context.Context, file *remoteFile, dir *os.Root, open func() (Content, error)) (bool, int64, error) {
	name := path.Base(file.Path)
	if d.DryRun && file.From != "" {
		name = path.Base(file.From) // it was not moved
	}
	info, err := dir.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || file.Size >= 0 && info.Size() != file.Size {
		return false, 0, nil
	}
	content, err := open()
	if err != nil {
		return false, 0, err
	}
	local, err := dir.Open(name)
	if err != nil {
		return false, 0, err
	}
	defer func() { _ = local.Close() }() // it was only read
	sum := sha256.New()
	size, err := content.CopyTo(ctx, io.MultiWriter(&comparison{with: local}, sum))
	if errors.Is(err, errDifferent) {
		return false, 0, nil
	}
	still, _ := localAt(dir, name) // otherwise a change made meanwhile would be noted as alike
	same := err == nil && size == info.Size() && still == localOf(info)
	if same {
		file.stored.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	return same, size, err
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
