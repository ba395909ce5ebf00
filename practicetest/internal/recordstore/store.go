// Package recordstore stores three states of each record: the latest one, which
// writes use, the one that reads return, and the one that lists contain. The
// latter two may lag behind independently, but do not return to an earlier
// state.
package recordstore

import (
	"iter"
	"maps"
	"slices"
	"time"
)

// Key identifies a record, or the list of all records with a common parent.
type Key[K comparable] struct {
	Of K // kind of the record
	ID string
}

// Record is one state of a record. A stored state must not be modified.
type Record[K comparable] interface {
	comparable
	// Key returns the key of the record.
	Key() Key[K]
	// List returns the key of the list that contains this state.
	List() Key[K]
	// Revision returns the number of the state. Later states have higher
	// numbers.
	Revision() uint64
	// Unlisted reports whether lists omit this state.
	Unlisted() bool
	// Furnish generates the members of a record that was stored without them.
	// Further calls have no effect.
	Furnish()
}

// Store holds the states of records. The zero value is not usable. The caller
// must guard it with a lock.
type Store[K comparable, R Record[K]] struct {
	compare func(a, b R) int
	slots   map[Key[K]]*Slot[R]
	lists   map[Key[K]]*List[R]
}

// Slot holds the states of one record. A state is the zero value if the record
// does not have it yet.
type Slot[R any] struct {
	At    R // latest state, or the reservation for a record that is not created yet
	Now   R // state that writes see; zero until the record is created
	Shown R // state that reads return; zero until the record is visible

	Due time.Time // time at which the create takes effect

	listed         R
	listedRevision uint64
}

// New returns an empty store whose lists are sorted by compare.
func New[K comparable, R Record[K]](compare func(a, b R) int) *Store[K, R] {
	return &Store[K, R]{compare: compare, slots: map[Key[K]]*Slot[R]{}, lists: map[Key[K]]*List[R]{}}
}

// Clone returns a copy of the store. The two share the records, but no change of
// one is seen in the other. Calls of Clone may overlap. All records must have
// their members.
func (s *Store[K, R]) Clone() *Store[K, R] {
	n := &Store[K, R]{compare: s.compare, slots: make(map[Key[K]]*Slot[R], len(s.slots)), lists: make(map[Key[K]]*List[R], len(s.lists))}
	slots, lists, records := make([]Slot[R], len(s.slots)), make([]List[R], len(s.lists)), make([]R, 0, len(s.slots))
	for key, slot := range s.slots {
		at := &slots[len(n.slots)]
		*at, n.slots[key] = *slot, at
	}
	for key, l := range s.lists {
		at, from := &lists[len(n.lists)], len(records)
		*at, n.lists[key] = *l, at
		records = append(records, l.records...)
		at.records = slices.Clip(records[from:])
	}
	return n
}

// Sort sorts all lists, so that no clone has to.
func (s *Store[K, R]) Sort() {
	for _, l := range s.lists {
		l.Bare()
	}
}

// Grow reserves memory for n more records.
func (s *Store[K, R]) Grow(n int) {
	slots := make(map[Key[K]]*Slot[R], len(s.slots)+n)
	maps.Copy(slots, s.slots)
	s.slots = slots
}

// Slot returns the slot of a record with its members generated, or nil if there
// is none.
func (s *Store[K, R]) Slot(key Key[K]) *Slot[R] {
	slot := s.slots[key]
	var none R
	if slot != nil && slot.Now != none {
		slot.Now.Furnish()
	}
	return slot
}

// All yields all slots. It does not generate missing members.
func (s *Store[K, R]) All() iter.Seq2[Key[K], *Slot[R]] {
	return func(yield func(Key[K], *Slot[R]) bool) {
		for key, slot := range s.slots {
			if !yield(key, slot) {
				return
			}
		}
	}
}

// Reserve adds a slot for a record that a later write creates. The reservation
// holds the key of the record but is not one of its states.
func (s *Store[K, R]) Reserve(reservation R) {
	s.slots[reservation.Key()] = &Slot[R]{At: reservation}
}

// Release removes the slot of a record that was reserved but not created.
func (s *Store[K, R]) Release(key Key[K]) {
	var none R
	if slot := s.slots[key]; slot != nil && slot.Now == none {
		delete(s.slots, key)
	}
}

// Keep stores r as the state that writes see. Reads and lists see it after Show
// and Enlist.
func (s *Store[K, R]) Keep(r R) {
	key := r.Key()
	slot := s.slots[key]
	if slot == nil {
		slot = &Slot[R]{}
		s.slots[key] = slot
	}
	slot.At, slot.Now = r, r
}

// Show makes reads return r, unless they already return a later state.
func (s *Store[K, R]) Show(r R) {
	var none R
	if slot := s.slots[r.Key()]; slot != nil && (slot.Shown == none || slot.Shown.Revision() < r.Revision()) {
		slot.Shown = r
	}
}

// Enlist replaces the listed state of the record by r, unless a later state is
// listed already.
func (s *Store[K, R]) Enlist(r R) {
	slot := s.slots[r.Key()]
	if slot == nil || slot.listedRevision >= r.Revision() {
		return
	}
	slot.listedRevision = r.Revision()
	s.delist(slot)
	if !r.Unlisted() {
		slot.listed = r
		s.List(r.List()).add(r)
	}
}

// PutNew stores new records of one list and makes them visible at once. They
// may lack their members.
func (s *Store[K, R]) PutNew(records []R) {
	if len(records) == 0 {
		return
	}
	slots := make([]Slot[R], len(records))
	for i, r := range records {
		slots[i] = Slot[R]{At: r, Now: r, Shown: r, listed: r, listedRevision: r.Revision()}
		s.slots[r.Key()] = &slots[i]
	}
	l := s.List(records[0].List())
	l.add(records...)
	l.bare = true
}

// Forget removes a record with all its states.
func (s *Store[K, R]) Forget(key Key[K]) {
	if slot := s.slots[key]; slot != nil {
		s.delist(slot)
		delete(s.slots, key)
	}
}

func (s *Store[K, R]) delist(slot *Slot[R]) {
	var none R
	if slot.listed != none {
		s.List(slot.listed.List()).remove(slot.listed)
		slot.listed = none
	}
}

// List returns the list with the key. It creates an empty one if it is missing.
func (s *Store[K, R]) List(key Key[K]) *List[R] {
	l := s.lists[key]
	if l == nil {
		l = &List[R]{compare: s.compare, furnish: R.Furnish}
		s.lists[key] = l
	}
	return l
}
