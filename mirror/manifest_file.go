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
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/practicesdk/practice-go/internal/filelock"
	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// openManifest opens or creates the manifest of a folder, and locks it. A
// manifest that cannot be read counts as lost. With beside, the folder may
// mirror something else: then the manifest has a name of its own. With
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
		if m.file != nil {
			err = errors.Join(err, m.file.Close())
		}
		if !errors.Is(err, errReplaced) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
}

// errReplaced reports a manifest that its former owner has written anew.
var errReplaced = errors.New("the manifest was replaced")

// hold opens, locks and reads the manifest. It first reports a folder that
// mirrors something else: nobody has to wait for that.
func (m *manifest) hold() (err error) {
	if m.file, err = m.root.OpenFile(m.name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600); err != nil {
		return err
	}
	text, err := io.ReadAll(m.file)
	if err == nil {
		_, err = m.judge(text)
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
	if there, err := m.root.Lstat(m.name); err != nil || !os.SameFile(mine, there) {
		return errReplaced
	}
	if _, err := m.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if text, err = io.ReadAll(m.file); err != nil {
		return err
	}
	_ = m.root.Remove(m.name + unfinished) // of a process that ended while it wrote
	if err := m.load(text); err != nil {
		return err
	}
	m.torn = len(text) > 0 && text[len(text)-1] != '\n'
	if form, _ := m.judge(text); form != format {
		m.stale = true
		if err := m.file.Truncate(0); err != nil || form == 0 {
			return errors.Join(err, m.write(head{format, m.source}))
		}
		return m.writeAll(m.file)
	}
	return nil
}

// judge checks the first line, which names the matter and folder. The format is
// 0 when the manifest is lost.
func (m *manifest) judge(text []byte) (int, error) {
	switch h := headOf(text); {
	case h.Format < 1 || h.MatterID == "":
		return 0, nil // it is lost
	case h.Format > format:
		return 0, ErrFormat
	case !h.is(m.source):
		return 0, fmt.Errorf("%w: matter %q, folder %q", ErrMismatch, h.MatterID, h.FolderID)
	default:
		return h.Format, nil
	}
}

// headOf returns the first line; it is empty when it is lost.
func headOf(text []byte) (h head) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if json.Unmarshal(first, &h) != nil {
		return head{}
	}
	return h
}

// load reads all lines. It ignores a torn line, of a process that ended while
// it wrote.
func (m *manifest) load(text []byte) error {
	form, err := m.judge(text)
	if err != nil || form == 0 {
		return err
	}
	_, rest, _ := bytes.Cut(text, []byte("\n"))
	if form == formatByPath {
		m.loadByPath(rest)
		return nil
	}
	for line := range bytes.Lines(rest) {
		var n note
		if json.Unmarshal(line, &n) == nil && n.sound() {
			m.apply(n)
		}
	}
	return nil
}

// sound reports whether this library can have written a line: a name leads into
// no other folder.
func (n *note) sound() bool {
	return n.Entry == nil || n.Entry.Alias != "." && fs.ValidPath(n.Entry.Alias) && !strings.Contains(n.Entry.Alias, "/") &&
		(n.Entry.Parked == "" || strings.HasPrefix(n.Entry.Parked, plan.Parking) && !strings.Contains(n.Entry.Parked, "/"))
}

func (m *manifest) write(lines ...any) error {
	if m.file == nil {
		return nil // nothing is kept
	}
	var text bytes.Buffer
	if m.torn { // such as on a disk that was full
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

// close writes the manifest anew, with one line for each entry, when lines were
// added. A system that does not replace open files gets it closed first.
func (m *manifest) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.file == nil:
		return nil
	case !m.stale:
		return m.file.Close()
	}
	fresh := m.name + unfinished
	file, err := m.root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err == nil {
		err = errors.Join(m.writeAll(file), file.Sync(), file.Close())
	}
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

func (m *manifest) writeAll(file io.Writer) error {
	buffered := bufio.NewWriter(file)
	encoder := json.NewEncoder(buffered)
	err := encoder.Encode(head{format, m.source})
	if len(m.cursors) > 0 {
		err = errors.Join(err, encoder.Encode(note{Cursors: m.cursors}))
	}
	keys := map[plan.Key]bool{}
	for key := range m.base {
		keys[key] = true
	}
	for key := range m.awaits {
		keys[key] = true
	}
	for _, key := range slices.SortedFunc(maps.Keys(keys), compareKeys) {
		err = errors.Join(err, encoder.Encode(m.noteOf(key)))
	}
	return errors.Join(err, buffered.Flush())
}

func compareKeys(a, b plan.Key) int {
	if a.Dir != b.Dir {
		if a.Dir {
			return -1
		}
		return 1
	}
	return strings.Compare(a.ID, b.ID)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
