package mirror

import (
	"path"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

// Local is a file or folder of the local tree.
type Local struct {
	Dir     bool
	Regular bool // neither a folder nor a link nor a device
	Size    int64
	ModTime int64 // in nanoseconds since 1970
}

// Remote is a file or folder of the service.
type Remote struct {
	ID      string
	NoID    bool   // the ID cannot be used in a call
	Parent  string // key of the folder that holds it; empty for the folder that is mirrored
	Name    string
	Dir     bool
	Deleted bool
	// Version names the version of the content. Empty when the service does not
	// say it.
	Version string
	Size    int64 // of the content in bytes; -1 when the service does not say it
	Stored  bool  // the content has arrived
	Skip    bool  // it is left out, with everything in it
	// File is the record. Nil for a folder, and for a file that only the
	// manifest tells of.
	File *models.File
}

// versionID is the version of the record; empty when it is not known.
func (r *Remote) versionID() string {
	if r.File == nil {
		return ""
	}
	return r.File.VersionID
}

// State is how the local folder and that of the service are, and how they were
// when they last agreed.
type State struct {
	Base  map[string]Entry // by path
	Local map[string]Local // by path
	// Remote is in the order of the lists. A folder stands before what is in
	// it.
	Remote []Remote
	// Partial says that something could not be read: what is not there may be
	// there.
	Partial bool
	// Left are local paths that are left alone, with everything in them: they
	// were left out, or could not be read.
	Left map[string]bool

	moves    *moves
	recalled map[string]string // of Recall: keys of folders, as Remote.Parent names them
	top      string            // of Recall: key of the folder that is mirrored, empty for all of the matter

	// Arrived reports whether the content of a file of the service is one that
	// was sent. Nil means that nobody knows.
	Arrived func(path string, r *Remote, sent Sending) bool

	// The following is for Push only, which can do with a part of the lists.

	Listed   map[string]bool  // keys of the folders that were listed; empty for the one that is mirrored
	Failed   map[string]error // keys of the folders that could not be listed
	Complete bool             // all folders were listed
	// Differs tells of a local file and one of the service that have the same
	// size whether they differ. Nil means that the manifest tells it.
	Differs func(path string, r *Remote) bool
	// Choose names one of several folders of one name; nil or an empty id means
	// none.
	Choose func(path string, ids []string) string
}

// known is what the service has, as far as it was listed or the manifest tells
// of it.
func (s *State) known() map[identity]bool {
	all := make(map[identity]bool, len(s.Remote))
	for i := range s.Remote {
		all[s.Remote[i].identity()] = true
	}
	for id := range byID(s.Base) {
		all[id] = true
	}
	return all
}

// arrived reports that the version of the service is the one that was sent, and
// that nobody has noted.
func (s *State) arrived(at string, e Entry, r *Remote) bool {
	switch {
	case e.Sending == Sending{} || !r.Stored || r.Size >= 0 && r.Size != e.Sending.Size:
		return false
	case e.Noted() && !e.replaced(r):
		return false
	}
	return s.Arrived != nil && s.Arrived(at, r, e.Sending)
}

// left reports a path that is left alone.
func (s *State) left(at string) bool {
	if len(s.Left) == 0 {
		return false
	}
	for ; at != "."; at = path.Dir(at) {
		if s.Left[at] {
			return true
		}
	}
	return false
}

// located finds where the files and folders of the manifest lie now.
type located struct {
	base  map[string]Entry
	local map[string]Local
	files map[string]string // by former path
	dirs  map[string]string
	moves *moves
}

// locate follows what was moved in the local tree: a file that is not in its
// place any more, and whose size and time are those of one that the manifest
// does not know. A folder was moved where its files were moved.
func (s *State) locate() *located {
	if s.moves == nil {
		s.moves = newMoves()
	}
	l := &located{base: s.Base, local: s.Local, files: map[string]string{}, dirs: map[string]string{}, moves: s.moves}
	l.respell(s.spellings())
	missing, fresh := map[[2]int64][]string{}, map[[2]int64][]string{}
	for at, e := range s.Base {
		if l.files[at] != "" {
			continue
		}
		size, modTime := e.looked()
		if there, ok := s.Local[at]; e.FileID != "" && modTime != 0 && (!ok || there.Dir) && !s.left(at) {
			key := [2]int64{size, modTime}
			missing[key] = append(missing[key], at)
		}
	}
	if len(missing) == 0 {
		return l
	}
	found := map[string]bool{}
	for _, at := range l.files {
		found[at] = true
	}
	for at, there := range s.Local {
		if e := s.Base[at]; there.Regular && e.FileID == "" && !found[at] {
			key := [2]int64{there.Size, there.ModTime}
			fresh[key] = append(fresh[key], at)
		}
	}
	for key, from := range missing {
		l.pair(from, fresh[key])
	}
	l.vote()
	return l
}

// tail is how many elements at the end of two paths are the same.
func tail(a, b string) (n int) {
	for a != "." && b != "." && path.Base(a) == path.Base(b) {
		a, b, n = path.Dir(a), path.Dir(b), n+1
	}
	return n
}

// vote finds the folders that were moved.
func (l *located) vote() {
	votes := map[string]map[string]int{}
	for from, to := range l.files {
		for path.Base(from) == path.Base(to) {
			if from, to = path.Dir(from), path.Dir(to); from == to || from == "." || to == "." {
				break
			}
			if _, there := l.local[from]; there || l.dirs[from] != "" || l.base[from].FolderID == "" || l.base[to].FolderID != "" {
				continue
			}
			if votes[from] == nil {
				votes[from] = map[string]int{}
			}
			votes[from][to]++
		}
	}
	taken := map[string]bool{}
	for _, from := range sorted(votes) {
		best := ""
		for _, to := range sorted(votes[from]) {
			if !taken[to] && (best == "" || votes[from][to] > votes[from][best]) {
				best = to
			}
		}
		if best != "" {
			l.dirs[from], taken[best] = best, true
		}
	}
}

// now is where an entry of the manifest lies now, or would lie.
func (l *located) now(at string) string {
	if to, moved := l.files[at]; moved {
		return to
	}
	if _, there := l.local[at]; there {
		return at
	}
	for dir := at; dir != "."; dir = path.Dir(dir) {
		if to, moved := l.dirs[dir]; moved {
			return rebase(at, dir, to)
		}
	}
	return at
}

func sorted[V any](of map[string]V) []string {
	keys := make([]string, 0, len(of))
	for key := range of {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
