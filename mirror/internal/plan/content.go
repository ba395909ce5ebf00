package plan

import "path"

// both plans an item that exists on both sides after the plan: the transfer of
// its content, and a Note of its entry unless another step records it.
func (p *planner) both(it *item) {
	e, known := p.entry(it), it.base // entry after the structural steps
	if it.state.step != nil {
		known = &it.state.step.Entry
	}
	action := p.judge(it, &e)
	if action == "" {
		return
	}
	from, by := p.moved(it)
	if by != nil && action == Kept {
		action = Moved
	}
	o := &Outcome{} // an unchanged folder is not reported
	if !it.key.Dir || by != nil {
		o = p.outcome(it, action)
		o.From, o.Place = from, by
	}
	if action == Kept || action == Moved || action == Waiting {
		if known == nil || e != *known {
			p.note(it, e)
		}
		return
	}
	if step := p.transfer(it, o, e); action != Conflict || p.decided(it, o, step) {
		if o.Transfer = step; !p.Push {
			o.Size = max(0, it.there.Size)
		}
	}
}

// judge returns the action for the content of a file; a folder has none. It
// returns "" if the remote content must be read first.
func (p *planner) judge(it *item, e *Entry) Action {
	follow, wait := Updated, Waiting
	if p.Push {
		follow, wait = Waiting, Updated
	} else if p.Overwrite {
		wait = Updated
	}
	switch {
	case it.key.Dir:
		return Kept
	case it.here == nil:
		return Created
	case !it.there.Stored:
		return Resumed
	case it.hereSame() && it.thereSame():
		return Kept
	case it.hereSame():
		return follow
	case it.thereSame():
		return wait
	}
	same, compared := p.compare(it.here, it.there)
	switch {
	case !compared:
		return ""
	case same:
		e.Agree(it.there.Version, it.here.Digest)
		e.Stamp = it.here.Stamp
		return Kept
	case p.BySize:
		return Updated
	}
	return Conflict
}

// transfer returns the step that transfers the content of an item.
func (p *planner) transfer(it *item, o *Outcome, e Entry) *Step {
	s := &Step{Op: Receive, Key: it.key, Path: o.Path, Entry: e, Here: it.here, There: it.there}
	s.In, s.Within = p.folder(it.to)
	if !p.Push {
		s.Entry.Version = it.there.Version
		return s
	}
	s.Op, s.Name = Send, it.there.Name
	s.Entry.Inode, s.Entry.Stamp = it.here.Inode, it.here.Stamp
	return s
}

// decided applies the choice in a conflict and reports whether the step is to
// be executed.
func (p *planner) decided(it *item, o *Outcome, s *Step) bool {
	choice, wins := p.Choices[it.key], KeepRemote
	switch {
	case p.Push:
		wins = KeepLocal
	case p.Overwrite:
		choice = KeepRemote
	}
	switch choice {
	case 0:
		p.Conflicts = append(p.Conflicts, o)
		return false
	case wins:
		o.Action = Updated
	case KeepBoth:
		p.aside(it, o, s)
	default: // a later pull or push replaces the other content
		s.Entry.Agree(it.there.Version, "")
		if p.Push {
			s.Entry.Agree("", it.here.Digest)
		}
		p.note(it, s.Entry)
		return false
	}
	return true
}

// aside renames the local file, so that both contents are kept. A later push
// creates a document for it. The entry loses the facts about the file before,
// so that the copy is not mistaken for the document.
func (p *planner) aside(it *item, o *Outcome, s *Step) {
	alone := s.Entry
	alone.Agree("", "")
	alone.Inode, alone.Stamp = 0, ""
	p.note(it, alone)
	name := it.name
	if p.Push {
		name = it.local
	}
	name = p.copyName(it, name)
	o.Copy = path.Join(path.Dir(o.Path), name)
	s.Aside = o.Copy
	if !p.Push {
		return
	}
	s.Op, s.Key, s.Name, s.There = Create, Key{}, name, nil
	s.Entry = Entry{Name: name, Alias: name, Inode: it.here.Inode} // a rename changes the stamp
	if p.need(it.hereIn); it.hereIn != nil {
		p.visit(it.hereIn)
	}
	s.In, s.Within = p.folder(it.hereIn)
}

// moved returns the former path of an item, and the step that moves it or one
// of its parent folders. It returns a nil step if none does.
func (p *planner) moved(it *item) (from string, by *Step) {
	switch {
	case p.Push && it.state.step != nil:
		return it.at, it.state.step
	case p.Push || it.here == nil || it.parked || p.pathOf(it) == it.here.Path:
		return "", nil
	}
	from = it.here.Path
	for ; it != nil && by == nil; it = it.state.in {
		by = it.state.step
	}
	return from, by
}
