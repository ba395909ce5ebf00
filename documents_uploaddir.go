package practice

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"time"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var documentsUploadDir = operation{"Documents.UploadDir", http.MethodPost, documentsCreateFile.path, transport.Create}

// DefaultUploadDirSettle is how long UploadDir waits for the service to list what it
// accepted.
const DefaultUploadDirSettle = 15 * time.Second

// UploadDirOptions configure UploadDir. The zero value is ready to use.
type UploadDirOptions struct {
	FolderID string // folder to upload into; empty means the root folder of the matter
	// Concurrency is how many files are sent at the same time; 0 means
	// DefaultDirConcurrency. The rate limit of the client holds as well.
	Concurrency int
	// Progress is told how many of the bytes of all files that have to be sent
	// have been. It begins with 0 bytes, and done never falls. Calls do not overlap
	// and hold the transfers up, so it must be quick.
	Progress func(done, total int64)
	// FileProgress is told the same of each file. Calls do not overlap either.
	FileProgress func(path string, done, total int64)
	// Result is told what became of each file, once its content is stored, and of
	// each folder that failed. Calls do not overlap.
	Result func(DirResult)
	// Changed decides whether a file is to be sent as a new version although the
	// service has one of its size. The path is that of the local file. Nil means that it
	// is when the manifest knows the file and its time has changed, or ByContent says so.
	Changed func(path string, local fs.FileInfo, remote *models.File) bool
	// Conflict chooses for a file that has changed on both sides; nil means KeepBoth.
	Conflict ConflictPolicy
	// Delete deletes files and folders in the service that are gone locally, where they
	// were once alike and the service has no other version since. Without it they are
	// only reported, as DirGone. Nothing is deleted when a folder could not be read.
	Delete bool
	// Ambiguous chooses when the service has several folders of the name of a local one.
	// Nil, or an id that none of them has, means that they are an *AmbiguousFolderError.
	Ambiguous AmbiguityPolicy
	// Exclude leaves local files and folders out; nil means none. Their
	// records in the service stay as they are.
	Exclude DirFilter
	// DryRun changes nothing: Result is told what another call would do.
	DryRun bool
	// ByContent reads each file of the same size from the service and compares it with the
	// local one. Changed is asked instead, where it is set. Together with DryRun it verifies
	// what was uploaded: each file that is true to the byte is DirKept.
	ByContent bool
	// ManifestDir is the local folder that holds the manifest. Empty means the one that
	// fsys shows when it comes from os.DirFS and can be written to, otherwise none.
	ManifestDir string
	// Settle is how long to wait in the end until the service lists all that it
	// accepted: 0 means DefaultUploadDirSettle, a negative time not at all.
	Settle time.Duration
}

// UploadDir uploads the folders and files of a local tree, such as
// os.DirFS(path), into a folder of a matter, empty folders included. It deletes
// nothing in the service unless Delete says so.
//
// A manifest, the file ".practice-manifest.jsonl" in the local folder, records which
// file of the service each local file is, and how both sides were when they were last
// alike; DownloadDir shares it. With it UploadDir
//
//   - sends a new version of what was changed locally, by size and time,
//   - renames and moves in the service what was renamed or moved locally,
//   - leaves alone what only the service has changed (DirWaiting), and asks Conflict
//     when both have,
//   - reports what is gone locally (see Delete).
//
// UploadDir compares files and folders that the manifest does not know by name, byte
// by byte. It uses an existing folder when it is the only one of its name in its place;
// several are an *AmbiguousFolderError unless Ambiguous chooses one. An existing file
//
//   - is skipped when its size is the same (see UploadDirOptions.Changed),
//   - gets its content when that never arrived, as after an interrupted upload,
//   - otherwise gets a new version. Of several files of one name, one of the same
//     size is enough; without one they are an *AmbiguousFileError.
//
// So another UploadDir after a failure uploads only the rest. Before it makes anything,
// it notes that in the manifest. A create whose answer was lost, or that was under way
// when the process ended, is looked for before anything is made again, until it is
// listed or Settle has passed since. Without a manifest this holds within one call only:
// wait for that time yourself after the process was killed.
//
// The creation time of a document is the time of the last local change. UploadDir
// ignores symbolic links, devices and the files that DownloadDir keeps for
// itself. It opens a file that cannot seek again for another attempt.
//
// When the context ends, UploadDir still waits for the answers to its creates,
// for UploadDirGrace at most. Otherwise another UploadDir would create these
// records again.
//
// The service lists a new record a moment after it accepted it. UploadDir waits
// until everything is listed, so that another UploadDir finds it, and reports the
// rest as ErrNotVisibleYet. While one call works on a local folder with a manifest,
// another one fails with ErrMirrorBusy. The error is a *DirError, or an *ArgumentError
// when nothing was done, or an error of ManifestDir.
func (s *DocumentsService) UploadDir(ctx context.Context, matterID string, fsys fs.FS, options UploadDirOptions, opts ...CallOption) (err error) {
	ctx, observer := s.client.observeTransfer(ctx, documentsUploadDir.name)
	defer func() { observer.end(err) }()
	c := s.client.call(ctx, documentsUploadDir, opts)
	c.refuseForWalk()
	c.dir(matterID, options.FolderID, options.Concurrency)
	c.check("fsys", reasonIf(fsys == nil, "must not be nil"))
	if c.err != nil {
		return c.err
	}
	u := &dirUpload{
		dirRun:    newDirRun(ctx, documentsUploadDir.name, options.Concurrency, options.Result),
		documents: s, matterID: matterID, fsys: fsys, options: options, opts: opts,
		progress: dirProgress{report: options.Progress, file: options.FileProgress},
	}
	if u.options.Settle == 0 {
		u.options.Settle = DefaultUploadDirSettle
	}
	if err := u.openManifest(); err != nil {
		return err
	}
	if u.options.DryRun {
		u.options.Settle = -1
	}
	var end func()
	u.grace, end = withGrace(ctx)
	defer end()
	u.run()
	return u.closed()
}

// dir checks the arguments that UploadDir and DownloadDir have in common.
func (c *call) dir(matterID, folderID string, concurrency int) {
	c.check("matterId", badIdentifier(matterID))
	if folderID != "" {
		c.check("FolderID", badIdentifier(folderID))
	}
	c.check("Concurrency", reasonIf(concurrency < 0, "must not be negative"))
}

// dirUpload is one UploadDir.
type dirUpload struct {
	*dirRun
	documents *DocumentsService
	matterID  string
	fsys      fs.FS
	options   UploadDirOptions
	opts      []CallOption
	progress  dirProgress
	grace     context.Context // for what must not be left half done

	root     *os.Root         // holds the manifest; nil without one
	manifest *mirror.Manifest // nil without one
	onDisk   bool             // root is the folder that fsys shows
	infos    map[string]fs.FileInfo
	records  []*models.File       // of the plan, by Ref
	dirs     map[string]*localDir // that have a place in the service, by path
	compared comparisons
}

// localDir is a folder of the local tree and its counterpart in the service.
type localDir struct {
	mirror.PushDir
	parent    *localDir
	id        string // in the service; empty for the root of the matter and for a folder that failed
	made      time.Time
	uncertain bool // it may have been made
	failed    bool
	moved     bool // renamed or moved just now
	files     []*localFile
	subs      []*localDir
}

// localFile is a file of the local tree and what has to be done about it.
type localFile struct {
	mirror.PushFile
	info      fs.FileInfo
	dir       *localDir
	action    DirAction
	name      string // in the service
	id        string // in the service; empty for a new one
	sent      int64  // bytes that were stored; -1 when they were not
	made      bool   // the service accepted it just now, with its content or without
	uncertain bool   // it may have been made
	moved     bool   // renamed or moved just now
}

// run does the work.
func (u *dirUpload) run() {
	state := u.scan()
	plan := u.plan(state)
	if u.ctx.Err() == nil {
		u.arrange(plan, state)
		files := u.decided(plan)
		u.send(files)
		u.drop(plan, state)
	}
	u.settle()
}

// closed ends the work on the manifest, and sums up.
func (u *dirUpload) closed() error {
	var closed error
	if u.manifest != nil {
		closed = u.manifest.Close()
	}
	if u.root != nil {
		closed = errors.Join(closed, u.root.Close())
	}
	if err := u.err(); err != nil {
		return err
	}
	if closed != nil {
		return fmt.Errorf("practice: %s: %w", u.operation, closed)
	}
	return nil
}

// fail gives up a folder with everything in it.
func (u *dirUpload) fail(dir *localDir, err error) {
	dir.failed = true
	u.add(DirResult{Path: dir.Path, ID: dir.id, IsDir: true, Err: err})
}
