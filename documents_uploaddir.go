package practice

import (
	"cmp"
	"context"
	"io/fs"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

var documentsUploadDir = operation{"Documents.UploadDir", http.MethodPost, documentsCreateFile.path, transport.Create}

// UploadDirGrace limits how long UploadDir continues after its context has
// ended. In that time it waits for the answers to its creates, and for the
// service to list the created records.
const UploadDirGrace = 3 * time.Second

// UploadDirOptions configure UploadDir. The zero value is ready to use.
type UploadDirOptions struct {
	// FolderID is the folder to upload into; empty means the root folder of the
	// matter. One that is deleted, or lies in a deleted one, is
	// ErrFolderDeleted.
	FolderID string
	// Concurrency is how many files are sent at the same time; 0 means
	// DefaultDirConcurrency. The rate limit of the client holds as well.
	Concurrency int
	// Progress is told how many of the bytes of all files that have to be sent
	// have been. It begins with 0 bytes, and done never falls. Calls do not
	// overlap and hold the transfers up, so it must be quick.
	Progress func(done, total int64)
	// FileProgress is told the same of each file. Calls do not overlap either.
	FileProgress func(path string, done, total int64)
	// Result is told what became of each file, once its content is stored, and
	// of each folder that failed. Calls do not overlap.
	Result func(DirResult)
	// Changed decides whether a file is to be sent as a new version although
	// the service has one of its size. The path is that of the local file. Nil
	// means that it is when the manifest knows the file and its time has
	// changed, or ByContent says so.
	Changed func(path string, local fs.FileInfo, remote *models.File) bool
	// Conflict chooses for a file that has changed on both sides; nil means
	// KeepBoth.
	Conflict ConflictPolicy
	// Delete deletes files and folders in the service that are gone locally,
	// where they were once alike and the service has no other version since.
	// Without it they are only reported, as DirGone. Nothing is deleted when a
	// folder could not be read, nor a document whose file was moved over
	// another one of its size and time, which is not sent.
	Delete bool
	// Ambiguous chooses when the service has several folders of the name of a
	// local one. Nil, or an id that none of them has, means that they are an
	// *AmbiguousFolderError.
	Ambiguous AmbiguityPolicy
	// Exclude leaves local files and folders out; nil means none. Their
	// records in the service stay as they are.
	Exclude DirFilter
	// DryRun changes nothing: Result is told what another call would do.
	DryRun bool
	// ByContent reads each file of the same size from the service and compares
	// it with the local one. Changed is asked instead, where it is set.
	// Together with DryRun it verifies what was uploaded: each file that is
	// true to the byte is DirKept.
	ByContent bool
	// ManifestDir is the local folder that holds the manifest. Empty means the
	// one that fsys shows when it comes from os.DirFS or an os.Root and can be
	// written to, otherwise none. A manifest that is there and can only be read
	// is an error, except for a DryRun. A tree that belongs to a mirror whose
	// manifest would not be used is refused with ErrMirrorMismatch: one that
	// shows the manifest through another file system, and a folder of a mirror
	// that is pushed by itself.
	ManifestDir string
	// Settle is how long to wait in the end until the service lists all that it
	// accepted: 0 means DefaultSettle, a negative time not at all.
	Settle time.Duration
}

// UploadDir uploads the folders and files of a local tree, such as
// os.DirFS(path), into a folder of a matter, empty folders included. It deletes
// nothing in the service unless Delete says so.
//
// A manifest, the file ".practice-manifest.jsonl" in the local folder, records
// which file of the service each local file is, and how both sides were when
// they were last alike; DownloadDir shares it. With it UploadDir
//
//   - sends a new version of what was changed locally, by size and time,
//   - renames and moves in the service what was renamed or moved locally,
//   - leaves alone what only the service has changed (DirWaiting), and asks
//     Conflict when both have,
//   - reports what is gone locally (see [UploadDirOptions.Delete]).
//
// UploadDir compares files and folders that the manifest does not know by name.
// Case counts; the form of a character, of a letter and a mark or as one (NFD,
// NFC), does not where only one of both is there. It uses an existing folder
// when it is the only one of its name in its place; several are an
// *AmbiguousFolderError unless Ambiguous chooses one. An existing file
//
//   - is skipped when its size is the same (see [UploadDirOptions.Changed]),
//   - gets its content when that never arrived, as after an interrupted upload,
//   - otherwise gets a new version. Of several files of one name, one of the
//     same size is enough; without one they are an *AmbiguousFileError.
//
// So another UploadDir after a failure uploads only the rest. Before it makes
// anything, it notes that in the manifest. A create whose answer was lost, or
// that was under way when the process ended, is looked for before anything is
// made again, until it is listed or Settle has passed since. Without a manifest
// this holds within one call only: wait for that time yourself after the
// process was killed.
//
// The records of new files are made 100 at a time where a folder has many of
// them, at most 1,000 before their content follows: a thousand files cost about
// 30 requests to the service. With a negative Settle each record is made alone.
//
// The creation time of a document is the time of the last local change.
// UploadDir ignores symbolic links, devices and the files that DownloadDir
// keeps for itself. It opens a file that cannot seek again for another attempt.
//
// When the context ends, UploadDir still waits for the answers to its creates,
// for UploadDirGrace at most. Otherwise another UploadDir would create these
// records again.
//
// The service lists a new record a moment after it accepted it. UploadDir waits
// until everything is listed, and nothing that it deleted, so that another
// UploadDir or DownloadDir finds it so. It reports what is not listed in the
// end as ErrNotVisibleYet. While one call works on a local folder with a
// manifest, another one fails with ErrMirrorBusy. The error is a *DirError, or
// an *ArgumentError when nothing was done, or an error of ManifestDir.
func (s *DocumentsService) UploadDir(ctx context.Context, matterID string, fsys fs.FS, options UploadDirOptions, opts ...CallOption) (err error) {
	ctx, observer := s.client.observeTransfer(ctx, documentsUploadDir.name)
	defer observer.endOf(&err)
	c := s.client.call(ctx, documentsUploadDir, opts)
	c.refuseForWalk()
	c.dir(matterID, options.FolderID, options.Concurrency)
	c.check("fsys", reasonIf(fsys == nil, "must not be nil"))
	if c.err != nil {
		return c.err
	}
	service := &dirService{documents: s, operation: documentsUploadDir.name, matterID: matterID, folderID: options.FolderID, opts: opts}
	outcome, err := mirror.Push(ctx, service, fsys, options.engine(service))
	return dirError(service.operation, outcome, err)
}

func (o UploadDirOptions) engine(service *dirService) mirror.PushOptions {
	return mirror.PushOptions{
		Options: mirror.Options{
			Source:      mirror.Source{MatterID: service.matterID, FolderID: o.FolderID},
			Concurrency: cmp.Or(o.Concurrency, DefaultDirConcurrency),
			Progress:    o.Progress, FileProgress: o.FileProgress, Result: reportDir(o.Result),
			Conflict: o.Conflict.choose, Exclude: o.Exclude.engine(),
			Delete: o.Delete, DryRun: o.DryRun, ByContent: o.ByContent,
		},
		Changed: o.Changed, Ambiguous: o.Ambiguous, ManifestDir: o.ManifestDir,
		Settle: cmp.Or(o.Settle, DefaultSettle), Grace: UploadDirGrace,
	}
}

// dir checks the arguments that UploadDir and DownloadDir have in common.
func (c *call) dir(matterID, folderID string, concurrency int) {
	c.check("matterId", badIdentifier(matterID))
	if folderID != "" {
		c.check("FolderID", badIdentifier(folderID))
	}
	c.check("Concurrency", reasonIf(concurrency < 0, "must not be negative"))
}
