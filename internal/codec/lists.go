package codec

// List reads a list whose elements read themselves with read; null and {} are
// the nil list, [] an empty one.
func List[T any](dst *[]T, r *Reader, read func(*T, *Reader) error) error {
	*dst = nil
	if !r.openList() {
		return r.err
	}
	growing := take[T](r)
	for first := true; r.more(']', first); first = false {
		grow(growing)
		if err := read(&(*growing)[len(*growing)-1], r); err != nil {
			return err
		}
	}
	*dst = append(make([]T, 0, len(*growing)), *growing...)
	put(r, growing)
	return r.err
}

// grow adds a zero element. A list at rest is all zero, so that its room needs
// no copy of one.
func grow[T any](list *[]T) {
	if n := len(*list); n < cap(*list) {
		*list = (*list)[:n+1]
		return
	}
	var zero T
	*list = append(*list, zero)
}

// openList enters a list. It is false when the value is null, {} or of the
// wrong kind.
func (r *Reader) openList() bool {
	if r.err != nil {
		return false
	}
	if r.peek() == '[' {
		return r.enter()
	}
	if !r.absent() {
		_ = r.unexpected("not a list")
	}
	return false
}

// take returns an empty list to append to, so that each list that is kept can
// be allocated once and to measure. A list in use is not at rest in r.lists, so
// that lists of one type may nest.
func take[T any](r *Reader) *[]T {
	for i, l := range r.lists {
		if list, ok := l.(*[]T); ok {
			last := len(r.lists) - 1
			r.lists[i] = r.lists[last]
			r.lists = r.lists[:last]
			return list
		}
	}
	return new([]T)
}

// put returns an empty list to the pool, unless it has grown too long.
func put[T any](r *Reader, list *[]T) {
	if cap(*list) > mostKept {
		return
	}
	clear(*list)
	*list = (*list)[:0]
	r.lists = append(r.lists, list)
}

// Items steps through the elements of one list:
//
//	for l := r.Items(); l.Next(); { read an element }
type Items struct {
	// Present reports whether there is a list at all, rather than null or {}.
	Present bool

	r     *Reader
	first bool
}

// Items starts to read a list. It is for lists of cold records, which [List]
// would be compiled for one by one.
func (r *Reader) Items() Items {
	present := r.openList()
	return Items{Present: present, r: r, first: true}
}

// Next moves to the next element. It returns false at the end of the list and
// after an error.
func (l *Items) Next() bool {
	first := l.first
	l.first = false
	return l.Present && l.r.more(']', first)
}
