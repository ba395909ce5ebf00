// Package plan decides what a push or a pull has to do. It performs no request
// and no system call.
//
// It knows three trees: the base, what was last alike on both sides; here, the
// local tree; and there, that of the service. An entry of the base belongs to a
// document or folder by its id. So it survives every change of a name, and ends
// only when its document is gone on both sides or a decision lets it go.
//
// Contents are compared by digest here and by version there. The digest of a
// content there is unknown until somebody has read it. Where it decides, Make
// returns a question instead of a guess.
package plan

import (
	"cmp"
	"path"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// Key identifies a file or a folder of the service: one of each may have the
// same id. The ID is in lower case. The folder without an id is the one that is
// mirrored.
type Key struct {
	Dir bool
	ID  string
}

// Folder returns the key of a folder.
func Folder(id string) Key { return Key{true, strings.ToLower(id)} }

// File returns the key of a file.
func File(id string) Key { return Key{false, strings.ToLower(id)} }

// Entry holds the facts of the base about a document or folder.
type Entry struct {
	Key    Key    `json:"-"`
	Parent string `json:"parent,omitempty"` // id of the folder that held it there and, under the same identity, here
	Name   string `json:"name"`             // there
	Alias  string `json:"alias"`            // the name here
	// Version there and Digest here were alike. Without a Version the service
	// has nothing that was ever here; without a Digest nothing here was ever
	// there.
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Sent is the digest of a content that was sent, or was about to be, and
	// whose version is not known yet.
	Sent     string `json:"sent,omitempty"`
	SentSize int64  `json:"sentSize,omitempty"`
	Inode    uint64 `json:"inode,omitempty"` // of the file or folder here; 0 when it is not known
	// Stamp identifies the state in which the file here had the Digest, so that
	// it need not be read again. Empty when it is not known.
	Stamp  string `json:"stamp,omitempty"`
	Parked string `json:"parked,omitempty"` // a path here to which it was moved for a moment
}

// alike reports whether both sides had the same content.
func (e *Entry) alike() bool { return e.Version != "" && e.Digest != "" }

// here returns the digest of the last known content here.
func (e *Entry) here() string { return cmp.Or(e.Sent, e.Digest) }

// Local is a file or a folder here.
type Local struct {
	Path   string // with slashes
	Dir    bool
	Other  bool   // neither a folder nor a regular file: it only takes up its name
	Digest string // of the content of a file
	Size   int64
	Inode  uint64 // 0 when the system has none
	Stamp  string // changes with the file; empty when it is not known
}

// Remote is a file or folder there.
type Remote struct {
	Key     Key
	Parent  string // id of the folder that holds it, in lower case; empty for the one that is mirrored
	Name    string
	Version string // of the content
	Size    int64  // -1 when it is not known
	Stored  bool   // the content has arrived
	Digest  string // empty while nobody has read the content
}

// Trees are the three trees.
type Trees struct {
	Base map[Key]Entry
	Here []Local
	// There has a folder before its entries.
	There []Remote
	// HereUnknown reports a path here that was left out or could not be read,
	// with all that is below it. Nil means none.
	HereUnknown func(path string) bool
	// ThereUnknown reports a key that may exist although There does not show
	// it, or whose content could not be read. Nil means none.
	ThereUnknown func(Key) bool
	// ThereUnread reports a folder of which There may not show all entries.
	// Nothing is made in it. Nil means none.
	ThereUnread func(Key) bool
}

// BasePath returns the path of an entry here when both sides were last alike;
// empty when a folder on the way is not known.
func BasePath(base map[Key]Entry, e Entry) string {
	at := e.Alias
	for n := 0; e.Parent != ""; n++ {
		parent, known := base[Folder(e.Parent)]
		if !known || n > len(base) {
			return ""
		}
		e, at = parent, path.Join(parent.Alias, at)
	}
	return at
}

// sameName reports whether a name here stands for a name there.
func sameName(here, there string) bool {
	return here == there || filenames.SameForm(here, there) || here == filenames.Local(there)
}
