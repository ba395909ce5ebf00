package mirror

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// openManifest opens the manifest, where there is a place for one.
func (u *upload) openManifest() error {
	dir, told := u.options.ManifestDir, true
	if dir == "" {
		if dir, told = diskPath(u.fsys), false; dir == "" {
			return u.unwritten()
		}
		if err := u.partOfAnother(dir); err != nil {
			return err
		}
	} else if err := u.makeManifestDir(dir); err != nil {
		return err
	}
	open := OpenBeside
	if u.DryRun {
		open = LookBeside
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		if u.manifest, err = open(root, u.Source); err == nil {
			u.root = root
			return u.writable()
		}
		err = errors.Join(err, root.Close())
	}
	if u.DryRun && errors.Is(err, fs.ErrNotExist) {
		return nil // there is no manifest yet
	}
	if !told && !errors.Is(err, ErrBusy) && !errors.Is(err, ErrFormat) {
		return nil // nobody asked for one, and there is no place for it
	}
	return err
}

// writable refuses a manifest that can only be read: what cannot be noted would
// be taken for somebody else's the next time.
func (u *upload) writable() error {
	if u.DryRun || u.manifest.readOnly == nil {
		return nil
	}
	return errors.Join(u.manifest.readOnly, u.close())
}

func (u *upload) makeManifestDir(dir string) error {
	if u.DryRun {
		return nil
	}
	return os.MkdirAll(dir, ownerOnly)
}

// onDisk reports a file of the local tree that is the one of that path beside
// the manifest.
func (u *upload) onDisk(at string, info fs.FileInfo) bool {
	if u.root == nil {
		return false
	}
	there, err := u.root.Lstat(filepath.FromSlash(at))
	return err == nil && os.SameFile(there, info)
}

// set notes an entry, where there is a manifest.
func (u *upload) set(e Entry) error {
	if u.manifest == nil || u.DryRun {
		return nil
	}
	return u.manifest.Set(e)
}

// intend notes that a file or folder is about to be made. If the process ends
// before it hears of it, the next one looks for it.
func (u *upload) intend(at string, parent *localDir) error {
	e := Entry{Path: at, Name: path.Base(at), Made: time.Now().UnixNano(), Parent: Key(parent.id)}
	if parent.Path == "." {
		e.Parent = ""
	}
	return u.set(e)
}

// made notes how a create ended. One that may have been executed stays noted.
func (u *upload) made(at string, id string, dir bool, err error) (uncertain bool, _ error) {
	if err != nil && u.service.Meaning(err) == Unclear {
		return true, nil
	}
	e := Entry{Path: at}
	if id != "" && u.manifest != nil {
		if e, _ = u.manifest.Lookup(at); dir {
			e.FolderID = id
		} else {
			e.FileID = id
		}
	}
	return false, u.set(e)
}

// forget drops the entries of what neither side has, and of what was to be made
// for something that is not there any more, once nobody waits for it. That
// comes before anything is made: what is made then may take their paths. A call
// that does not wait cannot say how long another does.
func (u *upload) forget(plan *PushPlan, state *State) {
	for _, lost := range plan.Lost {
		_ = u.set(Entry{Path: lost}) // the next call finds it lost again
	}
	if u.options.Settle < 0 || state.Partial {
		return
	}
	for at, e := range state.Base {
		_, there := state.Local[at]
		if e.intended() && !there && !state.left(at) && time.Since(e.Asked()) > u.options.Settle {
			_ = u.set(Entry{Path: at}) // the next call forgets it
		}
	}
}

// agreed notes that a file is the same on both sides.
func (u *upload) agreed(at string, was Entry, r Remote, info fs.FileInfo, sha256 string) error {
	return u.renote(was.Path, Entry{
		Path: at, FileID: r.ID, Name: r.Name, Version: r.Version, Size: info.Size(), ModTime: info.ModTime().UnixNano(), SHA256: sha256,
	})
}

// renote notes an entry that had another path, or none.
func (u *upload) renote(was string, e Entry) error {
	if was != "" && was != e.Path {
		if err := u.set(Entry{Path: was}); err != nil {
			return err
		}
	}
	return u.set(e)
}
