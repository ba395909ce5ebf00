package mirror

import (
	"crypto/rand"
	"path"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// Entry is what the manifest says of a local file or folder: which one of the
// service it is, and how both were when they last agreed.
type Entry struct {
	Path     string `json:"path"`               // with slashes, below the folder
	FileID   string `json:"fileId,omitempty"`   // of a file
	FolderID string `json:"folderId,omitempty"` // of a folder
	Name     string `json:"name,omitempty"`     // in the service; empty when it is not known
	// Version is the version of the content. Empty while it is not known, be it
	// that a version is there.
	Version string `json:"version,omitempty"`
	Size    int64  `json:"size,omitempty"`
	ModTime int64  `json:"modTime,omitempty"` // of the local file, in nanoseconds since 1970; 0 when it is not known
	// Made is when the service was asked to make it, in nanoseconds since 1970;
	// 0 once it has been seen in the list of its folder, which Parent names.
	// Without an id nobody knows whether it was made.
	Made   int64  `json:"made,omitempty"`
	Parent string `json:"parent,omitempty"`
	// SHA256 is of the content. Empty while it is not known.
	SHA256 string `json:"sha256,omitempty"`
	// Lies is another path, at which the local file was found by its content.
	// Nobody reads it there again.
	Lies string `json:"lies,omitempty"`
	// Sending is the content that was sent last, or was about to be. Zero once
	// it has been seen listed.
	Sending Sending `json:"sending,omitzero"`
}

// Sending tells a content apart from any that somebody else stores.
type Sending struct {
	Size    int64  `json:"size"`
	ModTime int64  `json:"modTime"` // of the local file, in nanoseconds since 1970
	SHA256  string `json:"sha256"`
}

// Known reports an entry that says anything. One that does not takes an earlier
// one back.
func (e Entry) Known() bool { return e.FileID != "" || e.FolderID != "" || e.Made != 0 }

// intended reports what was to be made, and of which nobody knows whether it
// was.
func (e Entry) intended() bool { return e.Made != 0 && e.FileID == "" && e.FolderID == "" }

// Noted reports that the content was in both places.
func (e Entry) Noted() bool { return e.Version != "" || e.ModTime != 0 }

// arrived is the entry of a file whose content was sent and is there, as a
// version.
func (e Entry) arrived(version string) Entry {
	e.Version, e.Size, e.ModTime, e.SHA256, e.Sending = version, e.Sending.Size, e.Sending.ModTime, e.Sending.SHA256, Sending{}
	return e
}

// content is the SHA256 of the local file when it was looked at last; empty
// while it is not known.
func (e Entry) content() string {
	if e.Sending != (Sending{}) {
		return e.Sending.SHA256
	}
	return e.SHA256
}

// still is the SHA256 for another note of the same version.
func (e Entry) still(id, version string) string {
	if version == "" || e.Version != version || Key(e.FileID) != Key(id) {
		return ""
	}
	return e.SHA256
}

// replaced reports that the service has another version of a file than once.
func (e Entry) replaced(r *Remote) bool {
	switch {
	case r.Dir || !e.Noted():
		return false
	case e.Version == "" || r.Version == "":
		return r.Size != e.Size
	}
	return r.Version != e.Version
}

// looked is the size and the time that the local file had when it was looked at
// last.
func (e Entry) looked() (size, modTime int64) {
	if e.Sending != (Sending{}) {
		return e.Sending.Size, e.Sending.ModTime
	}
	return e.Size, e.ModTime
}

// Asked is when the service was asked to make it.
func (e Entry) Asked() time.Time { return time.Unix(0, e.Made) }

// identity tells apart what the service has: a file and a folder may have one
// id.
type identity struct {
	dir bool
	key string
}

func (e Entry) identity() identity {
	if e.FolderID != "" {
		return identity{true, Key(e.FolderID)}
	}
	return identity{false, Key(e.FileID)}
}

func (r *Remote) identity() identity { return identity{r.Dir, Key(r.ID)} }

// Key is the form of an id in which two of them can be compared: identifiers
// come in both cases.
func Key(id string) string { return strings.ToLower(id) }

// Edited reports a local file that has changed since it agreed with the
// service. A disk that the folder was copied to may keep whole seconds only.
func (e Entry) Edited(l Local) bool {
	switch {
	case !e.Noted():
		return false
	case l.Size != e.Size:
		return true
	case e.ModTime == 0 || l.ModTime == e.ModTime:
		return false
	}
	const second = int64(time.Second)
	return l.ModTime%second != 0 || l.ModTime/second != e.ModTime/second
}

// parking begins the names that folders and files have for a moment while they
// change places.
const parking = partfile.Prefix + "moving-"

// Parking is a name for what has to make room.
func Parking() string { return parking + rand.Text() }

// Parked reports a path at which a process left something that it was moving.
func Parked(at string) bool { return strings.HasPrefix(at, parking) }

// rebase gives a path below one folder its place below another one.
func rebase(at, from, to string) string {
	if at == from {
		return to
	}
	if from == "." {
		return path.Join(to, at)
	}
	return path.Join(to, at[len(from)+1:])
}
