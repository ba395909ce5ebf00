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

// ErrMirrorMismatch says that the local folder holds what DownloadDir brought from
// another matter or folder.
var ErrMirrorMismatch = errors.New("the local folder mirrors something else")

// DownloadDirOptions say how DownloadDir works. The zero value is ready to use.
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

// DownloadDir brings the folders and files of a matter into the local folder at
// dir, which it makes when it is not there. Whatever the service calls its files,
// nothing is written outside of that folder. Each content has a temporary name
// until it is whole, as with DownloadFile, and can be read by its owner only.
// Files get the time of the last change of their document.
//
// Names are made safe as DownloadFile does it. Entries of a folder that have the
// same name then, upper and lower case being the same, get a part of their id
// each, as MatterFS has it.
//
// A file named ".practice-manifest.jsonl" in dir keeps which version lies where.
// A file is left alone when that is the version that the service lists and its
// size is still right. So another DownloadDir gets what is new or changed, and
// after a failure the rest: it goes on inside of a file that broke off. What was
// brought earlier is replaced, also when it was changed locally; what is gone
// from the service stays. Only one DownloadDir at a time may work on dir, also of
// several processes.
//
// The error is a *DirError, an *ArgumentError when nothing was done, or that of
// the local folder.
func (s *DocumentsService) DownloadDir(ctx context.Context, matterID, dir string, options DownloadDirOptions, opts ...CallOption) (err error) {
	c := s.client.call(ctx, documentsDownloadDir, opts)
	c.refuseForWalk()
	c.dir(matterID, options.FolderID, options.Concurrency)
	c.check("dir", reasonIf(dir == "", "must not be empty"))
	c.check(checkRanges(options.Ranges, options.RangeSize))
	if c.err != nil {
		return c.err
	}
	ctx, observer := s.client.observeTransfer(ctx, documentsDownloadDir.name)
	defer func() { observer.end(err) }()
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
