package mirror

// planChanges plans with the manifest and the files that have changed since the
// cursor. It gives nothing where only the folders can tell.
func (d *download) planChanges() *PullPlan {
	if d.options.Cursor == "" || d.Exclude != nil || d.ByContent {
		return nil
	}
	state := State{Base: d.manifest.Entries()}
	if len(state.Base) == 0 || !state.Recall(d.FolderID) {
		return nil
	}
	changed, err := d.service.Changed(d.ctx, d.options.Cursor)
	if err != nil {
		return nil // the folders may be read nevertheless
	}
	latest := map[string]*Remote{}
	for i := range changed {
		if changed[i].NoID {
			return nil
		}
		latest[Key(changed[i].ID)] = &changed[i]
	}
	state.Forget(func(key string) bool { return latest[key] != nil })
	for i := range changed {
		file := &changed[i]
		if latest[Key(file.ID)] == file && !file.Deleted && !state.Renew(*file) {
			return nil
		}
	}
	if len(d.readLocal(&state)) > 0 {
		return nil
	}
	plan := d.planFor(&state)
	if state.moves.closed {
		return nil
	}
	for i := range plan.Files {
		f := &plan.Files[i]
		if f.File == nil && f.Verdict != Kept && (f.Verdict != Waiting || d.options.Overwrite) {
			return nil // its record is needed
		}
	}
	return plan
}
