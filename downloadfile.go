package practice

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/practicesdk/practice-go/internal/localname"
	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/internal/spans"
)

// DownloadedFile is a file whose content lies on disk.
type DownloadedFile struct {
	Path string // of the local file
	Size int64  // in bytes
	// Resumed is how many of the bytes an earlier call had left behind.
	Resumed int64
}

// DownloadFile writes the content of a file to the local file at path, whose
// folder must exist. Until the content is whole it lies beside path under a
// name that begins with ".practice-" and ends with ".part"; then it is synced
// and takes the place of the file or link that was at path; anything else there
// ends the call with fs.ErrExist. Only its owner can read it.
//
// When path is a folder, the file gets the name that the service gives it, in
// a form that is safe on every system: separators, drives, control characters
// and dots or spaces at the end become _, device names get a _ in front, and
// long names are shortened. A file that exists there is not replaced; it ends
// the call with fs.ErrExist.
//
// It survives what Download survives. After an error the unfinished file is
// kept, and the next DownloadFile of the same file to the same path goes on
// with it, also in another process, unless the file has got another version.
// Large files are read over several connections (see DownloadOptions;
// Specification, Folders and files of a matter).
func (s *DocumentsService) DownloadFile(ctx context.Context, matterID, fileID, path string, options DownloadOptions, opts ...CallOption) (file *DownloadedFile, err error) {
	const operation = "Documents.DownloadFile"
	if path == "" {
		return nil, &ArgumentError{Operation: operation, Argument: "path", Reason: "must not be empty"}
	}
	folder, name := splitTarget(path)
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, &TransferError{Operation: operation, FileID: fileID, Err: err}
	}
	defer func() { _ = root.Close() }() // nothing is written through it any more
	ctx, c, err := s.watchedContent(ctx, operation, matterID, fileID, options, opts)
	if err != nil {
		return nil, err
	}
	defer func() { c.watch.end(err) }()
	replace := name != ""
	if !replace {
		name = c.localName()
	}
	file, err = c.toFile(ctx, root, name, replace)
	if err != nil {
		return nil, err
	}
	file.Path = filepath.Join(folder, name)
	return file, nil
}

// splitTarget separates the folder from the name; a path that is a folder has
// none.
func splitTarget(path string) (folder, name string) {
	if info, err := os.Stat(path); err == nil && info.IsDir() || os.IsPathSeparator(path[len(path)-1]) {
		return path, ""
	}
	return filepath.Dir(path), filepath.Base(path)
}

// localName is what the service calls the file, or its id when it has no name.
func (c *content) localName() string {
	if c.name == "" {
		return localname.Of(c.fileID)
	}
	return localname.Of(c.name)
}

// toFile writes the content to a file in a folder.
func (c *content) toFile(ctx context.Context, root *os.Root, name string, replace bool) (*DownloadedFile, error) {
	if there, err := root.Lstat(name); err == nil && (!replace || !replaceable(there.Mode())) {
		return nil, c.fail(&fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}, nil)
	}
	part, state, err := partfile.Open(root, name, c.matterID, c.fileID, c.options.VersionID)
	if err != nil {
		return nil, c.fail(&localError{"writing the content", err}, nil)
	}
	d := &fileDownload{part: part, filling: filling{content: c, to: part, progress: newProgress(c.options.Progress, -1)}}
	whole := false
	defer func() {
		if !whole { // also when a function of the caller's panics
			_ = part.Keep(d.state()) // what cannot be kept is fetched again
		}
	}()
	if err := d.run(ctx, state); err != nil {
		return nil, err
	}
	whole = true
	if err := part.Commit(name, d.size, replace); err != nil {
		return nil, c.fail(&localError{"finishing the file", err}, nil)
	}
	return &DownloadedFile{Size: d.size, Resumed: d.resumed}, nil
}

// replaceable leaves folders and devices where they are.
func replaceable(there fs.FileMode) bool { return there.IsRegular() || there&fs.ModeSymlink != 0 }

// fileDownload fills an unfinished file.
type fileDownload struct {
	filling
	part    *partfile.File
	resumed int64
}

func (d *fileDownload) run(ctx context.Context, left partfile.State) error {
	d.save = func(missing []spans.Span) error { return d.part.Save(d.stateOf(missing)) }
	if left.ETag != "" {
		d.content.resume(left.Size, left.ETag)
		err := d.rest(ctx, left)
		if !startsOver(err) {
			return err
		}
		if err := d.content.restart(ctx); err != nil { // it was another version
			return err
		}
	}
	if _, err := d.rewind(); err != nil {
		return d.content.fail(&localError{"writing the content", err}, nil)
	}
	return d.content.repeat(ctx, func() error { return d.whole(ctx) }, d.rewind)
}

// rewind throws away what is there.
func (d *fileDownload) rewind() (bool, error) {
	d.queue, d.resumed = nil, 0
	return true, d.part.Reset()
}

// rest fetches what is missing. The first answer of the storage says whether
// the version is still the same.
func (d *fileDownload) rest(ctx context.Context, left partfile.State) error {
	d.resumed = left.Size - spans.Total(left.Missing)
	return d.fill(ctx, left.Size, left.Missing)
}

// state is what a later process needs to go on; nothing when it would gain
// nothing.
func (d *fileDownload) state() partfile.State {
	if d.queue == nil || d.arrived() == 0 {
		return partfile.State{}
	}
	return d.stateOf(d.queue.Missing())
}

func (d *fileDownload) stateOf(missing []spans.Span) partfile.State {
	_, _, etag := d.content.state()
	return partfile.State{ETag: etag, Size: d.size, Missing: missing}
}
