// Package plan decides what a push or a pull has to do. It performs no request
// and no system call.
//
// It compares three trees: the base, which was last alike on both sides; the
// local tree, called here in names; and the remote tree of the service, called
// there. An entry of the base belongs to a document or folder by its id. So a
// change of a name keeps it; it ends only when its document is gone on both
// sides or a decision removes it.
//
// Local contents are compared by digest, remote ones by version. The digest of
// a remote content is unknown until somebody has read it. Where it decides,
// Make returns a question instead of a guess.
package plan

import (
	"cmp"
	"path"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// Key identifies a file or a folder of the service: one of each may have the
// same id. The ID is in lower case. The folder without an id is the mirrored
// folder.
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
	Parent string `json:"parent,omitempty"` // id of the folder that held it, on both sides
	Name   string `json:"name"`             // remote name
	Alias  string `json:"alias"`            // local name
	// The remote Version and the local Digest were alike. Without a Version the
	// service has no content that was ever local; without a Digest no local
	// content was ever in the service.
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Sent is the digest of a content that was sent, or was about to be, and
	// whose version is not known yet.
	Sent  string `json:"sent,omitempty"`
	Inode uint64 `json:"inode,omitempty"` // inode of the local file or folder; 0 when it is not known
	// Stamp identifies the state in which the local file had the Digest, so
	// that it need not be read again. Empty when it is not known.
	Stamp  string `json:"stamp,omitempty"`
	Parked string `json:"parked,omitempty"` // a local path to which it was moved for a moment
}

// alike reports whether both sides had the same content.
func (e *Entry) alike() bool { return e.Version != "" && e.Digest != "" }

// Agree notes that a version and a digest are of one content.
func (e *Entry) Agree(version, digest string) { e.Version, e.Digest, e.Sent = version, digest, "" }

// here returns the digest of the last known local content.
func (e *Entry) here() string { return cmp.Or(e.Sent, e.Digest) }

// Local is a local file or folder.
type Local struct {
	Path   string // path with slashes
	Dir    bool
	Other  bool   // neither a folder nor a regular file: it only occupies its name
	Digest string // digest of the content of a file
	Size   int64
	Inode  uint64 // 0 when the system has none
	Stamp  string // changes with the file; empty when it is not known
}

// Remote is a file or folder of the service.
type Remote struct {
	Key     Key
	Parent  string // id of its folder, in lower case; empty for the mirrored folder
	Name    string
	Version string // version of the content
	Size    int64  // -1 when it is not known
	Stored  bool   // the content has arrived
	Digest  string // empty until the content has been read
}

// Trees are the three trees.
type Trees struct {
	Base map[Key]Entry
	Here []*Local
	// There has a folder before its entries.
	There []*Remote
	// HereUnknown reports a local path that was left out or could not be read,
	// with all below it. Nil means none.
	HereUnknown func(path string) bool
	// ThereUnknown holds the keys that may exist although There does not show
	// them, or whose content could not be read.
	ThereUnknown map[Key]bool
	// ThereUnread holds the folders of which There may not show all entries.
	// Nothing is made in them.
	ThereUnread map[Key]bool
}

// BasePath returns the local path of an entry when both sides were last alike;
// empty when a folder on the way is not known.
func BasePath(base map[Key]Entry, e Entry) string {
	return pathOf(base, e, func(e Entry) string { return e.Alias })
}

// PathThere returns the same path by the names of the service.
func PathThere(base map[Key]Entry, e Entry) string {
	return pathOf(base, e, func(e Entry) string { return e.Name })
}

func pathOf(base map[Key]Entry, e Entry, name func(Entry) string) string {
	at := name(e)
	for n := 0; e.Parent != ""; n++ {
		parent, known := base[Folder(e.Parent)]
		if !known || n > len(base) {
			return ""
		}
		e, at = parent, path.Join(name(parent), at)
	}
	return at
}

// sameName reports whether a local name stands for a remote name.
func sameName(here, there string) bool {
	return here == there || filenames.SameForm(here, there) || here == filenames.Local(there)
}
