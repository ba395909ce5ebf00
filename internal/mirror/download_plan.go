package mirror

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// plan reads the folders of the matter and the local ones, and compares them with the
// manifest.
func (d *download) plan() *PullPlan {
	plan, unread := d.planChanges(), []Result(nil)
	if plan == nil {
		d.parts = nil
		state := State{Base: d.manifest.Entries()}
		unread = d.readRemote(&state)
		d.readLocal(&state)
		plan = state.Pull()
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
	for i := range plan.Files {
		if plan.Files[i].Stored {
			d.expect()
		}
	}
	return plan
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

// readLocal reads the local folder. A path of the manifest that it does not meet is
// looked for by itself: a folder may not be readable, and a disk may spell a name in
// another way.
func (d *download) readLocal(state *State) {
	state.Local = map[string]Local{}
	if d.root == nil {
		return
	}
	for dirs := []string{"."}; len(dirs) > 0; dirs = dirs[1:] {
		dirs = append(dirs, d.readDir(state, dirs[0])...)
	}
	for at := range state.Base {
		if _, met := state.Local[at]; !met {
			d.look(state, at)
		}
	}
}

// readDir reads one folder, and gives those in it. A part that cannot be read is not there.
func (d *download) readDir(state *State, in string) (subs []string) {
	dir, err := d.root.OpenRoot(filepath.FromSlash(in)) // one look at each name, instead of one at each folder above
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }() // it was only read
	entries, _ := fs.ReadDir(dir.FS(), ".")
	for _, entry := range entries {
		at := path.Join(in, entry.Name())
		if strings.HasPrefix(entry.Name(), partfile.Prefix) && !Parked(at) {
			d.parts = append(d.parts, at)
			continue
		}
		if there, ok := localAt(dir, entry.Name()); ok {
			state.Local[at] = there
			if there.Dir {
				subs = append(subs, at)
			}
		}
	}
	return subs
}

func (d *download) look(state *State, at string) {
	if info, err := d.root.Lstat(filepath.FromSlash(at)); err == nil {
		state.Local[at] = localOf(info)
	}
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
