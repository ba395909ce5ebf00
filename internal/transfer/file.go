package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"

	"github.com/practicesdk/practice-go/internal/intervals"
	"github.com/practicesdk/practice-go/internal/partfile"
)

// File is a local file that holds the whole content.
type File struct {
	Size     int64  // in bytes
	Resumed  int64  // number of bytes received by an earlier process
	ETag     string // entity tag of the content; empty if the storage did not send it
	SHA256   string // checksum of the content in hexadecimal; empty if it was not requested, or if the call ended before it was computed
	Requests int    // number of requests to the storage
}

// ToFile writes the content to the named file in a folder. Until it is
// complete, the content is in an unfinished file in the same folder, which a
// later ToFile with the same identity resumes. Without replace, an existing
// file is fs.ErrExist. The error is an *Error.
func (o *Object) ToFile(ctx context.Context, root *os.Root, name string, replace bool, identity ...string) (File, error) {
	if there, err := root.Lstat(name); err == nil && (!replace || !replaceable(there.Mode())) {
		return File{}, fail(&fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}, nil)
	}
	part, left, err := partfile.Open(root, append([]string{name}, identity...)...)
	if err != nil {
		return File{}, failLocally("writing the content", err)
	}
	d := &fileDownload{part: part, parallel: parallel{object: o, to: part, progress: newProgress(o.options.Progress, -1)}}
	whole := false
	defer func() {
		if !whole { // also if a function of the caller panics
			_ = part.Keep(d.state()) // an unfinished file that cannot be kept is downloaded again
		}
	}()
	if err := d.run(ctx, left); err != nil {
		return File{}, err
	}
	sum, err := d.sum(ctx)
	if err != nil {
		return File{}, failLocally("reading the downloaded content", err)
	}
	if replace && o.options.Replace != nil { // the local file may have changed meanwhile
		if err := o.options.Replace(); err != nil {
			return File{}, failLocally("finishing the file", err)
		}
	}
	whole = true
	if err := part.Commit(name, d.of.size, replace, o.options.Mode, o.options.ModTime); err != nil {
		return File{}, failLocally("finishing the file", err)
	}
	return File{Size: d.of.size, Resumed: d.resumed, ETag: o.generation().etag, SHA256: sum, Requests: int(o.requests.Load())}, nil
}

// replaceable returns false for folders and devices.
func replaceable(there fs.FileMode) bool { return there.IsRegular() || there&fs.ModeSymlink != 0 }

// fileDownload fills an unfinished file.
type fileDownload struct {
	parallel
	part    *partfile.File
	resumed int64
}

func (d *fileDownload) run(ctx context.Context, left partfile.State) error {
	d.save = func() error { return d.part.Save(d.state()) }
	if left.ETag != "" {
		err := d.rest(ctx, generation{left.Size, left.ETag}, left.Missing)
		if !refusesResume(err) {
			return err
		}
		if err := d.object.restart(ctx); err != nil {
			return err
		}
		if err := d.object.probe(ctx); err != nil { // keep the received part until another version is known to exist
			return err
		}
	}
	if _, err := d.rewind(); err != nil {
		return failLocally("writing the content", err)
	}
	return d.object.repeat(ctx, func() error { return d.whole(ctx) }, d.rewind)
}

// sum returns the SHA256 of the received content, if requested. It neither
// delays nor fails a call that has ended, because the content is complete.
func (d *fileDownload) sum(ctx context.Context) (string, error) {
	if !d.object.options.SHA256 {
		return "", nil
	}
	sum := sha256.New()
	_, err := io.CopyN(sum, ContextReader(ctx, io.NewSectionReader(d.part, 0, d.of.size)), d.of.size)
	switch {
	case ctx.Err() != nil:
		return "", nil //nolint:nilerr // the content is complete
	case err != nil:
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// rewind discards the content received so far.
func (d *fileDownload) rewind() (bool, error) {
	d.queue, d.resumed = nil, 0
	return true, d.part.Reset()
}

// rest downloads the missing parts of a version. The first response of the
// storage shows whether the version is still current.
func (d *fileDownload) rest(ctx context.Context, of generation, missing []intervals.Interval) error {
	d.object.resume(of)
	d.resumed = of.size - intervals.Total(missing)
	return d.fill(ctx, of, missing)
}

// state returns the state from which a later process can resume, or the zero
// value if resuming would not help.
func (d *fileDownload) state() partfile.State {
	if d.queue == nil || d.arrived() == 0 {
		return partfile.State{}
	}
	return partfile.State{ETag: d.of.etag, Size: d.of.size, Missing: d.queue.Missing()}
}
