package practice

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/mirror"
	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/models"
)

// plan reads the folders of the matter and the local ones, and compares them with the
// manifest.
func (d *dirDownload) plan() *mirror.PullPlan {
	state := mirror.State{Base: d.manifest.Entries()}
	unread := d.readRemote(&state)
	d.readLocal(&state)
	plan := state.Pull()
	dirs := map[string]string{folderKey(d.options.FolderID): "."} // local paths by the ids of folders
	for i := range plan.Dirs {
		dirs[mirror.Key(plan.Dirs[i].ID)] = plan.Dirs[i].Path
	}
	for _, err := range unread {
		d.unread(err, dirs)
	}
	for i := range plan.Files {
		if plan.Files[i].Stored {
			d.expect()
		}
	}
	return plan
}

// readRemote reads the folders of the matter. It gives what it could not read.
func (d *dirDownload) readRemote(state *mirror.State) (unread []error) {
	left := map[*models.Folder]bool{}
	options := WalkOptions{FolderID: d.options.FolderID, Concurrency: d.concurrency, leaveOut: func(e WalkEntry) bool {
		left[e.Folder] = d.options.Exclude.leavesOut(remoteItem(e)) // asked once for each
		return left[e.Folder]
	}}
	for entry, err := range d.documents.Walk(d.ctx, d.matterID, options, d.opts...) {
		if err != nil {
			unread = append(unread, err)
			state.Partial = true
			continue
		}
		parent := ""
		if n := len(entry.Parents); n > 0 {
			parent = mirror.Key(entry.Parents[n-1].ID)
		}
		r := remoteOf(entry.Entry, parent, len(d.records))
		r.Skip = left[entry.Folder] || entry.Folder == nil && d.options.Exclude.leavesOut(remoteItem(entry))
		state.Remote = append(state.Remote, r)
		d.records = append(d.records, entry.File)
	}
	return unread
}

// remoteOf is an entry as package mirror knows it.
func remoteOf(entry Entry, parent string, ref int) mirror.Remote {
	r := mirror.Remote{ID: entry.ID(), Parent: parent, Name: entry.Name(), Dir: entry.Folder != nil, Size: -1, Ref: ref}
	if entry.File != nil {
		r.Version, r.Size, r.Stored = versionOf(entry.File), entry.File.SizeBytes.Or(-1), entry.uploaded()
	}
	return r
}

// versionOf names the version of a content: by its id, else by when it changed
// and how long it is. Empty when the service says neither.
func versionOf(record *models.File) string {
	switch {
	case record.VersionID != "":
		return record.VersionID
	case record.DateModified.IsZero():
		return ""
	}
	return record.DateModified.String() + " " + strconv.FormatInt(record.SizeBytes.Or(-1), 10)
}

// unread reports a folder, or an entry of it, that could not be read.
func (d *dirDownload) unread(err error, dirs map[string]string) {
	result := DirResult{Path: ".", IsDir: true, Err: err}
	if failed, ok := errors.AsType[*FolderError](err); ok {
		result.ID = failed.FolderID
		if dir, placed := dirs[folderKey(failed.FolderID)]; placed {
			result.Path = dir
		} else if failed.Path != "" {
			result.Path = failed.Path
		}
	}
	d.add(result)
}

// readLocal reads the local folder. A path of the manifest that it does not meet is
// looked for by itself: a folder may not be readable, and a disk may spell a name in
// another way.
func (d *dirDownload) readLocal(state *mirror.State) {
	state.Local = map[string]mirror.Local{}
	if d.root == nil {
		return
	}
	_ = fs.WalkDir(d.root.FS(), ".", func(at string, entry fs.DirEntry, err error) error { // what cannot be read is not there
		if err != nil || at == "." {
			return nil //nolint:nilerr // the rest of the folder is read all the same
		}
		if name := entry.Name(); strings.HasPrefix(name, partfile.Prefix) && !mirror.Parked(at) {
			d.parts = append(d.parts, at)
			return nil
		}
		d.look(state, at)
		return nil
	})
	for at := range state.Base {
		if _, met := state.Local[at]; !met {
			d.look(state, at)
		}
	}
}

func (d *dirDownload) look(state *mirror.State, at string) {
	if info, err := d.root.Lstat(filepath.FromSlash(at)); err == nil {
		state.Local[at] = localOf(info)
	}
}

// localOf is a local file or folder as package mirror knows it.
func localOf(info fs.FileInfo) mirror.Local {
	return mirror.Local{Dir: info.IsDir(), Regular: info.Mode().IsRegular(), Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}

// localAt is what lies in a folder under a name.
func localAt(dir *os.Root, name string) (mirror.Local, bool) {
	info, err := dir.Lstat(name)
	if err != nil {
		return mirror.Local{}, false
	}
	return localOf(info), true
}

// renames are moves that were made one after the other.
type renames [][2]string

// apply follows a path through them.
func (r renames) apply(at string) string {
	for _, move := range r {
		from, to := move[0], move[1]
		if at == from {
			at = to
		} else if strings.HasPrefix(at, from+"/") {
			at = path.Join(to, at[len(from)+1:])
		}
	}
	return at
}
