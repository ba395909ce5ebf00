package recordstore

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// state is a state of a note, which is in a folder.
type state struct {
	id, folder string
	revision   uint64
	removed    bool
	place      int
	furnished  bool
}

func (s *state) Key() Key[string]  { return Key[string]{"note", s.id} }
func (s *state) List() Key[string] { return Key[string]{"note", s.folder} }
func (s *state) Revision() uint64  { return s.revision }
func (s *state) Unlisted() bool    { return s.removed }
func (s *state) Furnish()          { s.furnished = true }

func newStore() *Store[string, *state] {
	return New[string](func(a, b *state) int { return cmp.Compare(a.place, b.place) })
}

func folder(s *Store[string, *state], id string) []*state {
	return s.List(Key[string]{"note", id}).Bare()
}

// TestNeitherReadsNorListsGoBack checks that, in whatever order reads and lists
// receive the states of a record, neither returns to an earlier one, and that a
// list contains a record at most once.
func TestNeitherReadsNorListsGoBack(t *testing.T) {
	t.Parallel()
	for removed := range 8 { // bit i: lists omit state i
		for moved := range 8 { // bit i: state i is in the other folder
			states := make([]*state, 3)
			for i := range states {
				states[i] = &state{id: "a", folder: []string{"one", "two"}[moved>>i&1], revision: uint64(i + 1), removed: removed>>i&1 == 1}
			}
			permute([]int{0, 1, 2, 3, 4, 5}, func(order []int) {
				s := newStore()
				for _, one := range states {
					s.Keep(one)
				}
				var shown, listed *state
				for _, step := range order {
					if r := states[step%3]; step < 3 {
						s.Show(r)
						shown = later(shown, r)
					} else {
						s.Enlist(r)
						listed = later(listed, r)
					}
					var want []*state
					if listed != nil && !listed.removed {
						want = []*state{listed}
					}
					require.Equal(t, want, slices.Concat(folder(s, "one"), folder(s, "two")), "lists after %v", order)
					require.Same(t, cmp.Or(shown, states[0]), cmp.Or(s.Slot(states[0].Key()).Shown, states[0]), "reads after %v", order)
				}
				require.Same(t, states[2], s.Slot(states[0].Key()).Now)
			})
		}
	}
}

func later(a, b *state) *state {
	if a == nil || b.revision > a.revision {
		return b
	}
	return a
}

// permute calls visit with each permutation of steps.
func permute(steps []int, visit func([]int)) {
	var swap func(int)
	swap = func(from int) {
		if from == len(steps) {
			visit(steps)
			return
		}
		for i := from; i < len(steps); i++ {
			steps[from], steps[i] = steps[i], steps[from]
			swap(from + 1)
			steps[from], steps[i] = steps[i], steps[from]
		}
	}
	swap(0)
}

func TestAReservedRecordIsNotThereBeforeItIsMade(t *testing.T) {
	t.Parallel()
	s, planned := newStore(), &state{id: "a", folder: "one"}
	s.Reserve(planned)
	slot := s.Slot(planned.Key())
	require.NotNil(t, slot)
	assert.Nil(t, slot.Now)
	assert.Same(t, planned, slot.At)
	assert.False(t, planned.furnished, "a reservation has no members")

	s.Release(planned.Key())
	assert.Nil(t, s.Slot(planned.Key()))

	s.Reserve(planned)
	made := &state{id: "a", folder: "one", revision: 1}
	s.Keep(made)
	s.Release(planned.Key())
	require.NotNil(t, s.Slot(made.Key()), "a record that was made is not released")
	assert.Same(t, made, s.Slot(made.Key()).At)
}

func TestMembersAreMadeUpWhenTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	s, a, b := newStore(), &state{id: "a", revision: 1}, &state{id: "b", revision: 1, place: 1}
	s.PutNew([]*state{b, a})
	assert.Equal(t, []*state{a, b}, folder(s, ""), "in order")
	assert.Len(t, maps.Collect(s.All()), 2)
	assert.False(t, a.furnished || b.furnished)
	s.Slot(a.Key())
	assert.True(t, a.furnished)
	assert.False(t, b.furnished)
	s.List(a.List()).All()
	assert.True(t, b.furnished)
}

func TestForgetLeavesNoTrace(t *testing.T) {
	t.Parallel()
	s, a := newStore(), &state{id: "a", revision: 1}
	s.PutNew([]*state{a})
	s.Forget(a.Key())
	assert.Nil(t, s.Slot(a.Key()))
	assert.Empty(t, folder(s, ""))
	s.Show(a)
	s.Enlist(a)
	assert.Empty(t, folder(s, ""), "a record that is gone is not shown any more")
}

func TestALongListIsSortedOnceWhenItIsRead(t *testing.T) {
	t.Parallel()
	compared := 0
	s := New[string](func(a, b *state) int { compared++; return cmp.Compare(a.place, b.place) })
	const n = 8 * few
	for from := 0; from < n; from += 2 * few {
		part := make([]*state, 2*few)
		for i := range part {
			part[i] = &state{id: strconv.Itoa(from + i), place: (from + i) * 7919 % n, revision: 1}
		}
		s.PutNew(part)
		s.Forget(part[few].Key()) // removing also works while the list is unsorted
	}
	all := folder(s, "")
	assert.Len(t, all, n-n/(2*few))
	assert.True(t, slices.IsSortedFunc(all, func(a, b *state) int { return cmp.Compare(a.place, b.place) }))
	assert.Less(t, compared, 2*10*n, "about n log n")

	for _, more := range []int{1, few} { // of which each finds its place
		before := compared
		for i := range more {
			s.PutNew([]*state{{id: strconv.Itoa(n * (more + i)), place: 37 * (i + 1) % n, revision: 1}})
		}
		all = folder(s, "")
		assert.True(t, slices.IsSortedFunc(all, func(a, b *state) int { return cmp.Compare(a.place, b.place) }))
		assert.Less(t, compared-before, 12*more)
	}
}

func TestAPartOfALongListIsFoundByAFewRecords(t *testing.T) {
	t.Parallel()
	s, all, looks := newStore(), make([]*state, 1000), 0
	for i := range all {
		all[i] = &state{id: strconv.Itoa(i), place: i, revision: 1}
	}
	s.PutNew(all)
	compared := func(by func(r *state) bool) func(*state) bool {
		return func(r *state) bool { looks++; return by(r) }
	}
	found := s.List(all[0].List()).Between(
		compared(func(r *state) bool { return r.place < 400 }), compared(func(r *state) bool { return r.place > 700 }))
	assert.Equal(t, all[400:701], found)
	assert.LessOrEqual(t, looks, 2*10)
}
