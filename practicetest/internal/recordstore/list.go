package recordstore

import (
	"slices"
	"sort"
)

// List holds the records of one list in sorted order.
type List[R comparable] struct {
	compare func(a, b R) int
	furnish func(R)
	records []R
	added   int  // number of records at the end that are not sorted in yet
	bare    bool // some records may lack their generated members
}

// few is about the number of added records above which sorting a list again is
// faster than inserting each.
const few = 128

// All returns the records with their members. The caller must not modify the
// slice.
func (l *List[R]) All() []R {
	if l.bare {
		l.bare = false
		for _, r := range l.records {
			l.furnish(r)
		}
	}
	return l.Bare()
}

// Between returns the records that are neither before nor after a range of the
// order. It passes only a few of a long list to before and after. The caller
// must not modify the slice.
func (l *List[R]) Between(before, after func(R) bool) []R {
	all := l.All()
	all = all[sort.Search(len(all), func(i int) bool { return !before(all[i]) }):]
	return all[:sort.Search(len(all), func(i int) bool { return after(all[i]) })]
}

// Bare returns the records without generating missing members. The caller must
// not modify the slice.
func (l *List[R]) Bare() []R {
	if l.added > few {
		slices.SortFunc(l.records, l.compare)
		l.added = 0
	}
	for ; l.added > 0; l.added-- {
		next := len(l.records) - l.added
		r := l.records[next]
		at, _ := slices.BinarySearchFunc(l.records[:next], r, l.compare)
		copy(l.records[at+1:next+1], l.records[at:next])
		l.records[at] = r
	}
	return l.records
}

// add adds records. They are sorted in only when the list is read, so that a
// list is sorted once however often records are added before.
func (l *List[R]) add(records ...R) {
	l.records, l.added = append(l.records, records...), l.added+len(records)
}

func (l *List[R]) remove(r R) {
	sorted := len(l.records) - l.added
	at, found := slices.BinarySearchFunc(l.records[:sorted], r, l.compare)
	if !found {
		if at = slices.Index(l.records[sorted:], r); at < 0 {
			return
		}
		at, l.added = at+sorted, l.added-1
	}
	l.records = slices.Delete(l.records, at, at+1)
}
