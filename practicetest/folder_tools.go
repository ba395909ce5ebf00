package practicetest

// DeleteFolder marks a folder as deleted, as somebody in the vendor's own
// application would: it leaves the listing of its parent, and its own listing is
// empty until a PATCH restores it. It is false when there is no such folder.
// Specification, States and transitions.
func (s *Server) DeleteFolder(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.state.folders[id]
	if f == nil {
		return false
	}
	f.deleted = true
	s.raiseFiles(s.clock.Now().UTC(), s.ownCause(f.matter.account), f.matter)
	return true
}

// DeleteFile marks a file as deleted: it leaves the listing of its folder and is
// not found any more. It is false when there is no such file.
func (s *Server) DeleteFile(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.state.files[id]
	if f == nil {
		return false
	}
	f.deleted = true
	s.raiseFiles(s.clock.Now().UTC(), s.ownCause(f.folder.matter.account), f.folder.matter)
	return true
}

// FileContent returns the bytes of the current version of a file, as they lie in
// the object store, and whether there is one.
func (s *Server) FileContent(fileID string) ([]byte, bool) {
	if s.outside != nil && s.collect(s.host.life, fileID) != nil {
		return nil, false
	}
	key, ok := s.currentKey(fileID)
	if !ok || s.outside == nil {
		return s.store.get(key)
	}
	content, err := s.outside.get(s.host.life, key)
	return content, err == nil
}

func (s *Server) currentKey(fileID string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.state.files[fileID]
	if f == nil || f.current() == nil {
		return "", false
	}
	return f.current().key, true
}
