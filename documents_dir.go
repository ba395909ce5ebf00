package practice

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/models"
)

// DirAction tells how UploadDir or DownloadDir handled a file.
type DirAction string

// Actions of UploadDir and DownloadDir.
const (
	DirCreated DirAction = "created" // it was not there
	DirUpdated DirAction = "updated" // another version was there
	// DirResumed: the file was there without its content, as an upload that
	// broke off leaves it. UploadDir only.
	DirResumed DirAction = "resumed"
	DirKept    DirAction = "kept"  // it was there already
	DirMoved   DirAction = "moved" // it was there in another place, see DirResult.From
	// DirWaiting: the side that is copied to has changed, and the other one has
	// not. The other direction carries the change over.
	DirWaiting DirAction = "waiting"
	// DirConflict: both sides have changed, see [ConflictPolicy]. Copy is where
	// the local change lies when both are kept.
	DirConflict DirAction = "conflict"
	// DirGone: the side that is copied from does not have it any more. It stays
	// on the other side unless Delete is set.
	DirGone    DirAction = "gone"
	DirRemoved DirAction = "removed" // it was gone, and Delete is set
	// DirIgnored: there is no content to transfer. The local file is no regular
	// one, or a file of this library; or the content of the service's file
	// never arrived there.
	DirIgnored DirAction = "ignored"
	DirFailed  DirAction = "failed" // Err says why
)

// DirResult reports the result for one file, or for a folder that failed.
type DirResult struct {
	// Path leads to the local file or folder, with slashes, from the folder
	// that is mirrored; that one itself is ".".
	Path   string
	From   string // the path before, when the file or folder was moved; otherwise empty
	Copy   string // the path of the local change after DirConflict; otherwise empty
	Action DirAction
	// ID identifies the file or folder of the service. Empty while there is
	// none.
	ID   string
	Size int64 // of the content in bytes
	// ETag is the entity tag of content that was transferred, with its quotes.
	// Empty when the storage names none.
	ETag string
	// VersionID is the version that DownloadDir received, or found in place.
	// Empty when the service does not list it.
	VersionID string
	Requests  int // to the storage, for this file
	// IsDir tells that this is a folder. It stands for everything in it.
	IsDir bool
	Err   error // nil unless Action is DirFailed
}

// ErrNotVisibleYet reports that the service accepted a file or folder but did
// not list it within UploadDirOptions.Settle. It may appear later. If it never
// does, an error event says why.
var ErrNotVisibleYet = mirror.ErrNotVisibleYet

// AmbiguousFileError reports several files of one name in one folder. UploadDir
// cannot tell which of them to update.
type AmbiguousFileError struct {
	Name     string   // with its extension
	FolderID string   // empty for the root folder
	IDs      []string // of the files, in the order of the listing
}

// Error says what happened, without any secret.
func (e *AmbiguousFileError) Error() string {
	return fmt.Sprintf("practice: %d files are named %q", len(e.IDs), oneLine(e.Name))
}

// DirError lists the files that UploadDir or DownloadDir did not transfer.
// Another call transfers only these. errors.Is and errors.As examine Err and
// the error of each failed file.
type DirError struct {
	Operation string
	// Failed are the files, and the folders with everything in them, that could
	// not be transferred, sorted by path.
	Failed []DirResult
	Done   int // files that are in place now, those that were before included
	// Left counts the files that were not tried: they lie in a folder that
	// failed, or the context ended before.
	Left int
	// Unlisted counts the files among Done that the service accepted, but had
	// not listed yet when the context ended. UploadDir only.
	Unlisted int
	Err      error // why it ended early; nil when everything was tried
}

// Error counts the failures and names the first.
func (e *DirError) Error() string {
	const named = 3
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: %d failed, %d left, %d done", e.Operation, len(e.Failed), e.Left, e.Done)
	if e.Unlisted > 0 {
		fmt.Fprintf(&b, " (%d not listed yet)", e.Unlisted)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	for _, failed := range e.Failed[:min(named, len(e.Failed))] {
		fmt.Fprintf(&b, "; %s: %s", oneLine(failed.Path), oneLine(failed.Err.Error()))
	}
	if more := len(e.Failed) - named; more > 0 {
		fmt.Fprintf(&b, "; and %d more", more)
	}
	return b.String()
}

// Unwrap returns all errors.
func (e *DirError) Unwrap() []error {
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
func (e DirError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e DirError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// ConflictChoice says which change of a file holds when both sides have
// changed.
type ConflictChoice string

// Choices of a ConflictPolicy.
const (
	// KeepsBoth leaves the version of the service under the name of the file
	// and the local change beside it under a name of its own. Where UploadDir
	// cannot give the local file another name, it reports DirConflict, and both
	// stay as they are.
	KeepsBoth   ConflictChoice = "both"
	KeepsLocal  ConflictChoice = "local"  // the local change becomes a new version
	KeepsRemote ConflictChoice = "remote" // the local change is lost
)

// ConflictPolicy chooses for a file that has changed locally and in the service
// since both were alike. The path is that of the local file, with slashes. It
// is not asked when both have the same content. KeepBoth, KeepLocal and
// KeepRemote are policies.
type ConflictPolicy func(path string, remote *models.File) ConflictChoice

// KeepBoth is the policy of KeepsBoth. It holds where there is none.
func KeepBoth(string, *models.File) ConflictChoice { return KeepsBoth }

// KeepLocal is the policy of KeepsLocal.
func KeepLocal(string, *models.File) ConflictChoice { return KeepsLocal }

// KeepRemote is the policy of KeepsRemote.
func KeepRemote(string, *models.File) ConflictChoice { return KeepsRemote }

func (p ConflictPolicy) choose(path string, remote *models.File) mirror.Choice {
	if p == nil {
		return mirror.KeepsBoth
	}
	return mirror.Choice(p(path, remote))
}

// DefaultDirConcurrency is how many files UploadDir and DownloadDir transfer at
// a time.
const DefaultDirConcurrency = 8
