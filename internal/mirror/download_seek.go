package mirror

import "sync"

// seek finds what is left out among what was not met in the service. The filter
// is asked about it as it was; where folders were left out, the service is
// asked whether it lies in one of them.
func (d *download) seek(state *State) (unclear []Result) {
	if d.Exclude == nil || state.Partial {
		return nil
	}
	present, skipped := map[identity]bool{}, false
	for i := range state.Remote {
		r := &state.Remote[i]
		present[r.identity()] = true
		skipped = skipped || r.Dir && r.Skip
	}
	out := d.leftOutThere(state)
	var dirs, files []Entry
	for _, at := range sorted(state.Base) {
		e := state.Base[at]
		switch {
		case e.FileID == "" && e.FolderID == "" || present[e.identity()]:
		case out.of(at).out:
			state.leaveOut(e)
		case e.FolderID != "":
			dirs = append(dirs, e)
		default:
			files = append(files, e)
		}
	}
	if skipped {
		unclear = append(d.ask(state, dirs), d.ask(state, files)...)
	}
	return unclear
}

// leaveOut says that the service has an entry of the manifest, and that it is
// left out.
func (s *State) leaveOut(e Entry) {
	s.Remote = append(s.Remote, Remote{ID: e.FileID + e.FolderID, Name: e.Name, Dir: e.FolderID != "", Skip: true})
}

// ask asks the service for entries that were not met. It gives those that stay
// unclear.
func (d *download) ask(state *State, entries []Entry) (unclear []Result) {
	var mu sync.Mutex
	asked := len(entries)
	each(d.run, entries, func(e Entry) {
		id := e.FileID + e.FolderID
		there, err := d.service.Has(d.ctx, id, e.FolderID != "")
		mu.Lock()
		defer mu.Unlock()
		asked--
		switch {
		case err != nil:
			unclear = append(unclear, Result{Path: e.Path, ID: id, IsDir: e.FolderID != "", Err: err})
		case there:
			state.leaveOut(e)
		}
	})
	state.Partial = state.Partial || asked > 0 || len(unclear) > 0
	return unclear
}
