package practice

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/http"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/transport"
)

var documentsDownloadDir = operation{"Documents.DownloadDir", http.MethodGet, documentsGetDownloadURL.path, transport.Read}

// Reasons why a local folder cannot be mirrored now, for errors.Is.
var (
	// ErrMirrorMismatch: the local folder holds a copy of another matter or
	// folder, or is a part of a mirror whose manifest UploadDir would not use.
	ErrMirrorMismatch = errors.New("the local folder mirrors something else")
	// ErrMirrorBusy: another UploadDir or DownloadDir works on the local
	// folder, in this process or another one.
	ErrMirrorBusy = errors.New("another call works on the local folder")
	// ErrMirrorFormat: a newer version of this library wrote the manifest of
	// the local folder.
	ErrMirrorFormat = errors.New("the manifest of the local folder has a newer format")
)

// DownloadDirOptions configure DownloadDir. The zero value is ready to use.
type DownloadDirOptions struct {
	// FolderID is the folder of the matter to mirror; empty means all of the
	// matter. One that is deleted, or lies in a deleted one, is
	// ErrFolderDeleted unless a Cursor is used.
	FolderID string
	// Concurrency is how many files are received, or folders read, at the same
	// time; 0 means DefaultDirConcurrency. The rate limit of the client holds
	// as well.
	Concurrency int
	// Ranges and RangeSize say how one large file is read, as in
	// DownloadOptions.
	Ranges    int
	RangeSize int64
	// Progress is told how many of the bytes of all files that have to be
	// received have been. It begins with 0 bytes, and done never falls. Calls
	// do not overlap and hold the transfers up, so it must be quick.
	Progress func(done, total int64)
	// FileProgress is told the same of each file; total is -1 while it is not
	// known. Calls do not overlap either.
	FileProgress func(path string, done, total int64)
	// Result is told what became of each file, and of each folder that failed.
	// Calls do not overlap.
	Result func(DirResult)
	// Overwrite replaces local files that DownloadDir did not bring, and those
	// that were changed locally. Without it the former end in fs.ErrExist when
	// they have other content, and Conflict decides about the latter.
	Overwrite bool
	// Conflict chooses for a file that has changed on both sides; nil means
	// KeepBoth.
	Conflict ConflictPolicy
	// Delete removes local files and folders that are gone from the service,
	// unless they were changed locally. Without it they are only reported, as
	// DirGone. Nothing is removed when a folder of the service could not be
	// read.
	Delete bool
	// Exclude leaves files and folders of the service out; nil means none.
	// Their local copies stay as they are.
	Exclude DirFilter
	// DryRun changes nothing: Result is told what another call would do. A
	// local file that nobody knows is DirKept when it has the size of the one
	// in the service, and fs.ErrExist otherwise, unless ByContent compares.
	DryRun bool
	// ByContent reads each file that seems unchanged from the service and
	// compares it with the local one. A local file that differs was changed.
	// Together with DryRun it verifies a mirror: each file that is true to the
	// byte is DirKept.
	ByContent bool
	// Cursor is that of an event files.updated, the earliest since the last
	// call that ended well. With it one request tells which files have changed
	// since, and folders are not read unless the answer leaves something open.
	// Only a call without it sees that folders themselves were made, renamed,
	// moved or deleted. Empty, and together with Exclude or ByContent, it does
	// nothing.
	Cursor string
	// FileMode are the permissions of the local files. 0 means that only their
	// owner can use them, and that an update keeps those that a file has. A
	// folder that is made can be entered by all who can read its files.
	FileMode fs.FileMode
}

// DownloadDir copies the folders and files of a matter into the local folder
// dir, which it creates when needed. It never writes outside of that folder,
// even when the name of a file points there. Each file has a temporary name
// until it is complete, as with DownloadFile, and only its owner can read it,
// unless FileMode says otherwise. A file gets the time of the last change of
// its document.
//
// DownloadDir makes names safe as DownloadFile does. When entries of a folder
// then have the same name, regardless of case and of the form of characters
// (NFC, NFD), each gets a part of its id, as in MatterFS.
//
// The file ".practice-manifest.jsonl" in dir is a manifest, which UploadDir
// shares. It records which file lies where, and how both sides were when they
// were last alike. So another DownloadDir
//
//   - skips what has not changed, and resumes an interrupted file,
//   - fetches new versions, and again what is missing locally,
//   - moves what was renamed or moved in the service,
//   - leaves a file that was changed locally as it is (DirWaiting), and asks
//     Conflict when the service has changed it as well,
//   - reports what is gone from the service (see [DownloadDirOptions.Delete]).
//
// A manifest that cannot be read counts as lost: DownloadDir then compares
// contents. While one call works on dir, another one fails with ErrMirrorBusy.
//
// The error is a *DirError, an *ArgumentError when nothing was done, or an
// error of the local folder.
func (s *DocumentsService) DownloadDir(ctx context.Context, matterID, dir string, options DownloadDirOptions, opts ...CallOption) (err error) {
	ctx, observer := s.client.observeTransfer(ctx, documentsDownloadDir.name)
	defer observer.endOf(&err)
	c := s.client.call(ctx, documentsDownloadDir, opts)
	c.refuseForWalk()
	c.dir(matterID, options.FolderID, options.Concurrency)
	c.check("dir", reasonIf(dir == "", "must not be empty"))
	c.check(checkRanges(options.Ranges, options.RangeSize))
	c.check("FileMode", reasonIf(options.FileMode&^fs.ModePerm != 0, "must be permissions only"))
	if c.err != nil {
		return c.err
	}
	service := &dirService{
		documents: s, operation: documentsDownloadDir.name, matterID: matterID, folderID: options.FolderID, opts: opts,
		download: DownloadOptions{Ranges: options.Ranges, RangeSize: options.RangeSize},
	}
	outcome, err := mirror.Pull(ctx, service, dir, options.engine(service))
	return dirError(service.operation, outcome, err)
}

func (o DownloadDirOptions) engine(service *dirService) mirror.PullOptions {
	return mirror.PullOptions{
		Options: mirror.Options{
			Source:      mirror.Source{MatterID: service.matterID, FolderID: o.FolderID},
			Concurrency: cmp.Or(o.Concurrency, DefaultDirConcurrency),
			Progress:    o.Progress, FileProgress: o.FileProgress, Result: reportDir(o.Result),
			Conflict: o.Conflict.choose, Exclude: o.Exclude.engine(),
			Delete: o.Delete, DryRun: o.DryRun, ByContent: o.ByContent,
		},
		Overwrite: o.Overwrite, Cursor: o.Cursor, FileMode: o.FileMode,
	}
}
