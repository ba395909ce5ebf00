// Package atomicfile replaces files atomically: a reader finds either the old
// or the new content, even after a power failure and while others have the file
// open.
//
// All files are opened through an [os.Root], because on Windows a file that was
// opened in another way can be neither renamed nor replaced until it is closed.
// The file with the next content has a fixed name, so that a later process
// removes one that a crashed process left. github.com/google/renameio exports
// nothing on Windows, and github.com/natefinch/atomic leaves files with random
// names behind and does not sync the directory.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	newSuffix  = ".new"
	lockSuffix = ".lock"
)

// maxLinks limits the number of symbolic links that Target follows, as
// operating systems do.
const maxLinks = 40

// Place is the directory and name of a file that may not exist yet.
type Place struct {
	root *os.Root
	name string
}

// At returns the place of the file at path. It resolves symbolic links, so that
// all paths to a file share one lock, and the file is replaced and not a link.
func At(path string) (*Place, error) {
	target := Target(path)
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	return &Place{root, filepath.Base(target)}, nil
}

// In returns the place of a file in an open directory. It does not resolve
// links.
func In(root *os.Root, name string) *Place { return &Place{root, name} }

// Target returns path with symbolic links at its end resolved. Like the system,
// it resolves those of the directories on the way first: a .. after a link is
// above the place where the link leads.
func Target(path string) string {
	at := path
	for range maxLinks {
		dir, name := filepath.Split(at)
		to, err := os.Readlink(at)
		if err != nil {
			if resolved, err := filepath.EvalSymlinks(dir); err == nil {
				dir = resolved
			}
			return filepath.Join(dir, name)
		}
		if !filepath.IsAbs(to) {
			to = dir + to // filepath.Join would remove the ..
		}
		at = to
	}
	return at
}

// Close closes the directory. Files that were opened there stay open.
func (p *Place) Close() error { return p.root.Close() }

// Read returns the content of the file.
func (p *Place) Read() ([]byte, error) {
	content, err := p.root.ReadFile(p.name)
	return content, p.named(err)
}

// Open opens the file for reading and writing.
func (p *Place) Open() (*os.File, error) { return p.open(p.name, os.O_RDWR) }

// OpenLock opens the lock file, which is created if needed and never replaced.
func (p *Place) OpenLock() (*os.File, error) {
	return p.open(p.name+lockSuffix, os.O_RDWR|os.O_CREATE)
}

// Create opens an empty file for the next content, with mode 0600. It removes a
// file that a killed process left.
func (p *Place) Create() (*os.File, error) {
	if err := p.Discard(); err != nil {
		return nil, err
	}
	return p.open(p.name+newSuffix, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

// Discard removes the file of the next content, if it exists.
func (p *Place) Discard() error {
	err := p.root.Remove(p.name + newSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return p.named(err)
}

// Replace renames the next content, which must be synced, to the name of the
// file. If that fails, it removes the next content.
func (p *Place) Replace() error {
	if err := p.root.Rename(p.name+newSuffix, p.name); err != nil {
		return errors.Join(p.named(err), p.Discard())
	}
	p.SyncName()
	return nil
}

// SyncName makes the name of a new file durable, if the system supports it: to
// sync a file need not sync its name.
func (p *Place) SyncName() { SyncNames(p.root) }

// SyncNames makes the names in a directory durable, if the system supports it.
func SyncNames(root *os.Root) {
	if folder, err := root.Open("."); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

func (p *Place) open(name string, flag int) (*os.File, error) {
	file, err := p.root.OpenFile(name, flag, 0o600)
	return file, p.named(err)
}

// named returns err with the whole path: an os.Root reports relative names.
func (p *Place) named(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: at.Op, Path: filepath.Join(p.root.Name(), at.Path), Err: at.Err}
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: at.Op, Path: filepath.Join(p.root.Name(), at.New), Err: at.Err}
	}
	return err
}

// ReadFile returns the content of the file at path.
func ReadFile(path string) ([]byte, error) {
	place, err := At(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = place.Close() }() // nothing was written through it
	return place.Read()
}

// WriteFile replaces the file at path by one with the content.
func WriteFile(path string, content []byte) error {
	place, err := At(path)
	if err != nil {
		return err
	}
	defer func() { _ = place.Close() }()
	fresh, err := place.Create()
	if err != nil {
		return err
	}
	_, err = fresh.Write(content)
	if err = errors.Join(err, fresh.Sync(), fresh.Close()); err != nil {
		return errors.Join(err, place.Discard())
	}
	return place.Replace()
}
