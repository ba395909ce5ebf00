package once

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/filelock"
)

// ErrInUse reports that another process, or another File, has the journal open.
var ErrInUse = errors.New("once: the journal is open elsewhere")

// ErrFormat reports a file that is not a journal, or is a journal of a later
// version.
var ErrFormat = errors.New("once: the file is no journal of this version")

// header is the first line of a file.
const header = `{"journal":"practice.once","version":1}`

// File is a Journal in a file. Each Store appends a line and waits until it is
// synced to disk, so that no entry is lost when the process is killed; the file
// only grows. Only one process can have the file open, under whatever name. A
// File lets one caller of Do at a time hold a key.
type File struct {
	lock *os.File

	mu      sync.Mutex
	file    *os.File
	size    int64 // size of the complete lines
	broken  error // error of a failed write that could not be undone
	entries map[string]Entry
	owners  map[string]string // keys by id in lower case
	held    map[string]chan struct{}
}

// line is an entry in its form in the file.
type line struct {
	Key string `json:"key"`
	Entry
}

// Open opens the journal at path, and creates it if it is missing. It removes
// an incomplete last line, which a killed process leaves. The error wraps
// ErrInUse or ErrFormat, or comes from the file system. ErrFormat also reports
// a journal whose keys can no longer be distinguished; its text says what to
// do. The caller must close the File.
func Open(path string) (_ *File, err error) {
	place, err := atomicfile.At(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, place.Close()) }()
	lock, err := place.OpenLock()
	if err != nil {
		return nil, err
	}
	f := &File{lock: lock, entries: map[string]Entry{}, owners: map[string]string{}, held: map[string]chan struct{}{}}
	err = filelock.Lock(lock) // earlier versions lock nothing else
	if err == nil {
		f.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the caller names the file
	}
	if err == nil {
		err = filelock.Lock(f.file) // the other names of the file have other lock files
	}
	if err == nil {
		err = f.read()
	}
	if errors.Is(err, filelock.ErrHeld) {
		err = ErrInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	if len(f.entries) == 0 { // the file may be new
		place.SyncName()
	}
	return f, nil
}

// read reads the lines and truncates an incomplete last line.
func (f *File) read() error {
	text, err := io.ReadAll(f.file)
	if err != nil {
		return err
	}
	for number := 1; ; number++ {
		row, rest, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			break
		}
		if err := f.readLine(number, row); err != nil {
			return err
		}
		f.size += int64(len(row) + 1)
		text = rest
	}
	if f.size == 0 {
		if len(text) > 0 && !bytes.HasPrefix([]byte(header), text) {
			return ErrFormat
		}
		return f.append([]byte(header))
	}
	if err := f.check(); err != nil {
		return err
	}
	return f.file.Truncate(f.size)
}

// check refuses entries that an earlier version wrote for other keys or records
// than they name: it replaced what is not UTF-8, and compared ids exactly.
func (f *File) check() error {
	clear(f.owners)
	for key, entry := range f.entries {
		id := strings.ToLower(entry.ID)
		owner, claimed := f.owners[id]
		switch {
		case badKey(key) != nil:
			return fmt.Errorf("%w: the text of the key %q was not UTF-8: put the right key into its lines", ErrFormat, key)
		case claimed:
			return fmt.Errorf("%w: the keys %q and %q have one record, %s: remove the lines of the key that it was not created for", ErrFormat, key, owner, id)
		case id != "":
			f.owners[id] = key
		}
	}
	return nil
}

// badKey returns an error for a key that JSON text cannot hold, or that is what
// became of such a key.
func badKey(key string) error {
	if strings.ContainsRune(key, utf8.RuneError) {
		return fmt.Errorf("%w: %q", ErrKey, key)
	}
	return nil
}

func (f *File) readLine(number int, row []byte) error {
	if number == 1 {
		if string(row) != header {
			return ErrFormat
		}
		return nil
	}
	var read line
	if err := json.Unmarshal(row, &read); err != nil {
		return fmt.Errorf("%w: line %d: %w", ErrFormat, number, err)
	}
	f.set(read.Key, read.Entry)
	return nil
}

func (f *File) set(key string, entry Entry) {
	delete(f.owners, strings.ToLower(f.entries[key].ID))
	if entry.IsZero() {
		delete(f.entries, key)
		return
	}
	f.entries[key] = entry
	if entry.ID != "" {
		f.owners[strings.ToLower(entry.ID)] = key
	}
}

// append writes a line after the complete ones. It first removes the rest of a
// failed write, so that the line does not follow it.
func (f *File) append(row []byte) error {
	if f.broken != nil {
		return f.broken
	}
	row = append(row, '\n')
	_, err := f.file.WriteAt(row, f.size)
	if err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		f.broken = f.file.Truncate(f.size)
		return errors.Join(err, f.broken)
	}
	f.size += int64(len(row))
	return nil
}

// Load returns the entry of a key.
func (f *File) Load(_ context.Context, key string) (Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.entries[key], badKey(key)
}

// Owner returns the key whose entry has the id.
func (f *File) Owner(_ context.Context, id string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owners[strings.ToLower(id)], nil
}

// Store appends an entry to the file. A failed write, on a full disk for
// example, changes nothing.
func (f *File) Store(_ context.Context, key string, old, entry Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	there := f.entries[key]
	owner, claimed := f.owners[strings.ToLower(entry.ID)]
	switch {
	case claimed && owner != key:
		return fmt.Errorf("%w: %q has %q", ErrClaimed, owner, entry.ID)
	case there.Equal(entry):
		return nil
	case there.ID != "" || !there.Equal(old):
		return fmt.Errorf("%w: %q", ErrOvertaken, key)
	}
	return f.write(key, entry)
}

// Forget removes the entry of a key if the entry has this id, ignoring case.
// The next Do creates the record again. Call Forget after a late failure, when
// the service accepted the record but did not create it.
func (f *File) Forget(_ context.Context, key, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case id == "":
		return ErrEmptyID
	case !strings.EqualFold(f.entries[key].ID, id):
		return nil
	}
	return f.write(key, Entry{})
}

func (f *File) write(key string, entry Entry) error {
	row, err := json.Marshal(line{key, entry})
	if err = errors.Join(badKey(key), err); err != nil {
		return err
	}
	if err := f.append(row); err != nil {
		return err
	}
	f.set(key, entry)
	return nil
}

// Hold waits until no other goroutine holds the key, or until ctx ends.
func (f *File) Hold(ctx context.Context, key string) (release func(), err error) {
	for {
		f.mu.Lock()
		busy := f.held[key]
		if busy == nil {
			done := make(chan struct{})
			f.held[key] = done
			f.mu.Unlock()
			return func() {
				f.mu.Lock()
				defer f.mu.Unlock()
				delete(f.held, key)
				close(done)
			}, nil
		}
		f.mu.Unlock()
		select {
		case <-busy:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Close closes the file, so that others can open it.
func (f *File) Close() error {
	var err error
	if f.file != nil {
		err = f.file.Close()
	}
	return errors.Join(err, f.lock.Close())
}
