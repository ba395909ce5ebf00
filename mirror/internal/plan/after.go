package plan

// Done holds facts that are known only after a step was executed.
type Done struct {
	Key     Key    // key of the created file or folder
	In      string // id of its remote folder
	Version string // version that was received
	Digest  string // digest of the content that was sent or received
	Inode   uint64 // inode of the local file or folder
}

// After applies a step to the base. Once all steps executed so far are applied,
// the next plan is correct, wherever a run ended.
func After(base map[Key]Entry, s *Step, done Done) {
	e := s.Entry
	switch s.Op {
	case Forget, Remove, Drop:
		delete(base, s.Key)
		return
	case MakeFolder, Create:
		e.Key, e.Parent, e.Sent = done.Key, done.In, done.Digest
	case Send:
		e.Sent = done.Digest
	case Receive:
		e.Agree(done.Version, done.Digest)
		e.Inode, e.Stamp = done.Inode, ""
	case MakeDir:
		e.Inode = done.Inode
	case Place:
		if s.Within != nil {
			e.Parent = done.In
		}
	}
	base[e.Key] = e
}
