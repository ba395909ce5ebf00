package mirror

import (
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
	// manifestName is the file that holds the manifest. No document can have
	// this name: filenames.Local changes it.
	manifestName = partfile.Prefix + "manifest.jsonl"
	unfinished   = ".new" // a manifest that is being written anew

	format = 2 // the manifests of format 1 were keyed by path
)

// source is the matter and the folder that a directory mirrors.
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
	At     int64  `json:"at"`               // when it was asked for, in nanoseconds since 1970
	In     string `json:"in,omitempty"`     // id of the folder that will list it
	Name   string `json:"name,omitempty"`   // that it will have
	Old    string `json:"old,omitempty"`    // that it had
	Made   bool   `json:"made,omitempty"`   // it was made then
	Drop   bool   `json:"drop,omitempty"`   // it will not be listed any more
	Before string `json:"before,omitempty"` // the version that the sent one follows
	// Digest is that of the content that was sent; empty when none was.
	Digest string `json:"digest,omitempty"`
	Size   int64  `json:"size,omitempty"`
}

// note is a line of a manifest. It replaces all that was known of a document or
// folder; without an entry and anything awaited it forgets it.
type note struct {
	ID      string      `json:"id,omitempty"`
	Dir     bool        `json:"dir,omitempty"`
	Entry   *plan.Entry `json:"entry,omitempty"`
	Await   *awaited    `json:"await,omitempty"`
	Cursors []heard     `json:"cursors,omitempty"` // of events
}

// heard is a cursor, and when it was first used.
type heard struct {
	Cursor string `json:"cursor"`
	At     int64  `json:"at"`
}

// intent returns a key for a file or folder that is about to be made: nobody
// knows its id, or whether it was made, until the service lists it.
func intent(dir bool) plan.Key { return plan.Key{Dir: dir, ID: intentMark + rand.Text()} }

// intentMark begins the ids of intents. No id of the service does.
const intentMark = "?"

func isIntent(key plan.Key) bool { return strings.HasPrefix(key.ID, intentMark) }

// manifest holds the base and the awaited effects. It is a list of lines that
// only grows while it is open, so that a process may end at any moment.
type manifest struct {
	root   *os.Root // nil when nothing is kept
	name   string
	source source

	mu      sync.Mutex
	file    *os.File
	base    map[plan.Key]plan.Entry
	awaits  map[plan.Key]awaited // intents among them
	cursors []heard
	stale   bool // lines were added, so that it is written anew
	torn    bool // the file may end within a line
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

// update applies notes and writes them, all at once.
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

// noteOf returns the line about a key as it is known now.
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

// step notes the execution of a step, its awaited effect, and the end of its
// intent.
func (m *manifest) step(s *plan.Step, done plan.Done, await *awaited, intent plan.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := s.Key
	if done.Key.ID != "" {
		key = done.Key
	}
	plan.After(m.base, s, done)
	m.expect(key, await)
	notes := []note{m.noteOf(key)}
	if intent.ID != "" {
		notes = append(notes, note{ID: intent.ID, Dir: intent.Dir})
	}
	return m.updateLocked(notes...)
}

// await notes the awaited effect of a key; nil ends it.
func (m *manifest) await(key plan.Key, a *awaited) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a == nil {
		delete(m.awaits, key)
	}
	m.expect(key, a)
	return m.updateLocked(m.noteOf(key))
}

// expect sets the awaited effect of a key. A content that is sent after a move
// leaves what is awaited of the move.
func (m *manifest) expect(key plan.Key, a *awaited) {
	if a == nil {
		return
	}
	if before, waits := m.awaits[key]; waits && a.Name == "" {
		a.Name, a.Old = before.Name, before.Old
	}
	m.awaits[key] = *a
}

// dropped reports whether a key was deleted and may still be listed.
func (m *manifest) dropped(key plan.Key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, known := m.base[key] // until the answer has come
	return m.awaits[key].Drop && !known
}

func (m *manifest) snapshot() (map[plan.Key]plan.Entry, map[plan.Key]awaited) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.base), maps.Clone(m.awaits)
}

// since returns how long ago something was asked for. A clock that was set back
// makes it no longer than that.
func since(at int64) time.Duration { return max(0, time.Since(time.Unix(0, at))) }
