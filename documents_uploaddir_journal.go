package practice

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"time"

	"github.com/practicesdk/practice-go/internal/mirror"
)

// openManifest opens the manifest, where there is a place for one.
func (u *dirUpload) openManifest() error {
	dir, told := u.options.ManifestDir, true
	if dir == "" {
		if dir, told = diskPath(u.fsys), false; dir == "" {
			return nil
		}
	} else if err := u.makeManifestDir(dir); err != nil {
		return fmt.Errorf("practice: %s: %w", u.operation, err)
	}
	open := mirror.OpenBeside
	if u.options.DryRun {
		open = mirror.LookBeside
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		source := mirror.Source{MatterID: u.matterID, FolderID: u.options.FolderID}
		if u.manifest, err = open(root, source); err == nil {
			u.root, u.onDisk = root, dir == diskPath(u.fsys)
			return nil
		}
		err = errors.Join(err, root.Close())
	}
	if u.options.DryRun && errors.Is(err, fs.ErrNotExist) {
		return nil // there is no manifest yet
	}
	if !told && !errors.Is(err, mirror.ErrBusy) && !errors.Is(err, mirror.ErrFormat) {
		return nil // nobody asked for one, and there is no place for it
	}
	return mirrorError(u.operation, err)
}

func (u *dirUpload) makeManifestDir(dir string) error {
	if u.options.DryRun {
		return nil
	}
	return os.MkdirAll(dir, ownerOnly)
}

// diskPath is the folder that a file system of os.DirFS shows; empty for any other.
func diskPath(fsys fs.FS) string {
	if reflect.TypeOf(fsys) != reflect.TypeOf(os.DirFS(".")) {
		return ""
	}
	return filepath.Clean(fmt.Sprint(fsys))
}

// set notes an entry, where there is a manifest.
func (u *dirUpload) set(e mirror.Entry) error {
	if u.manifest == nil || u.options.DryRun {
		return nil
	}
	return u.manifest.Set(e)
}

// intend notes that a file or folder is about to be made. If the process ends before it
// hears of it, the next one looks for it.
func (u *dirUpload) intend(at string, parent *localDir) error {
	e := mirror.Entry{Path: at, Name: path.Base(at), Made: time.Now().UnixNano(), Parent: mirror.Key(parent.id)}
	if parent.Path == "." {
		e.Parent = ""
	}
	return u.set(e)
}

// made notes how a create ended. One that may have been executed stays noted.
func (u *dirUpload) made(at string, id string, dir bool, err error) (uncertain bool, _ error) {
	if _, uncertain = errors.AsType[*AmbiguousWriteError](err); uncertain {
		return true, nil
	}
	e := mirror.Entry{Path: at}
	if id != "" && u.manifest != nil {
		if e, _ = u.manifest.Lookup(at); dir {
			e.FolderID = id
		} else {
			e.FileID = id
		}
	}
	return false, u.set(e)
}

// agreed notes that a file is the same on both sides.
func (u *dirUpload) agreed(at, was string, r mirror.Remote, info fs.FileInfo) error {
	if was != "" && was != at {
		if err := u.set(mirror.Entry{Path: was}); err != nil {
			return err
		}
	}
	return u.set(mirror.Entry{
		Path: at, FileID: r.ID, Name: r.Name, Version: r.Version, Size: info.Size(), ModTime: info.ModTime().UnixNano(),
	})
}
