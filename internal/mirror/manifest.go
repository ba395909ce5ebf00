// Package mirror keeps a local folder and a folder of a matter alike. A
// manifest in the local folder remembers how both were when they last agreed;
// from that and from how both are now follows what is to be done, in either
// direction.
package mirror

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sort"
	"sync"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// Name is the file that holds the manifest. No document can have this name:
// filenames.Local changes it.
const Name = partfile.Prefix + "manifest.jsonl"

// unfinished is the name of a manifest that is being written anew.
const unfinished = ".new"

// Reasons why a manifest cannot be used.
var (
	ErrOther  = errors.New("the folder mirrors something else")
	ErrFormat = errors.New("the manifest of the folder was written by a newer version of this library")
	ErrBusy   = errors.New("another call works on the folder")
)

// Manifest is the open manifest of a folder. It is a list of lines that only
// grows while it is open, so that a process may end at any moment. It can be
// used by several goroutines at once, and by one process only.
type Manifest struct {
	root   *os.Root
	name   string
	source Source

	mu       sync.Mutex
	file     *os.File
	readOnly error // why nothing can be noted; nil when it can
	entries  map[string]Entry
	stale    bool // lines were added that a shorter manifest would not need
	torn     bool // the file may end within a line
}

// Is reports the path of the manifest itself.
func (m *Manifest) Is(path string) bool { return path == m.name }

// Lookup gives what is known of a local file or folder.
func (m *Manifest) Lookup(path string) (Entry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[path]
	return e, e.Known()
}

// Entries are all that are known, by path.
func (m *Manifest) Entries() map[string]Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := maps.Clone(m.entries)
	maps.DeleteFunc(known, func(_ string, e Entry) bool { return !e.Known() })
	return known
}

// Set notes a local file or folder.
func (m *Manifest) Set(e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.set(e)
}

func (m *Manifest) set(e Entry) error {
	if old := m.entries[e.Path]; old == e || !old.Known() && !e.Known() {
		return nil
	}
	if m.readOnly != nil {
		return m.readOnly
	}
	m.stale = true
	if err := m.write(e); err != nil {
		return err
	}
	m.entries[e.Path] = e
	return nil
}

// Replace notes what is known from now on, in the place of all that was.
func (m *Manifest) Replace(entries map[string]Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var other []Entry
	for at := range m.entries {
		if !entries[at].Known() {
			other = append(other, Entry{Path: at})
		}
	}
	for at, e := range entries {
		if m.entries[at] != e {
			other = append(other, e)
		}
	}
	sort.Slice(other, func(i, j int) bool { return other[i].Path < other[j].Path })
	var problems []error
	for _, e := range other {
		problems = append(problems, m.set(e))
	}
	return errors.Join(problems...)
}

func (m *Manifest) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if m.torn { // such as on a disk that was full
		text = append([]byte("\n"), text...)
	}
	_, err = m.file.Write(text)
	m.torn = err != nil
	return err
}

// Close writes the manifest anew, with one line for each entry, when lines were
// added.
func (m *Manifest) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.file == nil:
		return nil // it was only looked at
	case !m.stale:
		return m.file.Close()
	}
	return m.rewrite()
}

// rewrite replaces the file while it is held. A system that does not replace
// open files gets it closed first.
func (m *Manifest) rewrite() error {
	fresh := m.name + unfinished
	err := m.writeAll(fresh)
	if err == nil {
		err = m.root.Rename(fresh, m.name)
	}
	closed := m.file.Close()
	if errors.Is(err, fs.ErrPermission) {
		err = m.root.Rename(fresh, m.name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(m.root.Remove(fresh)))
	}
	return closed
}

func (m *Manifest) writeAll(name string) error {
	file, err := m.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	encoder := json.NewEncoder(buffered)
	err = encoder.Encode(head{format, m.source})
	for _, path := range slices.Sorted(maps.Keys(m.entries)) {
		if e := m.entries[path]; err == nil && e.Known() {
			err = encoder.Encode(e)
		}
	}
	if err == nil {
		err = errors.Join(buffered.Flush(), file.Sync())
	}
	return errors.Join(err, file.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
