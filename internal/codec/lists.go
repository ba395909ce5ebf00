package codec

// List reads a list, each element with read; null and {} are the nil list, []
// is an empty one.
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

// grow appends a zero element. The spare capacity of a pooled list is zero, so
// nothing has to be cleared.
func grow[T any](list *[]T) {
	if n := len(*list); n < cap(*list) {
		*list = (*list)[:n+1]
		return
	}
	var zero T
	*list = append(*list, zero)
}

// openList enters a list. It returns false if the value is null, {} or of the
// wrong type.
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

// take returns an empty list from the pool to append to. The caller then copies
// the elements to a list of the exact size. A list in use is not in r.lists, so
// lists of one type may nest.
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

// put returns an empty list to the pool, unless it is too long.
func put[T any](r *Reader, list *[]T) {
	if cap(*list) > mostKept {
		return
	}
	clear(*list)
	*list = (*list)[:0]
	r.lists = append(r.lists, list)
}

// Items iterates over the elements of a list:
//
//	for l := r.Items(); l.Next(); { read an element }
type Items struct {
	// Present reports whether there is a list, rather than null or {}.
	Present bool

	r     *Reader
	first bool
}

// Items starts reading a list. It is for lists of records without generated
// code, because [List] would be compiled for each of their types.
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
