package practice

import (
	"context"
	"io/fs"
	"net/http"
	"time"

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
	// Result is told what became of each file, once its content is stored, and of
	// each folder that failed. Calls do not overlap.
	Result func(DirResult)
	// Changed decides whether a file is to be sent as a new version although the
	// service has one of its name and size. Nil means that it is not.
	Changed func(local fs.FileInfo, remote *models.File) bool
	// Settle is how long to wait in the end until the service lists all that it
	// accepted: 0 means DefaultUploadDirSettle, a negative time not at all.
	Settle time.Duration
}

// UploadDir uploads the folders and files of a local tree, such as
// os.DirFS(path), into a folder of a matter, empty folders included. It deletes
// nothing in the service.
//
// UploadDir uses an existing folder when it is the only one of its name in its
// place; several are reported as an *AmbiguousFolderError. An existing file of
// the same name in the same folder
//
//   - is skipped when its size is the same (see UploadDirOptions.Changed),
//   - gets its content when that never arrived, as after an interrupted upload,
//   - otherwise gets a new version. Of several files of one name, one of the same
//     size is enough; without one they are an *AmbiguousFileError.
//
// So another UploadDir after a failure uploads only the rest. It compares
// neither times nor contents. It compares names byte by byte.
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
// rest as ErrNotVisibleYet. The error is a *DirError, or an *ArgumentError when
// nothing was done.
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
		progress: dirProgress{report: options.Progress},
	}
	if u.options.Settle == 0 {
		u.options.Settle = DefaultUploadDirSettle
	}
	var end func()
	u.grace, end = withGrace(ctx)
	defer end()
	root := u.scan()
	root.id = options.FolderID
	dirs := u.place(root)
	u.send(dirs)
	u.settle(dirs)
	return u.err()
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
}

// localDir is a folder of the local tree and its counterpart in the service.
type localDir struct {
	path, name string
	parent     *localDir
	dirs       []*localDir
	files      []*localFile

	id     string // in the service; empty for the root of the matter and for a folder that failed
	made   time.Time
	listed listing // what the service has in it
}

// localFile is a file of the local tree and what has to be done about it.
type localFile struct {
	path   string
	info   fs.FileInfo
	dir    *localDir
	action DirAction
	id     string // in the service; empty for a new one
	sent   int64  // bytes that were stored; -1 when they were not
	made   bool   // the service accepted it just now, with its content or without
}

// fail gives up a folder with everything in it.
func (u *dirUpload) fail(dir *localDir, err error) {
	u.add(DirResult{Path: dir.path, ID: dir.id, IsDir: true, Err: err})
	dir.dirs, dir.files = nil, nil
}
