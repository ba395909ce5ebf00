package mirror

import (
	"cmp"
	"crypto/rand"
	"maps"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/partfile"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

const (
	// manifestName is the file that holds the manifest. A document cannot have
	// this name, because filenames.Local changes it.
	manifestName = partfile.Prefix + "manifest.jsonl"

	format = 2 // format 1 was keyed by path
)

// source identifies the matter and folder that a directory mirrors.
type source struct {
	MatterID string `json:"matterId"`
	FolderID string `json:"folderId,omitempty"`
}

func (s source) is(other source) bool {
	return strings.EqualFold(s.MatterID, other.MatterID) && strings.EqualFold(s.FolderID, other.FolderID)
}

type head struct {
	Format int `json:"format"`
	source
}

// awaited is an effect of a request that the service does not show yet.
type awaited struct {
	At     int64  `json:"at"`               // time of the request in nanoseconds since 1970
	In     string `json:"in,omitempty"`     // id of the folder that will list it
	Name   string `json:"name,omitempty"`   // expected name
	Old    string `json:"old,omitempty"`    // previous name
	Made   bool   `json:"made,omitempty"`   // the request created it
	Drop   bool   `json:"drop,omitempty"`   // the request deleted it
	Before string `json:"before,omitempty"` // version before the sent one
	// Digest is the digest of the sent content; empty if none was sent.
	Digest string `json:"digest,omitempty"`
	Size   int64  `json:"size,omitempty"`
}

// note is a line of a manifest. It replaces all earlier facts about a document
// or folder. Without Entry and Await it removes them.
type note struct {
	ID      string      `json:"id,omitempty"`
	Dir     bool        `json:"dir,omitempty"`
	Entry   *plan.Entry `json:"entry,omitempty"`
	Await   *awaited    `json:"await,omitempty"`
	Cursors []heard     `json:"cursors,omitempty"` // recent event cursors
}

// heard is a cursor with the time of its first use.
type heard struct {
	Cursor string `json:"cursor"`
	At     int64  `json:"at"`
}

// intent returns the note of a file or folder that is about to be created. Its
// id is unknown until the service lists it, and after a failure, so is whether
// it was created.
func intent(dir bool, wait awaited) note {
	wait.At = time.Now().UnixNano()
	return note{ID: intentMark + rand.Text(), Dir: dir, Await: &wait}
}

// intentMark is the prefix of the ids of intents. It does not occur in ids of
// the service.
const intentMark = "?"

func isIntent(key plan.Key) bool { return strings.HasPrefix(key.ID, intentMark) }

// manifest holds the base and the awaited effects. Its file is append-only
// while it is open, so that a crash leaves it readable.
type manifest struct {
	root   *os.Root // nil if there is no manifest file
	name   string
	source source

	mu      sync.Mutex
	file    *os.File
	base    map[plan.Key]plan.Entry
	awaits  map[plan.Key]awaited // including those of intents
	cursors []heard
	stale   bool // lines were appended, so close rewrites the file
	torn    bool // the file may end in an incomplete line
}

func newManifest(root *os.Root, name string, of source) *manifest {
	return &manifest{root: root, name: name, source: of, base: map[plan.Key]plan.Entry{}, awaits: map[plan.Key]awaited{}}
}

func (m *manifest) apply(n note) {
	key := plan.Key{Dir: n.Dir, ID: n.ID}
	switch {
	case n.Cursors != nil:
		m.cursors = n.Cursors
	case n.ID != "":
		delete(m.base, key)
		delete(m.awaits, key)
		if n.Entry != nil {
			n.Entry.Key = key
			m.base[key] = *n.Entry
		}
		if n.Await != nil {
			m.awaits[key] = *n.Await
		}
	}
}

// update applies notes and appends them in one write.
func (m *manifest) update(notes ...note) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.updateLocked(notes...)
}

func (m *manifest) updateLocked(notes ...note) error {
	var lines []any
	for _, n := range notes {
		m.apply(n)
		lines = append(lines, n)
	}
	m.stale = true
	return m.write(lines...)
}

// noteOf returns the current facts about a key as a note.
func (m *manifest) noteOf(key plan.Key) note {
	n := note{ID: key.ID, Dir: key.Dir}
	if e, known := m.base[key]; known {
		n.Entry = &e
	}
	if a, waits := m.awaits[key]; waits {
		n.Await = &a
	}
	return n
}

// step records the execution of a step, its awaited effect, and the end of its
// intents.
func (m *manifest) step(s *plan.Step, done plan.Done, await *awaited, intents ...note) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := cmp.Or(done.Key, s.Key)
	plan.After(m.base, s, done)
	m.expect(key, await)
	notes := []note{m.noteOf(key)}
	for _, n := range intents {
		notes = append(notes, note{ID: n.ID, Dir: n.Dir})
	}
	return m.updateLocked(notes...)
}

// await records the awaited effect of a key; nil removes it.
func (m *manifest) await(key plan.Key, a *awaited) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a == nil {
		delete(m.awaits, key)
	}
	m.expect(key, a)
	return m.updateLocked(m.noteOf(key))
}

// expect sets the awaited effect of a key. Sending a content keeps the awaited
// effect of an earlier move.
func (m *manifest) expect(key plan.Key, a *awaited) {
	if a == nil {
		return
	}
	a.At = time.Now().UnixNano()
	if before, waits := m.awaits[key]; waits && a.Name == "" {
		a.Name, a.Old = before.Name, before.Old
	}
	m.awaits[key] = *a
}

// isIn reports whether a listed item belongs to a folder. It does not if this
// mirror has deleted it, or, with left, has moved it away.
func (m *manifest) isIn(key plan.Key, folderID string) (stays, left bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, known := m.base[key] // until the response arrives
	a, waits := m.awaits[key]
	left = waits && known && !a.Drop && e.Parent != folderID
	return !left && (known || !a.Drop), left
}

func (m *manifest) snapshot() (map[plan.Key]plan.Entry, map[plan.Key]awaited) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.base), maps.Clone(m.awaits)
}

// since returns the time since a request. It is negative if the clock was set
// back.
func since(at int64) time.Duration { return time.Since(time.Unix(0, at)) }
