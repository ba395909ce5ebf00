package mirror

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
	"github.com/practicesdk/practice-go/models"
)

const (
	// DefaultConcurrency is the number of files that are transferred
	// concurrently.
	DefaultConcurrency = 8
	// Grace limits how long Push continues after its context has ended. In that
	// time it waits for the responses to its creates.
	Grace = 3 * time.Second
)

// Options configure Push and Pull. The zero value is ready to use. Push ignores
// the fields for Pull, and Pull ignores those for Push.
type Options struct {
	// FolderID is the id of the mirrored folder; empty means the whole matter.
	// If the folder is deleted, or is inside a deleted one, the call fails with
	// practice.ErrFolderDeleted.
	FolderID string
	// Concurrency is the number of files that are transferred, or folders that
	// are read, concurrently; 0 means DefaultConcurrency. The rate limit of the
	// client applies as well.
	Concurrency int
	// Delete removes files and folders that are gone on the source side from
	// the target side, if both sides were alike and the target has not changed
	// since. Without it they are only reported as Gone. Nothing is removed if a
	// folder of the service could not be read.
	Delete bool
	// MaxDelete is the number of files and folders that Delete may remove. 0
	// means 20, or half of the known ones if that is more; but it means none
	// while the side that is read is empty. If more would be removed, the call
	// ends with ErrTooManyDeletions, which includes their number, before
	// anything is changed. A negative number means no limit.
	MaxDelete int
	// Conflict chooses the content of a file if the two sides have different
	// contents that were never in sync. It is not called if the contents are
	// equal. The path is that of the local file, with slashes. Nil means
	// KeepBoth.
	Conflict func(path string, remote *models.File) Choice
	// Exclude reports which files and folders to leave out; nil means none.
	// Push calls it for local items, Pull for those in the service. Excluded
	// items are not read, transferred, deleted, counted or reported on either
	// side.
	Exclude func(Item) bool
	// DryRun changes nothing. Result receives the results that the same call
	// would have.
	DryRun bool
	// ByContent reads each file on both sides, even if neither seems to have
	// changed. A local file that differs counts as changed. Together with
	// DryRun it verifies a mirror: each file that is equal byte for byte is
	// Kept.
	ByContent bool
	// ListWait limits the wait until the service lists accepted changes: 0 means
	// practice.DefaultListWait. With a negative value the call does not wait at
	// its end.
	ListWait time.Duration
	// Progress receives the transferred bytes and the total of the files. It
	// begins with 0 bytes, and done never falls. Calls do not overlap. They
	// delay the transfers, so Progress must return quickly.
	Progress func(done, total int64)
	// FileProgress receives the same for each file; total is -1 while it is
	// unknown. Calls do not overlap either.
	FileProgress func(path string, done, total int64)
	// Result receives the result for each file, and for each folder that was
	// moved, removed or failed. Calls do not overlap.
	Result func(Result)

	// Tree replaces the local directory as the source of Push; the directory
	// then contains only the manifest. Without a directory there is no manifest,
	// and files with the same name and size count as alike. Files that cannot
	// seek are buffered.
	Tree fs.FS
	// Ambiguous chooses a folder for Push if several folders in the service have
	// the name of a local one. If it is nil, or returns the id of none of them,
	// the result is a *practice.AmbiguousFolderError.
	Ambiguous func(path string, ids []string) (id string)

	// Overwrite lets Pull replace locally changed files.
	Overwrite bool
	// Cursor is the cursor of a files.updated event. With it, Pull requests the
	// files that have changed since the cursor in one request, and does not
	// read folders unless the response leaves something open. Pull waits up to
	// ListWait for the change to be listed, and includes cursors used within
	// that time. Only a call without a cursor detects that folders were
	// created, renamed, moved or deleted. Together with Exclude or ByContent,
	// the cursor is ignored.
	Cursor string
	// FileMode is the mode of the files that Pull writes. 0 means that only
	// their owner can access them, and that an update keeps the mode of a file.
	// Those who can read the files in a new folder can also enter the folder.
	FileMode fs.FileMode
	// Ranges and RangeSize configure how Pull reads one large file, as in
	// practice.DownloadOptions.
	Ranges    int
	RangeSize int64
}

// Choice selects the content of a file in a conflict.
type Choice = plan.Choice

// The choices for a conflict.
const (
	// KeepBoth keeps the service's version under the name of the file, and the
	// local one beside it under another name. If Push cannot rename the local
	// file, both remain as they are.
	KeepBoth = plan.KeepBoth
	// KeepLocal makes the local content a new version of the document.
	KeepLocal = plan.KeepLocal
	// KeepRemote discards the local content.
	KeepRemote = plan.KeepRemote
)

// Item is a file or folder that Exclude may leave out.
type Item struct {
	// Path is the slash-separated path relative to the mirrored folder: the
	// local path for Push, the path of remote names for Pull, as in
	// practice.WalkEntry.Path. An item that is gone has its former path.
	Path   string
	IsDir  bool
	Size   int64          // size of the content in bytes; -1 if unknown, 0 for a folder
	Local  fs.FileInfo    // nil for Pull, and for an item that is gone
	File   *models.File   // nil for a folder, for Push, and for an item that is gone
	Folder *models.Folder // nil for a file, for Push, and for an item that is gone
}

// SystemFiles reports files that programs and systems create beside documents:
// lock files of office programs, previews, folder settings, trash and indexes.
// Use it for Options.Exclude.
func SystemFiles(item Item) bool {
	name := strings.ToLower(path.Base(item.Path))
	switch name {
	case ".ds_store", ".localized", "thumbs.db", "ehthumbs.db", "desktop.ini",
		".spotlight-v100", ".trashes", ".fseventsd", ".temporaryitems", "$recycle.bin", "system volume information":
		return true
	}
	return strings.HasPrefix(name, "~$") || strings.HasPrefix(name, "._") ||
		strings.HasPrefix(name, ".~lock.") && strings.HasSuffix(name, "#") ||
		strings.HasPrefix(name, ".trash-") || strings.HasPrefix(name, "~wrl") && strings.HasSuffix(name, ".tmp")
}

func (o *Options) leavesOut(item Item) bool { return o.Exclude != nil && o.Exclude(item) }
