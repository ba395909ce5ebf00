package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"sync"
)

// learn reads what has to be known of moves before a plan is one, and reports
// whether that changes the plan. The contents of entries that it learns become
// a part of the state.
func (r *run) learn(state *State, open func(at string) (fs.File, error), note func(Entry) error) (changes bool) {
	m := state.moves
	if m == nil || len(m.local)+len(m.entries) == 0 {
		return false
	}
	l := &learning{run: r, state: state, moves: m, local: m.local, entries: m.entries, records: map[string]*Remote{}, open: open, note: note}
	m.local, m.entries = map[string][]string{}, map[string]string{}
	for i := range state.Remote {
		if there := &state.Remote[i]; !there.Dir {
			l.records[Key(there.ID)] = there
		}
	}
	each(r, sorted(l.local), l.read)
	each(r, sorted(l.entries), l.ask)
	l.find()
	return true
}

// learning answers questions about moves.
type learning struct {
	*run
	state   *State
	moves   *moves
	mu      sync.Mutex
	local   map[string][]string
	entries map[string]string
	records map[string]*Remote // files of the service, by key
	open    func(at string) (fs.File, error)
	note    func(Entry) error
}

// read reads a local file.
func (l *learning) read(at string) {
	sum, err := l.sumOf(at, l.open)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.moves.sums[at] = sum
	if err == nil {
		return
	}
	for _, asking := range l.local[at] {
		l.trust(asking, at, err)
	}
}

// sumOf is the SHA256 of a local file.
func (r *run) sumOf(at string, open func(at string) (fs.File, error)) (string, error) {
	file, err := open(at)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	sum := sha256.New()
	_, err = io.Copy(sum, &bounded{r.ctx, file})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// trust takes an entry for the local file that asks, which fails.
func (l *learning) trust(entry, at string, err error) {
	l.moves.trusted[entry] = true
	id := l.state.Base[entry].FileID
	if r := l.records[Key(id)]; r != nil {
		id = r.ID
	}
	l.compared.set(question{at, id}, comparedFile{err: err})
}

// find notes where files were found.
func (l *learning) find() {
	for _, to := range sorted(l.local) {
		for _, at := range l.local[to] {
			if e := l.state.Base[at]; e.content() != "" && e.content() == l.moves.sums[to] {
				e.Lies = to
				l.state.Base[at] = e
				_ = l.note(e) // it is found out again
			}
		}
	}
}

// ask reads what an entry was from the service.
func (l *learning) ask(at string) {
	l.mu.Lock()
	e := l.state.Base[at]
	l.mu.Unlock()
	r := l.records[Key(e.FileID)]
	if r == nil {
		l.seek(e)
		return
	}
	var version string
	known := r.File != nil && r.Stored
	switch {
	case !known:
	case !e.replaced(r):
		version = r.versionID()
	case e.Version != "" && r.versionID() != "":
		version = e.Version
	default:
		known = false
	}
	sum, err := sha256.New(), error(nil)
	if known {
		err = l.service.Read(l.ctx, r.ID, version, sum)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case r.File == nil: // only the manifest tells of it
		l.moves.trusted[at], l.moves.closed = true, true
	case !known, l.service.Meaning(err) == NotFound:
		l.moves.unknown[at] = true
	case err != nil:
		l.trust(at, l.entries[at], err)
	default:
		e.SHA256 = hex.EncodeToString(sum.Sum(nil))
		l.state.Base[at] = e
		_ = l.note(e) // it is found out again
	}
}

// seek looks for an entry that no list has: it may lie where nobody could look,
// or may have been moved while that was done. Nothing is gone then.
func (l *learning) seek(e Entry) {
	l.mu.Lock()
	there := l.state.Partial
	l.mu.Unlock()
	var err error
	if !there {
		there, err = l.service.Has(l.ctx, e.FileID, false)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if there || err != nil {
		l.moves.trusted[e.Path], l.state.Partial = true, true
	} else {
		l.moves.unknown[e.Path] = true
	}
}
