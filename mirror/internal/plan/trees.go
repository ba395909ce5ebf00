// Package plan decides the steps of a push or a pull. It makes no requests and
// no system calls.
//
// It compares three trees: the base, the last state in which both sides were
// alike; the local tree, called "here" in names; and the remote tree of the
// service, called "there". An entry of the base belongs to a document or folder
// by its id, so it survives a change of name. It is removed only when its
// document is gone on both sides or by a decision.
//
// Local contents are compared by digest, remote ones by version. The digest of
// a remote content is unknown until the content has been read. If the plan
// depends on an unknown digest, Make returns a question.
package plan

import (
	"cmp"
	"strings"

	"github.com/practicesdk/practice-go/internal/filenames"
)

// Key identifies a remote file or folder. A file and a folder may have the same
// ID. The ID is in lower case. The mirrored folder has the empty ID.
type Key struct {
	Dir bool
	ID  string
}

// Folder returns the key of a folder.
func Folder(id string) Key { return Key{true, strings.ToLower(id)} }

// File returns the key of a file.
func File(id string) Key { return Key{false, strings.ToLower(id)} }

// Entry holds the base's facts about a document or folder.
type Entry struct {
	Key    Key    `json:"-"`
	Parent string `json:"parent,omitempty"` // id of its folder on both sides
	Name   string `json:"name"`             // remote name
	Alias  string `json:"alias"`            // local name
	// Version and Digest belong to the same content. Without a Version, no
	// content of the service was ever local; without a Digest, no local content
	// was ever in the service.
	Version string `json:"version,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Sent is the digest of a content that was sent, or was about to be sent,
	// and whose version is unknown.
	Sent  string `json:"sent,omitempty"`
	Inode uint64 `json:"inode,omitempty"` // inode of the local file or folder; 0 if unknown
	// Stamp identifies the state in which the local file had the Digest, so
	// that an unchanged file need not be read again. Empty if unknown.
	Stamp  string `json:"stamp,omitempty"`
	Parked string `json:"parked,omitempty"` // temporary local path
}

// alike reports whether both sides had the same content.
func (e *Entry) alike() bool { return e.Version != "" && e.Digest != "" }

// Agree records that a version and a digest belong to the same content.
func (e *Entry) Agree(version, digest string) { e.Version, e.Digest, e.Sent = version, digest, "" }

// here returns the digest of the last known local content.
func (e *Entry) here() string { return cmp.Or(e.Sent, e.Digest) }

// Local is a local file or folder.
type Local struct {
	Path   string // slash-separated path
	Dir    bool
	Other  bool   // neither a folder nor a regular file: it only occupies its name
	Digest string // digest of the content of a file
	Size   int64
	Inode  uint64 // 0 if the system has none
	Stamp  string // changes with the file; empty if unknown
}

// Remote is a file or folder of the service.
type Remote struct {
	Key     Key
	Parent  string // id of its folder in lower case; empty for the mirrored folder
	Name    string
	Version string // version of the content
	Size    int64  // -1 if unknown
	Stored  bool   // the service has received the content
	Digest  string // empty until the content was read
}

// Trees holds the three trees.
type Trees struct {
	Base map[Key]Entry
	Here []*Local
	// There lists each folder before its entries.
	There []*Remote
	// HereUnknown reports whether a local path, or a folder above it, was
	// excluded or could not be read. Nil means none.
	HereUnknown func(path string) bool
	// ThereUnknown holds keys that may exist although There lacks them, or
	// whose content could not be read.
	ThereUnknown map[Key]bool
	// ThereUnread holds folders whose entries in There may be incomplete.
	// Nothing is created in them.
	ThereUnread map[Key]bool
}

// BasePath returns the local path of an entry according to the base, or "" if
// one of its folders is unknown.
func BasePath(base map[Key]Entry, e Entry) string {
	return pathOf(base, e, func(e Entry) string { return e.Alias })
}

// PathThere returns the path of an entry according to the base, with remote
// names, which may contain slashes.
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
		e, at = parent, name(parent)+"/"+at
	}
	return at
}

// sameName reports whether a local name corresponds to a remote name.
func sameName(here, there string) bool {
	return here == there || filenames.SameForm(here, there) || here == filenames.Local(there)
}
