package plan

// Done holds the facts that only the execution of a step finds out.
type Done struct {
	Key     Key    // key of the file or folder that a Create or a MakeFolder made
	In      string // id of its remote folder
	Version string // version that was received
	Digest  string // digest of the content that was sent or received
	Size    int64
	Inode   uint64 // inode of the local file or folder
	Stamp   string
}

// After changes a base as the execution of a step does. With a base of all
// noted steps the next plan is right wherever a run ended.
func After(base map[Key]Entry, s *Step, done Done) {
	e := s.Entry
	switch s.Op {
	case Forget, Remove, Drop:
		delete(base, s.Key)
		return
	case MakeFolder:
		replace(base, s.Replaces, done.Key)
		e.Key, e.Parent = done.Key, done.In
	case Create:
		delete(base, s.Replaces)
		e.Key, e.Parent = done.Key, done.In
		e.Sent, e.SentSize = done.Digest, done.Size
	case Send, Resume:
		e.Sent, e.SentSize = done.Digest, done.Size
	case Receive:
		e.Version, e.Digest, e.Inode, e.Stamp, e.Sent, e.SentSize = done.Version, done.Digest, done.Inode, done.Stamp, "", 0
	case MakeDir:
		e.Inode = done.Inode
	case Note, Place, Move:
		if s.Op == Place && s.InPath != "" {
			e.Parent = done.In
		}
	}
	base[e.Key] = e
}

// replace moves the entries of a folder that is gone to the new folder.
func replace(base map[Key]Entry, former, made Key) {
	if former.ID == "" {
		return
	}
	delete(base, former)
	for key, e := range base {
		if e.Parent == former.ID {
			e.Parent = made.ID
			base[key] = e
		}
	}
}
