// Package recordstore holds three states of each record: as writes see it, as
// reads return it, and as lists hold it. The latter two may lag behind, each at
// its own pace, and never go back to an earlier state.
package recordstore

import (
	"iter"
	"maps"
	"time"
)

// Key names a record, or a list, whose records have it in common.
type Key[K comparable] struct {
	Of K // the kind of record
	ID string
}

// Record is one state of something that is kept. A state never changes once it
// is kept.
type Record[K comparable] interface {
	comparable
	// Key returns the name of the record.
	Key() Key[K]
	// List returns the name of the list that holds this state.
	List() Key[K]
	// Revision returns the number of the state; later states have higher ones.
	Revision() uint64
	// Unlisted reports whether lists leave this state out.
	Unlisted() bool
	// Furnish generates the members of a state that was stored without them,
	// once.
	Furnish()
}

// Store holds records. Its zero value is not usable. The caller guards it with
// a lock.
type Store[K comparable, R Record[K]] struct {
	compare func(a, b R) int
	slots   map[Key[K]]*Slot[R]
	lists   map[Key[K]]*List[R]

	unsorted map[*List[R]]bool // records to be sorted later; nil if there are none
}

// Slot holds the states of one record. A state is the zero value as long as
// there is none.
type Slot[R any] struct {
	At    R // the latest state, or the reservation for a record that a write will make
	Now   R // state that a write sees; none until the creating write is due
	Shown R // state that a read returns

	Due time.Time // when the write that makes the record has its effect

	listed         R
	listedRevision uint64
}

// New returns an empty store whose lists are in the order of compare.
func New[K comparable, R Record[K]](compare func(a, b R) int) *Store[K, R] {
	return &Store[K, R]{compare: compare, slots: map[Key[K]]*Slot[R]{}, lists: map[Key[K]]*List[R]{}}
}

// Grow reserves room for n records.
func (s *Store[K, R]) Grow(n int) {
	slots := make(map[Key[K]]*Slot[R], len(s.slots)+n)
	maps.Copy(slots, s.slots)
	s.slots = slots
}

// Slot returns the slot of a record, or nil.
func (s *Store[K, R]) Slot(key Key[K]) *Slot[R] {
	slot := s.slots[key]
	var none R
	if slot != nil && slot.Now != none {
		slot.Now.Furnish()
	}
	return slot
}

// All yields every slot. Records may lack their members.
func (s *Store[K, R]) All() iter.Seq2[Key[K], *Slot[R]] {
	return func(yield func(Key[K], *Slot[R]) bool) {
		for key, slot := range s.slots {
			if !yield(key, slot) {
				return
			}
		}
	}
}

// Reserve keeps a slot for a record that a later write creates. The reservation
// names the record and is no state of it.
func (s *Store[K, R]) Reserve(reservation R) {
	s.slots[reservation.Key()] = &Slot[R]{At: reservation}
}

// Release drops the slot of a record that was never made.
func (s *Store[K, R]) Release(key Key[K]) {
	var none R
	if slot := s.slots[key]; slot != nil && slot.Now == none {
		delete(s.slots, key)
	}
}

// Keep makes r the state that writes see. Show and Enlist make others see it.
func (s *Store[K, R]) Keep(r R) {
	key := r.Key()
	slot := s.slots[key]
	if slot == nil {
		slot = &Slot[R]{}
		s.slots[key] = slot
	}
	slot.At, slot.Now = r, r
}

// Show makes reads answer r, unless they know a later state.
func (s *Store[K, R]) Show(r R) {
	var none R
	if slot := s.slots[r.Key()]; slot != nil && (slot.Shown == none || slot.Shown.Revision() < r.Revision()) {
		slot.Shown = r
	}
}

// Enlist makes lists hold r in the place of the state that they held, unless
// they know a later one.
func (s *Store[K, R]) Enlist(r R) {
	slot := s.slots[r.Key()]
	if slot == nil || slot.listedRevision >= r.Revision() {
		return
	}
	slot.listedRevision = r.Revision()
	s.delist(slot)
	if !r.Unlisted() {
		slot.listed = r
		s.List(r.List()).insert(r, s.unsorted)
	}
}

// PutNew stores new records of one list and shows them everywhere. It sorts the
// list once.
func (s *Store[K, R]) PutNew(records []R) {
	if len(records) == 0 {
		return
	}
	slots := make([]Slot[R], len(records))
	for i, r := range records {
		slots[i] = Slot[R]{At: r, Now: r, Shown: r, listed: r, listedRevision: r.Revision()}
		s.slots[r.Key()] = &slots[i]
	}
	s.List(records[0].List()).add(records)
}

// Forget removes a record and all its states.
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

// List returns a list, which may be empty.
func (s *Store[K, R]) List(key Key[K]) *List[R] {
	l := s.lists[key]
	if l == nil {
		l = &List[R]{compare: s.compare, furnish: R.Furnish}
		s.lists[key] = l
	}
	return l
}

// SortOnce runs fill and puts the lists that it made long in order afterwards:
// in a long list each insertion takes as long as the list.
func (s *Store[K, R]) SortOnce(fill func()) {
	s.unsorted = map[*List[R]]bool{}
	fill()
	for l := range s.unsorted {
		l.sort()
	}
	s.unsorted = nil
}
