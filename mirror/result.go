package mirror

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// Action is the result for a file or folder.
type Action = plan.Action

// The actions of a Result.
const (
	Created = plan.Created // the file did not exist
	Updated = plan.Updated // the file had another version
	// Resumed: the service had the file without content, as after an
	// interrupted upload. Push only.
	Resumed = plan.Resumed
	Kept    = plan.Kept  // the file was already there
	Moved   = plan.Moved // the file was in another place; see Result.From
	// Waiting: only the target side has changed. The other direction transfers
	// the change.
	Waiting = plan.Waiting
	// Conflict: the two sides have different contents that were never in sync.
	// Copy is the path of the local one if both are kept, and empty if both
	// remain as they are.
	Conflict = plan.Conflict
	// Gone: the source side no longer has the item. The target side keeps it.
	Gone    = plan.Gone
	Removed = plan.Removed // the item was gone, and Delete is set
	// Ignored: there is no content to transfer. The local file is not a regular
	// file, or the service has not received the content of its file.
	Ignored = plan.Ignored
	Failed  = plan.Failed // see Err
)

// Result reports the result for one file, or for a folder that was moved,
// removed or failed.
type Result struct {
	// Path is the slash-separated path of the local file or folder, relative to
	// the mirrored folder, which itself is ".".
	Path   string
	From   string // path before a move; otherwise empty
	Copy   string // path of the local content after a Conflict; otherwise empty
	Action Action
	ID     string // id of the remote file or folder; empty if there is none
	Size   int64  // size of the content in bytes
	// ETag is the entity tag of transferred content, with its quotes. Empty if
	// the storage returned none.
	ETag string
	// VersionID is the version that Pull received or found in place. Empty if
	// the service does not list it.
	VersionID string
	Requests  int  // number of requests to the storage for this file
	IsDir     bool // a folder, including everything in it
	Err       error
}

// Reasons why a call does not begin, or ends before it changes anything, for
// errors.Is.
var (
	// ErrMismatch: the local directory mirrors a different matter or folder, or
	// is inside another mirror, whose manifest would not be used.
	ErrMismatch = errors.New("the local directory belongs to a different mirror")
	// ErrDirInUse: another call in this or another process is using the local
	// directory.
	ErrDirInUse = errors.New("another call is using the local directory")
	// ErrFormat: another version of this library wrote the manifest. If you
	// delete the file, contents are compared once.
	ErrFormat = errors.New("the manifest of the local directory was written by a different version: use that version, or delete the manifest to compare all contents once")
	// ErrTooManyDeletions: Delete would remove more than MaxDelete. A missing
	// disk looks like a tree in which everything was deleted.
	ErrTooManyDeletions = errors.New("too many files would be deleted: check that both sides are complete, then allow the deletions with MaxDelete")
)

// ErrChanged reports a file or folder that was changed during the call. It was
// not overwritten; the next call takes the change into account. For a local file
// that was deleted, the error also matches fs.ErrNotExist.
var ErrChanged = errors.New("the file or folder changed during the call")

// errVanished is the ErrChanged of a local file that is no longer there.
var errVanished = fmt.Errorf("%w: %w", ErrChanged, fs.ErrNotExist)

// asVanished returns the error of a local file that was there at the scan.
func asVanished(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errVanished
	}
	return err
}

// AmbiguousFileError reports several remote files with the same name in one
// folder. Push cannot decide which of them to update.
type AmbiguousFileError struct {
	Name string
	IDs  []string // ids of the files
}

// Error returns a text that contains no secrets.
func (e *AmbiguousFileError) Error() string {
	return fmt.Sprintf("mirror: %d files are named %q", len(e.IDs), e.Name)
}

// Error lists the files that a call did not finish. Repeating the call
// processes only these. errors.Is and errors.As examine Err and the error of
// each failed file.
type Error struct {
	Operation string // "Mirror.Push" or "Mirror.Pull"
	// Failed holds the files, and the folders with everything in them, that
	// could not be transferred, sorted by path.
	Failed []Result
	Done   int // number of files in place, including those that were in place before
	// Left is the number of files that were not attempted, because their folder
	// failed or the context ended.
	Left int
	// Unlisted is the number of files among Done that the service accepted but
	// had not listed when the context ended. Push only.
	Unlisted int
	Err      error // reason why the call ended early; nil if everything was attempted
}

// Error returns the number of failures and the first one.
func (e *Error) Error() string {
	const named = 3
	var b strings.Builder
	fmt.Fprintf(&b, "mirror: %s: %d failed, %d left, %d done", e.Operation, len(e.Failed), e.Left, e.Done)
	if e.Unlisted > 0 {
		fmt.Fprintf(&b, " (%d not listed yet)", e.Unlisted)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	for _, failed := range e.Failed[:min(named, len(e.Failed))] {
		fmt.Fprintf(&b, "; %q: %v", failed.Path, failed.Err)
	}
	if more := len(e.Failed) - named; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return strings.NewReplacer("\n", " ", "\r", " ").Replace(b.String())
}

// Unwrap returns Err and the errors of the failed files.
func (e *Error) Unwrap() []error {
	var all []error
	if e.Err != nil {
		all = append(all, e.Err)
	}
	for _, failed := range e.Failed {
		all = append(all, failed.Err)
	}
	return all
}

// Format writes the text of the error for every verb.
func (e Error) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e Error) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }
