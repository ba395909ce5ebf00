package practice

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"

	"github.com/practicesdk/practice-go/internal/manifest"
	"github.com/practicesdk/practice-go/internal/transport"
)

var documentsDownloadDir = operation{"Documents.DownloadDir", http.MethodGet, documentsGetDownloadURL.path, transport.Read}

// ErrMirrorMismatch reports that the local folder holds a copy of another
// matter or folder.
var ErrMirrorMismatch = errors.New("the local folder mirrors something else")

// DownloadDirOptions configure DownloadDir. The zero value is ready to use.
type DownloadDirOptions struct {
	FolderID string // folder of the matter to mirror; empty means all of the matter
	// Concurrency is how many files are received, or folders read, at the same
	// time; 0 means DefaultDirConcurrency. The rate limit of the client holds as
	// well.
	Concurrency int
	// Ranges and RangeSize say how one large file is read, as in DownloadOptions.
	Ranges    int
	RangeSize int64
	// Progress is told how many of the bytes of all files that have to be received
	// have been. It begins with 0 bytes, and done never falls. Calls do not overlap
	// and hold the transfers up, so it must be quick.
	Progress func(done, total int64)
	// Result is told what became of each file, and of each folder that failed.
	// Calls do not overlap.
	Result func(DirResult)
	// Overwrite replaces local files that DownloadDir did not bring. Without it
	// those of other content end in fs.ErrExist.
	Overwrite bool
}

// DownloadDir copies the folders and files of a matter into the local folder
// dir, which it creates when needed. It never writes outside of that folder,
// even when the name of a file points there. Each file has a temporary name
// until it is complete, as with DownloadFile, and only its owner can read it. A
// file gets the time of the last change of its document.
//
// DownloadDir makes names safe as DownloadFile does. When entries of a folder
// then have the same name, regardless of case, each gets a part of its id, as
// in MatterFS.
//
// The file ".practice-manifest.jsonl" in dir records which version lies where.
// DownloadDir skips a file when it is the version that the service lists and
// its size is still right. So another DownloadDir fetches only new and changed
// files, and after a failure the rest; it resumes an interrupted file. It
// replaces files that it fetched earlier, even when they were changed locally.
// It keeps files that are gone from the service. Only one DownloadDir at a time
// may work on dir, across all processes.
//
// The error is a *DirError, an *ArgumentError when nothing was done, or an
// error of the local folder.
func (s *DocumentsService) DownloadDir(ctx context.Context, matterID, dir string, options DownloadDirOptions, opts ...CallOption) (err error) {
	ctx, observer := s.client.observeTransfer(ctx, documentsDownloadDir.name)
	defer func() { observer.end(err) }()
	c := s.client.call(ctx, documentsDownloadDir, opts)
	c.refuseForWalk()
	c.dir(matterID, options.FolderID, options.Concurrency)
	c.check("dir", reasonIf(dir == "", "must not be empty"))
	c.check(checkRanges(options.Ranges, options.RangeSize))
	if c.err != nil {
		return c.err
	}
	d := &dirDownload{
		dirRun:    newDirRun(ctx, documentsDownloadDir.name, options.Concurrency, options.Result),
		documents: s, matterID: matterID, options: options, opts: opts,
		progress: dirProgress{report: options.Progress},
	}
	return d.into(dir)
}

// dirDownload is one DownloadDir.
type dirDownload struct {
	*dirRun
	documents *DocumentsService
	matterID  string
	options   DownloadDirOptions
	opts      []CallOption
	progress  dirProgress
	root      *os.Root
	manifest  *manifest.Manifest
}

const ownerOnly fs.FileMode = 0o700

func (d *dirDownload) into(dir string) (err error) {
	if err := os.MkdirAll(dir, ownerOnly); err != nil {
		return fmt.Errorf("practice: %s: %w", d.operation, err)
	}
	if d.root, err = os.OpenRoot(dir); err != nil {
		return fmt.Errorf("practice: %s: %w", d.operation, err)
	}
	defer func() { _ = d.root.Close() }() // nothing is written through it any more
	d.manifest, err = manifest.Open(d.root, manifest.Source{MatterID: d.matterID, FolderID: d.options.FolderID})
	switch {
	case errors.Is(err, manifest.ErrOther):
		return fmt.Errorf("practice: %s: %w: %w", d.operation, ErrMirrorMismatch, err)
	case err != nil:
		return fmt.Errorf("practice: %s: %w", d.operation, err)
	}
	d.receive(d.plan())
	closed := d.manifest.Close()
	if err := d.err(); err != nil {
		return err
	}
	if closed != nil {
		return fmt.Errorf("practice: %s: %w", d.operation, closed)
	}
	return nil
}
