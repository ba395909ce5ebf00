// Package partfile writes files that arrive in pieces. An unfinished file has a
// temporary name in the same folder as its final name, and a later process can
// resume it.
package partfile

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/filelock"
)

// Prefix is the prefix of names of unfinished files.
const Prefix = ".practice-"

const suffix = ".part"

// File is an unfinished file, locked while it is open.
type File struct {
	root      *os.Root
	file      *os.File
	name      string
	resumable bool // a later process can find it by its name
}

// twins is the number of additional names of an identity, for concurrent
// writers. It is small, so that files of crashed processes are found without
// reading the folder.
const twins = 4

// Open opens or creates the unfinished file of an identity in a folder. It
// returns the state saved by an earlier process; the ETag is empty if there is
// nothing to resume. If another writer holds the file, Open creates one that
// cannot be resumed. It never writes to a file under its final name.
func Open(root *os.Root, identity ...string) (*File, State, error) {
	sum := sha256.Sum256([]byte(strings.Join(identity, "\x00")))
	stem := Prefix + hex.EncodeToString(sum[:8])
	p, err := take(root, stem+suffix)
	switch {
	case err == nil:
		p.resumable = true
		for n := range twins {
			_ = Collect(root, twin(stem, n)) // a later Open retries
		}
		state, err := p.begin()
		return p, state, err
	case !errors.Is(err, filelock.ErrHeld) && !errors.Is(err, errNoLock):
		return nil, State{}, err
	}
	for n := range twins {
		if errors.Is(err, errNoLock) {
			break
		}
		p, held := take(root, twin(stem, n))
		if held != nil {
			continue
		}
		if err := p.Reset(); err != nil {
			return nil, State{}, errors.Join(err, p.Discard())
		}
		return p, State{}, nil
	}
	name := stem + "-" + rand.Text() + suffix
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, State{}, err
	}
	return &File{root: root, file: f, name: name}, State{}, nil
}

func twin(stem string, n int) string { return stem + "-" + strconv.Itoa(n+1) + suffix }

// errNoLock reports that the system or the file system has no locks.
var errNoLock = errors.New("the file cannot be locked")

// take opens or creates an unfinished file, and locks it.
func take(root *os.Root, name string) (*File, error) {
	for range 8 { // the holder may finish the file at the same time
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if err := filelock.Lock(f); err != nil {
			_ = f.Close() // nothing was written
			if !errors.Is(err, filelock.ErrHeld) {
				err = errNoLock
			}
			return nil, err
		}
		p := &File{root: root, file: f, name: name}
		switch {
		case !p.inPlace():
		case names(f) > 1: // its process crashed while renaming it
			if err := root.Remove(name); err != nil {
				return nil, errors.Join(err, f.Close())
			}
		default:
			return p, nil
		}
		_ = f.Close() // nothing was written
	}
	return nil, filelock.ErrHeld
}

// Collect removes an unfinished file that has no writer, and nothing else.
func Collect(root *os.Root, name string) error {
	if !strings.HasPrefix(filepath.Base(name), Prefix) || !strings.HasSuffix(name, suffix) {
		return nil
	}
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	left := &File{root: root, file: f, name: name}
	locked := filelock.Lock(f)
	if !left.abandoned(locked) || !left.inPlace() {
		return locked
	}
	return root.Remove(name)
}

// longSilence is the time since the last write after which a file counts as
// abandoned on systems without locks.
const longSilence = 24 * time.Hour

// abandoned reports whether the file has no writer; locked is the result of
// trying to lock it.
func (p *File) abandoned(locked error) bool {
	if locked == nil || errors.Is(locked, filelock.ErrHeld) {
		return locked == nil
	}
	info, err := p.file.Stat()
	return err == nil && time.Since(info.ModTime()) > longSilence
}

// inPlace reports whether the file still exists under its name.
func (p *File) inPlace() bool {
	mine, err := p.file.Stat()
	if err != nil {
		return false
	}
	there, err := p.root.Lstat(p.name)
	return err == nil && os.SameFile(mine, there)
}

// begin reads the state saved by an earlier process, or empties the file.
func (p *File) begin() (State, error) {
	if info, err := p.file.Stat(); err == nil {
		if state, ok := readState(p.file, info.Size()); ok {
			return state, nil
		}
	}
	if err := p.Reset(); err != nil {
		return State{}, errors.Join(err, p.Discard())
	}
	return State{}, nil
}

// WriteAt writes content.
func (p *File) WriteAt(b []byte, off int64) (int, error) { return p.file.WriteAt(b, off) }

// ReadAt reads content that has been written.
func (p *File) ReadAt(b []byte, off int64) (int, error) { return p.file.ReadAt(b, off) }

// Reset discards the content.
func (p *File) Reset() error { return p.file.Truncate(0) }

// Save writes the missing spans to disk, after the content so far.
func (p *File) Save(state State) error {
	if !p.resumable {
		return nil
	}
	if err := p.file.Sync(); err != nil {
		return err
	}
	return writeState(p.file, state)
}

// Keep closes the file and keeps it for a later process. If the file cannot be
// resumed, Keep removes it.
func (p *File) Keep(state State) error {
	if !p.resumable || !state.valid() {
		return p.Discard()
	}
	if err := p.Save(state); err != nil {
		return errors.Join(err, p.Discard())
	}
	return p.file.Close()
}

// Discard closes and removes the file.
func (p *File) Discard() error {
	// Remove first, because closing the file releases the lock.
	return errors.Join(p.root.Remove(p.name), p.file.Close())
}

// Commit makes the complete file of size bytes durable and renames it to its
// final name. A mode of 0 means readable by its owner only; a zero modTime
// means the present time. Without replace, an existing file is fs.ErrExist.
// After an error no file is left.
func (p *File) Commit(name string, size int64, replace bool, mode fs.FileMode, modTime time.Time) error {
	err := p.file.Truncate(size)
	if mode != 0 {
		err = errors.Join(err, p.file.Chmod(mode.Perm()))
	}
	err = errors.Join(err, p.file.Sync())
	if !modTime.IsZero() {
		// Setting the time after the rename would hide an edit of the file.
		_ = p.root.Chtimes(p.name, modTime, modTime) // the time is not essential
	}
	switch {
	case err != nil:
	case replace:
		err = p.root.Rename(p.name, name)
	default:
		err = Rename(p.root, p.name, name)
	}
	if err != nil {
		return errors.Join(err, p.Discard())
	}
	_ = p.file.Close() // it was synced
	atomicfile.SyncNames(p.root)
	return nil
}

// Rename renames a file or folder to an unused name. If the name exists, the
// error is fs.ErrExist.
func Rename(root *os.Root, from, to string) error {
	// Unlike rename, link never replaces a file.
	err := root.Link(from, to)
	switch {
	case err == nil:
		return root.Remove(from)
	case errors.Is(err, fs.ErrExist):
		return err
	}
	if _, err := root.Lstat(to); err == nil { // a folder, or a file system without links
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	return root.Rename(from, to)
}
