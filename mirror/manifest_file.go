package mirror

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/practicesdk/practice-go/internal/atomicfile"
	"github.com/practicesdk/practice-go/internal/filelock"
	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// openManifest opens or creates the manifest of a folder and locks it. A
// manifest that cannot be read counts as lost. With beside, the folder may be a
// mirror of something else, so the manifest gets a name of its own. With
// readOnly, it is neither created nor locked.
func openManifest(root *os.Root, of source, beside, readOnly bool) (*manifest, error) {
	m, err := openAs(root, manifestName, of, readOnly)
	if beside && errors.Is(err, ErrMismatch) {
		sum := sha256.Sum256([]byte(strings.ToLower(of.MatterID + "\x00" + of.FolderID)))
		return openAs(root, partfile.Prefix+"manifest-"+hex.EncodeToString(sum[:8])+".jsonl", of, readOnly)
	}
	return m, err
}

func openAs(root *os.Root, name string, of source, readOnly bool) (*manifest, error) {
	for {
		m := newManifest(root, name, of)
		if readOnly {
			text, err := root.ReadFile(name)
			if err == nil {
				err = m.load(text)
			}
			return m, ignoreMissing(err)
		}
		err := m.hold()
		if err == nil {
			return m, nil
		}
		_ = m.file.Close() // nothing was written, or it could not be opened
		if !errors.Is(err, errReplaced) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// errReplaced reports a manifest that its previous owner has replaced
// meanwhile.
var errReplaced = errors.New("the manifest was replaced")

// hold opens, locks and reads the manifest. Before it waits for the lock, it
// returns an error for a folder that mirrors something else.
func (m *manifest) hold() (err error) {
	if m.file, err = m.root.OpenFile(m.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	held := errors.Is(filelock.Lock(m.file), filelock.ErrHeld)
	text, err := io.ReadAll(m.file)
	if err == nil {
		err = m.load(text)
	}
	switch {
	case err != nil:
		return err
	case held:
		return ErrDirInUse
	}
	mine, err := m.file.Stat()
	if err != nil {
		return err
	}
	if there, err := m.root.Lstat(m.name); err != nil || !os.SameFile(mine, there) {
		return errReplaced
	}
	_ = atomicfile.In(m.root, m.name).Discard()      // left by a process that crashed while writing
	if m.stale = headOf(text).Format == 0; m.stale { // new or lost
		return errors.Join(m.file.Truncate(0), m.write(head{format, m.source}))
	}
	m.torn = text[len(text)-1] != '\n'
	return nil
}

// headOf returns the first line, which names the matter and folder. It returns
// the zero head if the manifest is lost.
func headOf(text []byte) (h head) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if json.Unmarshal(first, &h) != nil || h.Format < 1 || h.MatterID == "" {
		return head{}
	}
	return h
}

// load reads all lines. It ignores an incomplete line from a crash. A manifest
// without its first line counts as lost.
func (m *manifest) load(text []byte) error {
	switch h := headOf(text); {
	case h.Format == 0:
		return nil
	case h.Format != format:
		return ErrFormat
	case !h.is(m.source):
		return fmt.Errorf("%w: it mirrors folder %q of matter %q", ErrMismatch, h.FolderID, h.MatterID)
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	for line := range bytes.Lines(rest) {
		var n note
		if json.Unmarshal(line, &n) == nil && n.sound() {
			m.apply(n)
		}
	}
	return nil
}

// sound reports whether this library can have written a line: its names must
// not lead to another folder.
func (n *note) sound() bool {
	return n.Entry == nil || n.Entry.Alias != "." && fs.ValidPath(n.Entry.Alias) && !strings.Contains(n.Entry.Alias, "/") &&
		(n.Entry.Parked == "" || strings.HasPrefix(n.Entry.Parked, plan.Parking) && !strings.Contains(n.Entry.Parked, "/"))
}

func (m *manifest) write(lines ...any) error {
	if m.file == nil {
		return nil // there is no manifest file
	}
	var text bytes.Buffer
	if m.torn { // for example because the disk was full
		text.WriteByte('\n')
	}
	encoder := json.NewEncoder(&text)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	_, err := m.file.Write(text.Bytes())
	m.torn = err != nil
	return err
}

// close rewrites the manifest with one line for each entry, if lines were
// appended, and closes the directory.
func (m *manifest) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if m.file != nil {
		err = m.renew()
		filelock.Unlock(m.file)
		err = errors.Join(err, m.file.Close())
	}
	if m.root != nil {
		err = errors.Join(err, m.root.Close())
	}
	return err
}

// renew replaces the manifest if lines were appended.
func (m *manifest) renew() error {
	if !m.stale {
		return nil
	}
	place := atomicfile.In(m.root, m.name)
	file, err := place.Create()
	if err != nil {
		return err
	}
	if err := errors.Join(m.writeAll(file), file.Sync(), file.Close()); err != nil {
		return errors.Join(err, place.Discard())
	}
	return place.Replace()
}

func (m *manifest) writeAll(file io.Writer) error {
	buffered := bufio.NewWriter(file)
	encoder := json.NewEncoder(buffered)
	err := encoder.Encode(head{format, m.source})
	if len(m.cursors) > 0 {
		err = errors.Join(err, encoder.Encode(note{Cursors: m.cursors}))
	}
	for key := range m.base {
		err = errors.Join(err, encoder.Encode(m.noteOf(key)))
	}
	for key := range m.awaits {
		if _, noted := m.base[key]; !noted {
			err = errors.Join(err, encoder.Encode(m.noteOf(key)))
		}
	}
	return errors.Join(err, buffered.Flush())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
