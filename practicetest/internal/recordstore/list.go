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
	bare    bool // some records may lack their generated members
}

// long is the length from which SortOnce postpones sorting.
const long = 256

// All returns the records with their members. The caller must not modify the
// slice.
func (l *List[R]) All() []R {
	if l.bare {
		l.bare = false
		for _, r := range l.records {
			l.furnish(r)
		}
	}
	return l.records
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
func (l *List[R]) Bare() []R { return l.records }

func (l *List[R]) add(records []R) {
	l.records, l.bare = append(l.records, records...), true
	if !slices.IsSortedFunc(l.records, l.compare) {
		l.sort()
	}
}

func (l *List[R]) insert(r R, unsorted map[*List[R]]bool) {
	if unsorted != nil && len(l.records) >= long {
		unsorted[l], l.records = true, append(l.records, r)
		return
	}
	at, _ := slices.BinarySearchFunc(l.records, r, l.compare)
	l.records = slices.Insert(l.records, at, r)
}

func (l *List[R]) remove(r R) {
	at, found := slices.BinarySearchFunc(l.records, r, l.compare)
	if !found { // the list may be unsorted within SortOnce
		at = slices.Index(l.records, r)
	}
	if at >= 0 {
		l.records = slices.Delete(l.records, at, at+1)
	}
}

func (l *List[R]) sort() { slices.SortFunc(l.records, l.compare) }
