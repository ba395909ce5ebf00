package mirror

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// Action is the result for a file or folder.
type Action = plan.Action

// Actions.
const (
	Created = plan.Created // it was not there
	Updated = plan.Updated // another version was there
	// Resumed: the service had the file without content, as an upload that
	// broke off leaves it. Push only.
	Resumed = plan.Resumed
	Kept    = plan.Kept  // it was there already
	Moved   = plan.Moved // it was there in another place, see Result.From
	// Waiting: only the side that is written to has changed. The other
	// direction carries the change over.
	Waiting = plan.Waiting
	// Conflict: both sides have contents that have not been alike. Copy is
	// where the local one lies when both are kept; empty when both stay as they
	// are.
	Conflict = plan.Conflict
	// Gone: the side that is read does not have it any more. It stays on the
	// other side.
	Gone    = plan.Gone
	Removed = plan.Removed // it was gone, and Delete is set
	// Ignored: there is no content to transfer. The local file is no regular
	// one, or the content of the service's file has not arrived there.
	Ignored = plan.Ignored
	Failed  = plan.Failed // Err says why
)

// Result reports the result for one file, or for a folder that was moved,
// removed or failed.
type Result struct {
	// Path leads to the local file or folder, with slashes, from the folder
	// that is mirrored; that one itself is ".".
	Path   string
	From   string // the path before, when it was moved; otherwise empty
	Copy   string // the path of the local content after a Conflict; otherwise empty
	Action Action
	ID     string // of the file or folder of the service; empty while there is none
	Size   int64  // of the content in bytes
	// ETag is the entity tag of content that was transferred, with its quotes.
	// Empty when the storage names none.
	ETag string
	// VersionID is the version that Pull received, or found in place. Empty
	// when the service does not list it.
	VersionID string
	Requests  int  // to the storage, for this file
	IsDir     bool // a folder, which stands for everything in it
	Err       error
}

// Reasons why a call does not begin, or ends before it has changed anything,
// for errors.Is.
var (
	// ErrMismatch: the local folder mirrors another matter or folder, or is a
	// part of a mirror whose manifest would not be used.
	ErrMismatch = errors.New("the local folder mirrors something else")
	// ErrBusy: another call works on the local folder, in this process or
	// another one.
	ErrBusy = errors.New("another call works on the local folder")
	// ErrFormat: another version of this library wrote the manifest. Without
	// the file, contents are compared once.
	ErrFormat = errors.New("the manifest of the local folder has the format of another version: use that one, or remove it, and contents are compared once")
	// ErrTooManyDeletions: Delete would remove more than MaxDelete. A disk that
	// is not there looks like a tree in which everything was deleted.
	ErrTooManyDeletions = errors.New("too much would be deleted: check that both sides are there, then allow it with MaxDelete")
)

// ErrChanged reports a file or folder that was changed while the call ran.
// Nothing was overwritten; another call plans anew.
var ErrChanged = errors.New("it was changed meanwhile")

// AmbiguousFileError reports several files of one name in one folder. Push
// cannot tell which of them to update.
type AmbiguousFileError struct {
	Name string
	IDs  []string // of the files
}

// Error returns a text without any secret.
func (e *AmbiguousFileError) Error() string {
	return fmt.Sprintf("mirror: %d files are named %q", len(e.IDs), e.Name)
}

// Error lists the files that a call did not finish. Another call does only
// these. errors.Is and errors.As examine Err and the error of each failed file.
type Error struct {
	Operation string // "Mirror.Push" or "Mirror.Pull"
	// Failed are the files, and the folders with everything in them, that could
	// not be transferred, sorted by path.
	Failed []Result
	Done   int // files that are in place now, those that were before included
	// Left counts the files that were not tried: they lie in a folder that
	// failed, or the context ended before.
	Left int
	// Unlisted counts the files among Done that the service accepted, but had
	// not listed yet when the context ended. Push only.
	Unlisted int
	Err      error // why it ended early; nil when everything was tried
}

// Error counts the failures and names the first.
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

// Unwrap returns the errors.
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
