package recordstore

import "slices"

// List holds the records of one list in their order.
type List[R comparable] struct {
	compare func(a, b R) int
	furnish func(R)
	records []R
	bare    bool // some may lack their members
}

// long is the number of records from which on an insertion is postponed in
// SortOnce.
const long = 256

// All returns the records, with their members. The caller must not change the
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

// Bare returns the records, which may lack their members. The caller must not
// change the slice.
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
	if !found { // the list is not in order within SortOnce
		at = slices.Index(l.records, r)
	}
	if at >= 0 {
		l.records = slices.Delete(l.records, at, at+1)
	}
}

func (l *List[R]) sort() { slices.SortFunc(l.records, l.compare) }
