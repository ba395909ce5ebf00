package once

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/filelock"
)

// ErrBusy reports that another process, or another File, has the journal open.
var ErrBusy = errors.New("once: the journal is open elsewhere")

// ErrFormat reports a file that is no journal, or a journal of a later version.
var ErrFormat = errors.New("once: the file is no journal of this version")

// header is the first line of a file.
const header = `{"journal":"practice.once","version":1}`

// File is a Journal in a file. Each Store appends a line and waits until it is
// synced to disk, so that a killed process loses no entry. Only one process can
// have the file open. A File lets one caller of Do at a time hold a key.
type File struct {
	lock *os.File

	mu      sync.Mutex
	file    *os.File
	size    int64 // size of the complete lines
	broken  error // error of a failed write that could not be undone
	entries map[string]Entry
	owners  map[string]string // keys by id
	held    map[string]chan struct{}
}

// line is an entry in its form in the file.
type line struct {
	Key string `json:"key"`
	Entry
}

// Open opens the journal at path, and creates it if it is missing. It truncates
// an incomplete last line, which a killed process leaves. The error wraps
// ErrBusy or ErrFormat, or comes from the file system. The caller must close
// the File.
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
	if err := filelock.Lock(lock); err != nil {
		_ = lock.Close()
		if errors.Is(err, filelock.ErrHeld) {
			err = fmt.Errorf("%w: %s", ErrBusy, path)
		}
		return nil, err
	}
	if f.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600); err == nil { //nolint:gosec // the caller names the file
		err = f.read()
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
	return f.file.Truncate(f.size)
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
	delete(f.owners, f.entries[key].ID)
	if entry.IsZero() {
		delete(f.entries, key)
		return
	}
	f.entries[key] = entry
	if entry.ID != "" {
		f.owners[entry.ID] = key
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
	return f.entries[key], nil
}

// Owner returns the key whose entry has the id.
func (f *File) Owner(_ context.Context, id string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owners[id], nil
}

// Store appends an entry to the file. A failed write, on a full disk for
// example, changes nothing.
func (f *File) Store(_ context.Context, key string, entry Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if entry.IsZero() && f.entries[key].ID != "" {
		return nil
	}
	if owner := f.owners[entry.ID]; owner != "" && owner != key {
		return fmt.Errorf("%w: %q has %q", ErrClaimed, owner, entry.ID)
	}
	return f.write(key, entry)
}

// Forget removes the entry of a key, also one with an id. The next Do creates
// the record again. Call it after a late failure: the service accepted the
// record and did not create it.
func (f *File) Forget(_ context.Context, key string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.write(key, Entry{})
}

func (f *File) write(key string, entry Entry) error {
	row, err := json.Marshal(line{key, entry})
	if err != nil {
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
