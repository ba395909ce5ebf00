// Package wholefile replaces a file as a whole: nobody finds half of one under its name,
// also after a power failure, and also while others have the file open.
//
// All files are opened through an [os.Root]. On Windows a file that was opened in another
// way can be neither renamed nor replaced until it is closed.
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	ending     = ".new"  // of the next content
	lockEnding = ".lock" // of the file that stands for all of them
)

// maxLinks bounds how many links lead to a file, as systems do.
const maxLinks = 40

// Place is where a file is, or will be.
type Place struct {
	root *os.Root
	name string
}

// At gives the place at the end of the links that path names: whoever comes by another
// name meets the same lock, and the file is replaced rather than a link to it.
func At(path string) (*Place, error) {
	target := Target(path)
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	return &Place{root, filepath.Base(target)}, nil
}

// Target is the name of the file at the end of the links that path names.
func Target(path string) string {
	at := path
	for range maxLinks {
		to, err := os.Readlink(at)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		at = to
	}
	return at
}

// Close gives the place up; files that were opened there stay open.
func (p *Place) Close() error { return p.root.Close() }

// Read reads the file.
func (p *Place) Read() ([]byte, error) {
	content, err := p.root.ReadFile(p.name)
	return content, p.named(err)
}

// Open opens the file to read it and to write to its end.
func (p *Place) Open() (*os.File, error) { return p.open(p.name, os.O_RDWR) }

// OpenLock opens the file that is locked for all of them: it is never replaced.
func (p *Place) OpenLock() (*os.File, error) {
	return p.open(p.name+lockEnding, os.O_RDWR|os.O_CREATE)
}

// Create opens an empty file for the next content, which only its owner can read. One
// that a process left when it was killed is gone.
func (p *Place) Create() (*os.File, error) {
	if err := p.Discard(); err != nil {
		return nil, err
	}
	return p.open(p.name+ending, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}

// Discard removes the next content, if there is any.
func (p *Place) Discard() error {
	err := p.root.Remove(p.name + ending)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return p.named(err)
}

// Replace gives the next content, which is durable, the name of the file. When that
// fails, it is removed.
func (p *Place) Replace() error {
	if err := p.root.Rename(p.name+ending, p.name); err != nil {
		return errors.Join(p.named(err), p.Discard())
	}
	if folder, err := p.root.Open("."); err == nil { // the new name survives a power failure, on systems that can
		_ = folder.Sync()
		_ = folder.Close()
	}
	return nil
}

func (p *Place) open(name string, flag int) (*os.File, error) {
	file, err := p.root.OpenFile(name, flag, 0o600)
	return file, p.named(err)
}

// named gives an error the whole path: a folder that is open knows the rest alone.
func (p *Place) named(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: at.Op, Path: filepath.Join(p.root.Name(), at.Path), Err: at.Err}
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		return &fs.PathError{Op: at.Op, Path: filepath.Join(p.root.Name(), at.New), Err: at.Err}
	}
	return err
}
