package once

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
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
var ErrInUse = errors.New("once: the journal is already open")

// ErrFormat reports a file that is not a journal, or is a journal of a later
// version.
var ErrFormat = errors.New("once: the file is not a journal of this version")

// header is the first line of a file.
const header = `{"journal":"practice.once","version":1}`

// File is a Journal in a file. Each Store appends a line and waits until it is
// synced to disk, so that no entry is lost when the process is killed; the file
// only grows. Only one process can have the file open, under whatever name. A
// File lets one caller of Do at a time hold a key. It holds the keys in memory,
// and about 100 bytes for each.
type File struct {
	lock *os.File

	mu     sync.Mutex
	file   *os.File
	size   int64               // size of the complete lines
	broken error               // error of a failed write that could not be undone
	places map[string]int64    // of the line of each key
	owners map[identity]string // keys by the id of their record
	held   map[string]chan struct{}
}

// identity is that of a record.
type identity [16]byte

func identityOf(id string) identity {
	sum := sha256.Sum256([]byte(strings.ToLower(id)))
	return identity(sum[:16])
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
	f := &File{lock: lock, places: map[string]int64{}, owners: map[identity]string{}, held: map[string]chan struct{}{}}
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
	if len(f.places) == 0 { // the file may be new
		place.SyncName()
	}
	return f, nil
}

// read reads the lines and truncates an incomplete last line.
func (f *File) read() error {
	text := bufio.NewReader(f.file)
	for number := 1; ; number++ {
		row, err := text.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF):
			return f.begin(row)
		case err != nil:
			return err
		}
		if err := f.readLine(number, bytes.TrimSuffix(row, []byte("\n"))); err != nil {
			return err
		}
		f.size += int64(len(row))
	}
}

// begin makes the file ready after its complete lines, behind which rest is.
func (f *File) begin(rest []byte) error {
	if f.size == 0 {
		if len(rest) > 0 && !bytes.HasPrefix([]byte(header), rest) {
			return ErrFormat
		}
		_, err := f.append([]byte(header))
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	return f.file.Truncate(f.size)
}

// check refuses entries that an earlier version wrote for other keys or records
// than they name: it replaced what is not UTF-8, and compared ids exactly.
func (f *File) check() error {
	for key := range f.places {
		entry, err := f.entry(key)
		if err != nil {
			return err
		}
		owner, claimed := f.owners[identityOf(entry.ID)]
		switch {
		case badKey(key) != nil:
			return fmt.Errorf("%w: the key %q was not valid UTF-8; replace it with the correct key in the file", ErrFormat, key)
		case claimed:
			return fmt.Errorf("%w: the keys %q and %q both refer to the record %s; remove the lines of the key that did not create the record", ErrFormat, key, owner, strings.ToLower(entry.ID))
		case entry.ID != "":
			f.owners[identityOf(entry.ID)] = key
		}
	}
	return nil
}

// entry reads the entry of a key.
func (f *File) entry(key string) (Entry, error) {
	at, known := f.places[key]
	if !known {
		return Entry{}, nil
	}
	var read line
	err := json.NewDecoder(io.NewSectionReader(f.file, at, f.size-at)).Decode(&read)
	return read.Entry, err
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
	f.set(read.Key, read.IsZero(), f.size)
	return nil
}

// set notes the place of the entry of a key.
func (f *File) set(key string, none bool, at int64) {
	if none {
		delete(f.places, key)
		return
	}
	f.places[key] = at
}

// append writes a line after the complete ones, and returns its place. It first
// removes the rest of a failed write, so that the line does not follow it.
func (f *File) append(row []byte) (at int64, err error) {
	if f.broken != nil {
		return at, f.broken
	}
	at = f.size
	row = append(row, '\n')
	if _, err = f.file.WriteAt(row, f.size); err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		f.broken = f.file.Truncate(f.size)
		return at, errors.Join(err, f.broken)
	}
	f.size += int64(len(row))
	return at, nil
}

// Load returns the entry of a key.
func (f *File) Load(_ context.Context, key string) (Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	entry, err := f.entry(key)
	return entry, errors.Join(badKey(key), err)
}

// Owner returns the key whose entry has the id.
func (f *File) Owner(_ context.Context, id string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.owners[identityOf(id)], nil
}

// Store appends an entry to the file. A failed write, on a full disk for
// example, changes nothing.
func (f *File) Store(_ context.Context, key string, old, entry Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	there, err := f.entry(key)
	owner, claimed := f.owners[identityOf(entry.ID)]
	switch {
	case err != nil:
		return err
	case claimed && owner != key:
		return fmt.Errorf("%w: the key %q already has the id %q", ErrClaimed, owner, entry.ID)
	case there.Equal(entry):
		return nil
	case there.ID != "" || !there.Equal(old):
		return fmt.Errorf("%w: %q", ErrOvertaken, key)
	}
	return f.write(key, there, entry)
}

// Forget removes the entry of a key if the entry has this id, ignoring case.
// The next Do creates the record again. Call Forget after a late failure, when
// the service accepted the record but did not create it.
func (f *File) Forget(_ context.Context, key, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	there, err := f.entry(key)
	switch {
	case id == "":
		return ErrEmptyID
	case err != nil:
		return err
	case !strings.EqualFold(there.ID, id):
		return nil
	}
	return f.write(key, there, Entry{})
}

func (f *File) write(key string, old, entry Entry) error {
	row, err := json.Marshal(line{key, entry})
	if err = errors.Join(badKey(key), err); err != nil {
		return err
	}
	at, err := f.append(row)
	if err != nil {
		return err
	}
	if old.ID != "" {
		delete(f.owners, identityOf(old.ID))
	}
	if entry.ID != "" {
		f.owners[identityOf(entry.ID)] = key
	}
	f.set(key, entry.IsZero(), at)
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
