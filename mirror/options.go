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
	// DefaultConcurrency is the number of files that are transferred at a time.
	DefaultConcurrency = 8
	// Grace limits how long Push continues after its context has ended. In that
	// time it waits for the answers to its creates.
	Grace = 3 * time.Second
)

// Options configure Push and Pull. The zero value is ready to use. A field that
// names one of them means nothing to the other.
type Options struct {
	// FolderID is the folder of the matter that is mirrored; empty means the
	// whole matter. One that is deleted, or lies in a deleted one, is
	// practice.ErrFolderDeleted.
	FolderID string
	// Concurrency is the number of files that are transferred, or folders that
	// are read, at the same time; 0 means DefaultConcurrency. The rate limit of
	// the client holds as well.
	Concurrency int
	// Delete removes files and folders from the written side that are gone
	// from the other one, where both were alike and have no other content
	// since. Without it they are only reported, as Gone. Nothing is
	// removed when a folder of the service could not be read.
	Delete bool
	// MaxDelete is the number of files and folders that Delete may remove. 0
	// means 20, or half of the known ones where that is more, and none when the
	// side that is read is empty although more than three are known. More end
	// the call with ErrTooManyDeletions before anything is changed. A negative
	// number means no limit.
	MaxDelete int
	// Conflict chooses for a file of which both sides have contents that have
	// not been alike. It is not asked when both have the same content. The path
	// is that of the local file, with slashes. Nil means KeepBoth.
	Conflict func(path string, remote *models.File) Choice
	// Exclude leaves files and folders out; nil means none. Push shows it local
	// ones, Pull those of the service. Such an item is neither read nor
	// transferred, deleted, counted or reported, on either side.
	Exclude func(Item) bool
	// DryRun changes nothing: Result gets the results that the same call would
	// have.
	DryRun bool
	// ByContent reads each file on both sides, also where neither seems to have
	// changed. A local file that differs was changed. Together with DryRun it
	// verifies a mirror: each file that is true to the byte is Kept.
	ByContent bool
	// Settle limits the wait until the service lists accepted changes: 0 means
	// practice.DefaultSettle. A negative time does not wait in the end.
	Settle time.Duration
	// Progress gets the transferred bytes and the total of the files. It begins
	// with 0 bytes, and done never falls. Calls do not overlap and hold the
	// transfers up, so it must be quick.
	Progress func(done, total int64)
	// FileProgress gets the same of each file; total is -1 while it is not
	// known. Calls do not overlap either.
	FileProgress func(path string, done, total int64)
	// Result gets the result for each file, and for each folder that was moved,
	// removed or failed. Calls do not overlap.
	Result func(Result)

	// Tree replaces the local directory as the source of Push; the directory
	// then only holds the manifest. Without a directory nothing is remembered,
	// and a file of the same name and size counts as alike. A file that cannot
	// seek is buffered.
	Tree fs.FS
	// Ambiguous chooses for Push when the service has several folders of the
	// name of a local one. Nil, or an id that none of them has, means that they
	// are a *practice.AmbiguousFolderError.
	Ambiguous func(path string, ids []string) (id string)

	// Overwrite lets Pull replace files that were changed locally.
	Overwrite bool
	// Cursor is that of an event files.updated. With it Pull asks which files
	// have changed since, with one request, and reads no folders unless the
	// answer leaves something open. It waits up to Settle for the change to be
	// listed, and asks again from cursors of that time. Only a call without a
	// cursor sees that folders themselves were made, renamed, moved or deleted.
	// Together with Exclude or ByContent it does nothing.
	Cursor string
	// FileMode are the permissions of the files that Pull writes. 0 means that
	// only their owner can use them, and that an update keeps those that a file
	// has. A folder that is made can be entered by those who can read its
	// files.
	FileMode fs.FileMode
	// Ranges and RangeSize configure how Pull reads one large file, as in
	// practice.DownloadOptions.
	Ranges    int
	RangeSize int64
}

// Choice selects the content of a file in a conflict.
type Choice = plan.Choice

// Choices.
const (
	// KeepBoth leaves the version of the service under the name of the file,
	// and the local one beside it under a name of its own. Where Push cannot
	// give the local file another name, both stay as they are.
	KeepBoth = plan.KeepBoth
	// KeepLocal makes the local content a new version.
	KeepLocal = plan.KeepLocal
	// KeepRemote lets go of the local content.
	KeepRemote = plan.KeepRemote
)

// Item is a file or folder that Exclude may leave out.
type Item struct {
	// Path leads to it, with slashes, from the folder that is mirrored: the
	// local path for Push, the names of the service for Pull, as
	// practice.WalkEntry.Path. An item that is gone has its former path.
	Path   string
	IsDir  bool
	Size   int64          // of the content in bytes; -1 when it is not known, 0 for a folder
	Local  fs.FileInfo    // nil for Pull, and for an item that is gone
	File   *models.File   // nil for a folder, for Push, and for an item that is gone
	Folder *models.Folder // nil for a file, for Push, and for an item that is gone
}

// SystemFiles reports files that programs and systems keep beside documents:
// lock files of office programs, previews, settings of folders, bins and
// indexes. It is for Options.Exclude.
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
