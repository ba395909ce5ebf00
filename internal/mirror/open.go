package mirror

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/practicesdk/practice-go/internal/filelock"
	"github.com/practicesdk/practice-go/internal/partfile"
)

const format = 1

// Source is what a folder mirrors.
type Source struct {
	MatterID string `json:"matterId"`
	FolderID string `json:"folderId,omitempty"`
}

func (s Source) is(other Source) bool {
	return Key(s.MatterID) == Key(other.MatterID) && Key(s.FolderID) == Key(other.FolderID)
}

type head struct {
	Format int `json:"format"`
	Source
}

// Open opens the manifest of a folder, or begins it, and holds it until Close.
// A manifest that cannot be read is a lost one. Where the folder cannot be
// written to, an existing manifest can still be read.
func Open(root *os.Root, source Source) (*Manifest, error) { return openAs(root, Name, source) }

// OpenBeside is Open, except that the folder may mirror something else: then
// the manifest has a name of its own.
func OpenBeside(root *os.Root, source Source) (*Manifest, error) {
	m, err := openAs(root, Name, source)
	if !errors.Is(err, ErrOther) {
		return m, err
	}
	return openAs(root, beside(source), source)
}

// beside is the name of the manifest in a folder that mirrors something else.
func beside(source Source) string {
	sum := sha256.Sum256([]byte(Key(source.MatterID) + "\x00" + Key(source.FolderID)))
	return partfile.Prefix + "manifest-" + hex.EncodeToString(sum[:8]) + ".jsonl"
}

// errOnlyRead is why nothing is noted in a manifest that Look gave.
var errOnlyRead = errors.New("the manifest is only read")

// Look reads the manifest of a folder and neither makes nor holds one. Without
// a folder or a manifest nothing is known.
func Look(root *os.Root, source Source) (*Manifest, error) { return lookAs(root, Name, source) }

// LookBeside is to Look what OpenBeside is to Open.
func LookBeside(root *os.Root, source Source) (*Manifest, error) {
	m, err := lookAs(root, Name, source)
	if !errors.Is(err, ErrOther) {
		return m, err
	}
	return lookAs(root, beside(source), source)
}

func lookAs(root *os.Root, name string, source Source) (*Manifest, error) {
	m := &Manifest{root: root, name: name, source: source, entries: map[string]Entry{}, readOnly: errOnlyRead}
	if root == nil {
		return m, nil
	}
	text, err := root.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m, nil
	case err == nil:
		err = m.load(text)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

func openAs(root *os.Root, name string, source Source) (*Manifest, error) {
	for {
		m := &Manifest{root: root, name: name, source: source, entries: map[string]Entry{}}
		err := m.open()
		if err != nil {
			return nil, err
		}
		err = m.hold()
		if err == nil {
			return m, nil
		}
		if err = errors.Join(err, m.file.Close()); !errors.Is(err, errReplaced) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// errReplaced says that the one who held the manifest has written it anew.
var errReplaced = errors.New("the manifest was replaced")

func (m *Manifest) open() (err error) {
	m.file, err = m.root.OpenFile(m.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		return nil
	}
	file, readErr := m.root.Open(m.name)
	if readErr != nil {
		return err
	}
	m.file, m.readOnly = file, err
	return nil
}

// hold takes the manifest and reads it. It says first when the folder mirrors
// something else: nobody has to wait for that.
func (m *Manifest) hold() error {
	text, err := io.ReadAll(m.file)
	if err == nil {
		err = m.judge(text)
	}
	if err != nil {
		return err
	}
	if errors.Is(filelock.Lock(m.file), filelock.ErrHeld) {
		return ErrBusy
	}
	mine, err := m.file.Stat()
	if err != nil {
		return err
	}
	there, err := m.root.Lstat(m.name)
	if err != nil || !os.SameFile(mine, there) {
		return errReplaced
	}
	if _, err := m.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if text, err = io.ReadAll(m.file); err != nil {
		return err
	}
	_ = m.root.Remove(m.name + unfinished) // of a process that ended while it wrote
	return m.load(text)
}

// judge reads the first line, which says what the folder mirrors.
func (m *Manifest) judge(text []byte) error {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	var h head
	switch err := json.Unmarshal(first, &h); {
	case err != nil || h.Format < 1 || h.MatterID == "":
		return nil //nolint:nilerr // it is lost
	case h.Format > format:
		return ErrFormat
	case !h.is(m.source):
		return fmt.Errorf("%w: matter %q, folder %q", ErrOther, h.MatterID, h.FolderID)
	}
	return nil
}

// load reads all lines. One that is not whole was being written when a process
// ended; it says nothing. Nor does one whose path is not below the folder.
func (m *Manifest) load(text []byte) error {
	if err := m.judge(text); err != nil {
		return err
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var h head
	if json.Unmarshal(first, &h) != nil || h.Format != format || h.MatterID == "" {
		return m.begin()
	}
	for line := range bytes.Lines(rest) {
		var e Entry
		if json.Unmarshal(line, &e) == nil && fs.ValidPath(e.Path) && e.Path != "." {
			m.entries[e.Path] = e
		}
	}
	m.torn = text[len(text)-1] != '\n'
	return nil
}

// begin writes a manifest that knows nothing in the place of what is there.
func (m *Manifest) begin() error {
	if m.readOnly != nil {
		return nil //nolint:nilerr // there is nothing to write to, and nothing to read
	}
	if err := m.file.Truncate(0); err != nil {
		return err
	}
	m.torn = false
	return m.write(head{format, m.source})
}
