// Package manifest remembers which version of which file lies where in a local
// folder that mirrors a matter. It is a list of lines that only grows while files
// arrive, so that a process may end at any moment.
package manifest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/practicesdk/practice-go/internal/partfile"
)

// Name is the file that holds the manifest. No document can have this name:
// names.Local changes it.
const Name = partfile.Prefix + "manifest.jsonl"

// Reasons why a manifest cannot be used.
var (
	ErrOther  = errors.New("the folder mirrors something else")
	ErrFormat = errors.New("the manifest of the folder cannot be read")
)

const format = 1

// Source is what a folder mirrors.
type Source struct {
	MatterID string `json:"matterId"`
	FolderID string `json:"folderId,omitempty"`
}

type head struct {
	Format int `json:"format"`
	Source
}

// Entry is a local file.
type Entry struct {
	Path   string `json:"path"`   // with slashes, below the folder
	FileID string `json:"fileId"` // empty for a file that is not of the mirror after all
	// Version is the version of the content. Empty while the file has not arrived,
	// be it that another version is there.
	Version string `json:"version,omitempty"`
	Size    int64  `json:"size,omitempty"`
}

// Manifest is the open manifest of a folder. It can be used by several goroutines
// at once.
type Manifest struct {
	root   *os.Root
	source Source

	mu      sync.Mutex
	file    *os.File
	entries map[string]Entry
	stale   bool // lines were added that a shorter manifest would not need
}

// Open reads the manifest of a folder, or begins it.
func Open(root *os.Root, source Source) (*Manifest, error) {
	file, err := root.OpenFile(Name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	m := &Manifest{root: root, source: source, file: file, entries: map[string]Entry{}}
	if err := m.load(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return m, nil
}

// load reads all lines. One that is not whole was being written when a process
// ended; it says nothing.
func (m *Manifest) load() error {
	text, err := io.ReadAll(m.file)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return m.write(head{format, m.source})
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if err := json.Unmarshal(first, &h); err != nil || h.Format != format {
		return ErrFormat
	}
	if h.Source != m.source {
		return fmt.Errorf("%w: matter %q, folder %q", ErrOther, h.MatterID, h.FolderID)
	}
	for line := range bytes.Lines(rest) {
		var e Entry
		if json.Unmarshal(line, &e) == nil && e.Path != "" {
			m.entries[e.Path] = e
		}
	}
	if text[len(text)-1] != '\n' {
		_, err = m.file.WriteString("\n")
	}
	return err
}

// Lookup gives what is known of a local file.
func (m *Manifest) Lookup(path string) (Entry, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[path]
	return e, e.FileID != ""
}

// Set notes a local file.
func (m *Manifest) Set(e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries[e.Path] == e {
		return nil
	}
	m.entries[e.Path], m.stale = e, true
	return m.write(e)
}

func (m *Manifest) write(line any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	_, err = m.file.Write(append(text, '\n'))
	return err
}

// Close writes the manifest anew, with one line for each file, when lines were
// added.
func (m *Manifest) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	err := m.file.Close()
	if err != nil || !m.stale {
		return err
	}
	return m.rewrite()
}

func (m *Manifest) rewrite() error {
	const unfinished = Name + ".new"
	file, err := m.root.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	encoder := json.NewEncoder(buffered)
	err = encoder.Encode(head{format, m.source})
	for _, path := range slices.Sorted(maps.Keys(m.entries)) {
		if e := m.entries[path]; err == nil && e.FileID != "" {
			err = encoder.Encode(e)
		}
	}
	if err == nil {
		err = errors.Join(buffered.Flush(), file.Sync())
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = m.root.Rename(unfinished, Name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(m.root.Remove(unfinished)))
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
