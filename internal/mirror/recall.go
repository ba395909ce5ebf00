package mirror

import (
	"path"
	"slices"
)

// Recall makes the folders and files of the service those of the manifest. It
// reports whether the manifest knows enough of them. Where a part of a matter
// is mirrored, folderID names it.
func (s *State) Recall(folderID string) bool {
	s.recalled = map[string]string{}
	if s.top = Key(folderID); s.top != "" {
		s.recalled[s.top] = ""
	}
	for _, at := range sorted(s.Base) {
		e := s.Base[at]
		if e.intended() { // what was made is a change
			continue
		}
		r := Remote{ID: e.FileID + e.FolderID, Name: e.Name, Dir: e.FolderID != "", Version: e.Version, Size: -1, Stored: true}
		if e.Made != 0 || e.Name == "" || !r.Dir && e.Version == "" {
			return false
		}
		if in := path.Dir(at); in != "." {
			if r.Parent = Key(s.Base[in].FolderID); r.Parent == "" {
				return false
			}
		}
		if r.Dir {
			s.recalled[Key(r.ID)] = Key(r.ID)
		} else {
			r.Size = e.Size
		}
		s.Remote = append(s.Remote, r)
	}
	return true
}

// Forget drops files that are gone from the service, or that Renew says anew.
func (s *State) Forget(gone func(key string) bool) {
	s.Remote = slices.DeleteFunc(s.Remote, func(r Remote) bool { return !r.Dir && gone(Key(r.ID)) })
}

// Renew says how a file is now that was forgotten or is new. It reports whether
// its folder, which Parent names, is one that Recall knows.
func (s *State) Renew(r Remote) bool {
	if r.Parent != "" || s.top != "" {
		parent, known := s.recalled[r.Parent]
		if !known {
			return false
		}
		r.Parent = parent
	}
	s.Remote = append(s.Remote, r)
	return true
}
