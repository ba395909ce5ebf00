package mirror

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/partfile"
)

var errNotUTF8 = errors.New("the name is no valid UTF-8")

// scan reads the local tree. It reports entries that it cannot read, and goes
// on.
func (u *upload) scan() *State {
	state := &State{
		Base: map[string]Entry{}, Local: map[string]Local{}, Left: map[string]bool{},
		Listed: map[string]bool{}, Failed: map[string]error{},
	}
	if u.manifest != nil {
		state.Base = u.manifest.Entries()
	}
	u.infos = map[string]fs.FileInfo{}
	_ = fs.WalkDir(u.fsys, ".", func(at string, entry fs.DirEntry, err error) error { // all errors are reported
		isDir := entry == nil || entry.IsDir()
		switch {
		case u.ctx.Err() != nil:
			return context.Cause(u.ctx)
		case err == nil && !utf8.ValidString(at):
			err = errNotUTF8
			fallthrough
		case err != nil:
			if !isDir {
				u.expect()
			}
			u.leave(state, at)
			u.add(Result{Path: at, IsDir: isDir, Err: err})
			return skipIf(isDir)
		case at == ".":
			return nil
		case u.Exclude != nil && u.Exclude(localItem(at, entry)):
			state.Left[at] = true
			return skipIf(isDir)
		case isDir && Parked(at): // DownloadDir puts it where it belongs
			u.leave(state, at)
			u.add(Result{Path: at, IsDir: true, Action: Ignored})
			return fs.SkipDir
		case isDir:
			state.Local[at] = Local{Dir: true}
			return nil
		}
		u.scanFile(state, at, entry)
		return nil
	})
	if u.Exclude != nil && u.ctx.Err() == nil {
		u.leaveLost(state)
	}
	u.leaveHalves(state)
	return state
}

// leaveLost leaves alone what is left out and does not lie here any more.
func (u *upload) leaveLost(state *State) {
	out := u.leftOutHere(state)
	for _, at := range sorted(state.Base) {
		if e := state.Base[at]; (e.FileID != "" || e.FolderID != "") && out.of(at).out {
			state.Left[at] = true
		}
	}
}

// leave says that nothing is known of a part of the local tree. A new folder
// that cannot be read is made nevertheless.
func (u *upload) leave(state *State, at string) {
	if state.Base[at].Known() {
		delete(state.Local, at)
	}
	state.Left[at] = true
	state.Partial = state.Partial || at == "." || Parked(at)
}

func skipIf(isDir bool) error {
	if isDir {
		return fs.SkipDir
	}
	return nil
}

func (u *upload) scanFile(state *State, at string, entry fs.DirEntry) {
	if !entry.Type().IsRegular() || strings.HasPrefix(strings.ToLower(entry.Name()), partfile.Prefix) {
		info, err := entry.Info()
		if err != nil || u.manifest == nil || !u.manifest.Is(at) || !u.onDisk(at, info) {
			u.leave(state, at)
			u.add(Result{Path: at, Action: Ignored})
		}
		return
	}
	u.expect()
	info, err := entry.Info()
	if err != nil {
		u.leave(state, at)
		u.add(Result{Path: at, Err: err})
		return
	}
	u.infos[at], state.Local[at] = info, localOf(info)
}

// localItem is a local file or folder as a filter sees it.
func localItem(at string, entry fs.DirEntry) Item {
	item := Item{Path: at, IsDir: entry.IsDir(), Size: -1}
	if info, err := entry.Info(); err == nil {
		if item.Local = info; !item.IsDir {
			item.Size = info.Size()
		}
	}
	if item.IsDir {
		item.Size = 0
	}
	return item
}

// openSeekable opens a file of any file system so that it can be read again.
func openSeekable(fsys fs.FS, name string) (io.ReadSeekCloser, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	if seeker, ok := file.(io.ReadSeekCloser); ok {
		return seeker, nil
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &reopened{fsys: fsys, name: name, file: file, size: info.Size()}, nil
}

// reopened goes back to the beginning of a file by opening it anew. It cannot
// go anywhere else, except to be measured.
type reopened struct {
	fsys fs.FS
	name string
	size int64
	file fs.File
	at   int64 // where the file stands
	next int64 // where to read next
}

func (r *reopened) Read(p []byte) (int, error) {
	if r.next != r.at {
		if r.next != 0 {
			return 0, errors.ErrUnsupported
		}
		file, err := r.fsys.Open(r.name)
		if err != nil {
			return 0, err
		}
		_ = r.file.Close() // it was only read
		r.file, r.at = file, 0
	}
	n, err := r.file.Read(p)
	r.at += int64(n)
	r.next = r.at
	return n, err
}

func (r *reopened) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.next
	case io.SeekEnd:
		offset += r.size
	}
	r.next = offset
	return offset, nil
}

// Stat describes the file, as an fs.File does: who sends it looks whether it
// was written to meanwhile.
func (r *reopened) Stat() (fs.FileInfo, error) { return r.file.Stat() }

func (r *reopened) Close() error { return r.file.Close() }
