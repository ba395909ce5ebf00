package mirror

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// plan reads the folders of the matter and the local ones, and compares them
// with the manifest.
func (d *download) plan() *PullPlan {
	plan, unread, shut := d.planChanges(), []Result(nil), []Result(nil)
	if plan == nil {
		d.parts = nil
		state := State{Base: d.manifest.Entries()}
		unread = d.readRemote(&state)
		shut = d.readLocal(&state)
		plan = d.planFor(&state)
	}
	dirs := map[string]string{} // local paths by the ids of folders
	for i := range plan.Dirs {
		dirs[Key(plan.Dirs[i].ID)] = plan.Dirs[i].Path
	}
	dirs[""], dirs[Key(d.FolderID)] = ".", "."
	for _, result := range unread {
		if dir, placed := dirs[Key(result.ID)]; placed {
			result.Path = dir
		}
		result.Path = cmp.Or(result.Path, ".")
		d.add(result)
	}
	for _, result := range shut {
		d.add(result)
	}
	for i := range plan.Files {
		if plan.Files[i].Stored {
			d.expect()
		}
	}
	return plan
}

// planFor plans, and looks for what was sent from here where the plan has to
// know that.
func (d *download) planFor(state *State) *PullPlan {
	state.Arrived = d.arrivals.arrived
	for {
		plan := state.Pull()
		if !d.recognise() && !d.learn(state, d.root.FS().Open, d.set) || d.ctx.Err() != nil {
			return plan
		}
	}
}

// set notes an entry. A dry run does not.
func (d *download) set(e Entry) error {
	if d.DryRun {
		return nil
	}
	return d.manifest.Set(e)
}

// readRemote reads the folders of the matter. It gives what it could not read.
func (d *download) readRemote(state *State) (unread []Result) {
	for r, err := range d.service.Walk(d.ctx, d.Concurrency, d.leavesOut) {
		if err != nil {
			unread = append(unread, Result{Path: r.Name, ID: r.ID, IsDir: true, Err: err})
			state.Partial = true
			continue
		}
		state.Remote = append(state.Remote, r)
	}
	return append(unread, d.seek(state)...)
}

// readLocal reads the local folder. A path of the manifest that it does not
// meet is looked for by itself: a folder may not be readable, and a disk may
// spell a name in another way. It gives the folders that it could not read, and
// in which something of the manifest may lie.
func (d *download) readLocal(state *State) (unread []Result) {
	state.Local, state.Left = map[string]Local{}, map[string]bool{}
	if d.root == nil {
		return nil
	}
	shut := map[string]error{}
	for dirs := []string{"."}; len(dirs) > 0; dirs = dirs[1:] {
		subs, err := d.readDir(state, dirs[0])
		dirs = append(dirs, subs...)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			shut[dirs[0]] = err
		}
	}
	for _, at := range sorted(state.Base) {
		if _, met := state.Local[at]; met || d.look(state, at) {
			continue
		}
		if in := within(at, shut); in != "" {
			state.Left[at] = true
			unread = append(unread, Result{Path: in, ID: state.Base[in].FolderID, IsDir: true, Err: shut[in]})
		}
	}
	return slices.CompactFunc(unread, func(a, b Result) bool { return a.Path == b.Path })
}

// readDir reads one folder, and gives those in it.
func (d *download) readDir(state *State, in string) (subs []string, err error) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(in)) // one look at each name, instead of one at each folder above
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // it was only read
	entries, err := fs.ReadDir(dir.FS(), ".")
	for _, entry := range entries {
		at := path.Join(in, entry.Name())
		if strings.HasPrefix(entry.Name(), partfile.Prefix) && !Parked(at) {
			d.parts = append(d.parts, at)
			continue
		}
		info, failed := dir.Lstat(entry.Name())
		switch {
		case errors.Is(failed, fs.ErrNotExist):
		case failed != nil:
			err = cmp.Or(err, failed)
		default:
			if state.Local[at] = localOf(info); info.IsDir() {
				subs = append(subs, at)
			}
		}
	}
	return subs, err
}

// look looks for one path. It reports whether it is known what lies there.
func (d *download) look(state *State, at string) bool {
	info, err := d.root.Lstat(filepath.FromSlash(at))
	if err == nil {
		state.Local[at] = localOf(info)
	}
	return err == nil || errors.Is(err, fs.ErrNotExist)
}

// within is the innermost of some folders that holds a path; empty when none
// does.
func within(at string, dirs map[string]error) string {
	for at != "." {
		if at = path.Dir(at); dirs[at] != nil {
			return at
		}
	}
	return ""
}

// localOf is a local file or folder as package mirror knows it.
func localOf(info fs.FileInfo) Local {
	return Local{Dir: info.IsDir(), Regular: info.Mode().IsRegular(), Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}

// localAt is what lies in a folder under a name.
func localAt(dir *os.Root, name string) (Local, bool) {
	info, err := dir.Lstat(name)
	if err != nil {
		return Local{}, false
	}
	return localOf(info), true
}
