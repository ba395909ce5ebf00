package mirror

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// drop reports what is gone locally, and deletes it when that was asked for. It
// stays noted until the service does not list it any more, which settle waits
// for.
func (u *upload) drop(plan *PushPlan, state *State) {
	if u.ctx.Err() != nil {
		return
	}
	deleted := map[string]bool{}
	again := &secondLook{upload: u, deleted: deleted, lists: map[string][]Remote{}}
	others := &overwritten{upload: u, state: state}
	for _, gone := range plan.Gone {
		result := Result{Path: gone.Was.Path, ID: gone.ID, Size: max(0, gone.Size), IsDir: gone.Dir, Action: Gone}
		stays := !u.Delete || gone.Changed || state.Partial || gone.Dir && holds(state, gone.ID, deleted)
		if !stays {
			stays, result.Err = others.holds(&gone)
		}
		if !stays && result.Err == nil {
			stays, result.Err = again.stays(&gone)
		}
		if !stays && result.Err == nil {
			result.Err = u.delete(&gone.Remote)
			if result.Err == nil {
				result.Action = Removed
				deleted[Key(gone.ID)] = true
				u.removed = append(u.removed, gone)
			}
		}
		u.add(result)
	}
}

// holds reports a folder of the service that has something in it that stays.
func holds(state *State, id string, deleted map[string]bool) bool {
	if !state.Listed[Key(id)] {
		return true
	}
	for i := range state.Remote {
		if r := &state.Remote[i]; r.Parent == Key(id) && !deleted[Key(r.ID)] {
			return true
		}
	}
	return false
}

func (u *upload) delete(r *Remote) (err error) {
	if u.DryRun {
		return nil
	}
	if r.Dir {
		err = u.service.DeleteFolder(u.ctx, r.ID)
	} else {
		err = u.service.DeleteFile(u.ctx, r.ID)
	}
	if err == nil || u.service.Meaning(err) == NotFound {
		return nil
	}
	return staysErr(err)
}

func staysErr(err error) error {
	return fmt.Errorf("practice: what is gone locally stays: %w", err)
}

// secondLook finds out right before something is deleted whether that still
// holds: the plan may be hours old.
type secondLook struct {
	*upload
	deleted map[string]bool     // by key, just now: it may still be listed
	lists   map[string][]Remote // what folders of the service hold, by key
}

// stays reports something that is back, or that somebody has changed.
func (s *secondLook) stays(gone *PushGone) (bool, error) {
	if s.DryRun {
		return false, nil
	}
	if back, err := s.isBack(gone); back || err != nil {
		return true, err
	}
	if gone.Dir {
		return s.holds(gone.ID)
	}
	entries, err := s.list(gone.Parent)
	if err != nil {
		return true, err
	}
	for i := range entries {
		if r := &entries[i]; r.identity() == gone.identity() && !r.Deleted {
			return r.Version != gone.Version || r.Size != gone.Size, nil
		}
	}
	return true, nil // somebody moved or deleted it
}

// isBack reports something that lies in its local place again.
func (s *secondLook) isBack(gone *PushGone) (bool, error) {
	elements := strings.Split(gone.Path, "/")
	for n := range elements {
		info, err := fs.Stat(s.fsys, path.Join(elements[:n+1]...))
		switch last := n == len(elements)-1; {
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, staysErr(err)
		case !last && !info.IsDir(), last && info.IsDir() != gone.Dir:
			return false, nil // something else lies there
		}
	}
	return true, nil
}

// holds reports a folder that has something in it by now.
func (s *secondLook) holds(folderID string) (bool, error) {
	entries, err := s.list(folderID)
	for i := range entries {
		if r := &entries[i]; !r.Deleted && !s.deleted[Key(r.ID)] {
			return true, nil
		}
	}
	return err != nil, err
}

// list reads a folder once. One that is gone holds nothing.
func (s *secondLook) list(folderID string) ([]Remote, error) {
	folderID = cmp.Or(folderID, s.FolderID)
	if entries, read := s.lists[Key(folderID)]; read {
		return entries, nil
	}
	entries, err := s.service.List(s.ctx, folderID)
	if err != nil && s.service.Meaning(err) != NotFound && s.service.Meaning(err) != IsDeleted {
		return nil, staysErr(err)
	}
	s.lists[Key(folderID)] = entries
	return entries, nil
}
