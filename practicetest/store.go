package practicetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"github.com/google/uuid"
)

// store keeps the records of every firm. The server's lock guards it.
type store struct {
	by       *catalog
	seed     uint64
	ordinals map[string]uint64 // how many ids of a kind were given away
	number   uint64            // of the latest record
	slots    map[recordKey]*slot
	lists    map[listKey]*recordList
	log      []Change
	later    map[*recordList]bool // long lists that are put in order later; nil when none is
}

// recordKey names a record. Identifiers are unique among the records of a resource in
// all firms at once, so that another firm's record can be told from one that does not
// exist.
type recordKey struct {
	of *resource
	id string
}

// key is where the store has a record, whose id is written as it was given.
func (r *record) key() recordKey { return recordKey{r.of, sameID(r.id)} }

// slot is the place of a record. A write sees now; what reads and lists show may lag
// behind it.
type slot struct {
	now    *record // nil while the write that makes it is not due
	shown  *record // what a read answers
	listed *record // what lists hold

	listedRevision uint64
	account        *account
	above          []string
	due            time.Time // when the write that makes it is due
}

// listKey names a list by the parent of its records, or by the account.
type listKey struct {
	of    *resource
	owner string
}

// recordList holds the records of a list in the order of their resource.
type recordList struct {
	of    *resource
	bare  bool      // some were not made up yet
	whole []*record // see all
}

// all are the records of the list.
func (l *recordList) all() []*record {
	if l.bare {
		l.bare = false
		for _, r := range l.whole {
			r.made()
		}
	}
	return l.whole
}

func newStore(seed uint64, by *catalog) *store {
	return &store{seed: seed, by: by, ordinals: map[string]uint64{}, slots: map[recordKey]*slot{}, lists: map[listKey]*recordList{}}
}

// newID is the next identifier of a kind. It follows from the seed, the kind and how
// many of that kind there were before, so that nothing else changes it.
func (st *store) newID(kind string) string {
	st.ordinals[kind]++
	return st.uuid(kind, st.ordinals[kind])
}

func (st *store) uuid(of string, n uint64) string { return uuidOf(st.seed, of, n) }

// uuidOf is the identifier of a seed, a kind and a number.
func uuidOf(seed uint64, of string, n uint64) string {
	var room [128]byte
	text := binary.BigEndian.AppendUint64(room[:0], seed)
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(text, n), of...))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// resource is what the description calls so in "to".
func (st *store) resource(target string) *resource { return st.by.byTarget[target] }

// slot is the place of a record, or nil.
func (st *store) slot(of *resource, id string) *slot {
	s := st.slots[recordKey{of, sameID(id)}]
	if s != nil && s.now != nil {
		s.now.made()
	}
	return s
}

// latest is the state of a record before a commit; nil when the commit makes it.
func (st *store) latest(r *record) *record {
	if s := st.slot(r.of, r.id); s != nil {
		return s.now
	}
	return nil
}

// reserve keeps a place for a record that a write will make.
func (st *store) reserve(of *resource, id string, a *account, above []string) {
	st.slots[recordKey{of, sameID(id)}] = &slot{account: a, above: above}
}

// release gives up the place of a record that was never made.
func (st *store) release(key recordKey) {
	if s := st.slots[key]; s != nil && s.now == nil {
		delete(st.slots, key)
	}
}

// list is the list of a resource below a parent, or of an account.
func (st *store) list(of *resource, owner string) *recordList {
	key := listKey{of, owner}
	if st.lists[key] == nil {
		st.lists[key] = &recordList{of: of}
	}
	return st.lists[key]
}

// keep puts a record into its place; reads and lists show it later.
func (st *store) keep(r *record) {
	key := r.key()
	s := st.slots[key]
	if s == nil {
		s = &slot{account: r.account, above: r.above}
		st.slots[key] = s
	}
	if r.number == 0 {
		st.number++
		r.number = st.number
	}
	s.now, s.above, s.account = r, r.above, r.account
}

// put keeps a record and shows it everywhere.
func (st *store) put(r *record) {
	st.keep(r)
	st.show(r)
	st.enlist(r)
}

// show makes reads answer a record, unless they know a later state of it.
func (st *store) show(r *record) {
	if s := st.slots[r.key()]; s != nil && (s.shown == nil || s.shown.revision < r.revision) {
		s.shown = r
	}
}

// enlist makes lists hold a record in the place of what they held of it, unless they
// know a later state.
func (st *store) enlist(r *record) {
	s := st.slots[r.key()]
	if s == nil || s.listedRevision >= r.revision {
		return
	}
	s.listedRevision = r.revision
	if old := s.listed; old != nil {
		st.list(old.of, old.owner()).remove(old)
	}
	s.listed = nil
	if !r.deleted || !r.of.vanishes {
		s.listed = r
		st.list(r.of, r.owner()).insert(r, st.later)
	}
}

// forget removes a record without a trace.
func (st *store) forget(r *record) {
	if s := st.slots[r.key()]; s != nil {
		if s.listed != nil {
			st.list(r.of, s.listed.owner()).remove(s.listed)
		}
		delete(st.slots, r.key())
	}
}

func (l *recordList) compare(a, b *record) int {
	if l.of.order != nil {
		if d := l.of.order(a, b); d != 0 {
			return d
		}
	}
	return cmp.Compare(a.number, b.number)
}

// insert puts a record into its place. In a long list that is done later for all that are
// being made up: each place takes as long as the list.
func (l *recordList) insert(r *record, later map[*recordList]bool) {
	if later != nil && len(l.whole) >= 256 {
		later[l], l.whole = true, append(l.whole, r)
		return
	}
	at, _ := slices.BinarySearchFunc(l.whole, r, l.compare)
	l.whole = slices.Insert(l.whole, at, r)
}

func (l *recordList) remove(r *record) {
	if at, found := slices.BinarySearchFunc(l.whole, r, l.compare); found {
		l.whole = slices.Delete(l.whole, at, at+1)
	}
}
