package codec

import (
	"bytes"
	"errors"
	"slices"
)

// isolation describes the isolated element that is being read.
type isolation struct {
	outer *isolation
	list  int    // position of its list
	path  string // path of its list, if it was needed
	begin int    // position of the element
	index int    // index of the element in its list
}

// Growing is a list of any element type that is filled element by element.
type Growing interface {
	// Begin sets the list to an empty list that is not nil.
	Begin()
	// Full reports whether the list has no spare capacity, and Grow adds
	// capacity for n elements.
	Full() bool
	Grow(n int)
	// Add appends a zero element and returns a pointer to it; Drop removes the
	// last element.
	Add() any
	Drop()
}

// IsolatedInto reads a list like [List], but a fault inside an element skips
// only that element, and null is a fault, because it would look like an element
// without values; see also [Blanker]. Each element has its own memory for
// strings. read decodes into a pointer. The function does not depend on the
// element type, so it is compiled only once.
func IsolatedInto(list Growing, r *Reader, read func(any, *Reader) error) error {
	if !r.openList() {
		return r.err
	}
	if r.putOff != nil {
		r.putOffList()
		return r.err
	}
	outer, shared := r.within, r.arena
	place := &isolation{outer: outer, list: r.pos - 1}
	own := &arena{size: min(len(r.data)-r.pos, firstBlock)}
	r.within, r.arena = place, own
	list.Begin()
	for first := true; r.more(']', first); first = false {
		if list.Full() {
			list.Grow(r.expect(place))
		}
		before := r.beginIsolated()
		if err := r.element(list.Add(), read); err != nil {
			if !r.skipFault(before, err) {
				return err
			}
			list.Drop()
		}
		place.index++
		own.next()
	}
	r.within, r.arena = outer, shared
	return r.err
}

// element reads one isolated element.
func (r *Reader) element(v any, read func(any, *Reader) error) error {
	at := r.pos
	if r.Null() {
		return r.reject(at, "null instead of an element")
	}
	if err := read(v, r); err != nil {
		return err
	}
	if form, ok := r.form.(Blanker); ok && r.err == nil && form.Blank(v) {
		return r.reject(at, "an object in which no known member has a value")
	}
	return r.err
}

// Isolated is [IsolatedInto] for a list of a known type. Null and {} are the
// nil list.
func Isolated[T any](dst *[]T, r *Reader, read func(*T, *Reader) error) error {
	*dst = nil
	return IsolatedInto((*typedList[T])(dst), r, func(v any, r *Reader) error { return read(v.(*T), r) })
}

type typedList[T any] []T

func (l *typedList[T]) Begin()     { *l = typedList[T]{} }
func (l *typedList[T]) Full() bool { return len(*l) == cap(*l) }
func (l *typedList[T]) Grow(n int) { *l = slices.Grow(*l, n) }

func (l *typedList[T]) Add() any {
	*l = (*l)[:len(*l)+1]
	return &(*l)[len(*l)-1]
}

func (l *typedList[T]) Drop() {
	last := len(*l) - 1
	clear((*l)[last:])
	*l = (*l)[:last]
}

// mostExpected limits the capacity that is allocated for expected elements; it
// is the size of a page.
const mostExpected = 500

// expect estimates how many elements of the list follow.
func (r *Reader) expect(place *isolation) int {
	if place.index == 0 {
		return 1
	}
	each := (r.pos-place.list)/place.index + 1
	return min((len(r.data)-r.pos)/each+1, max(place.index, mostExpected))
}

// checkpoint holds the state of the reader at the start of an isolated element.
type checkpoint struct {
	pos, depth, extra, faults, isolated int
	names                               nameSet
}

func (r *Reader) beginIsolated() checkpoint {
	r.peek()
	r.within.begin = r.pos
	r.isolated++
	return checkpoint{
		pos: r.pos, depth: r.depth, extra: len(r.extra), faults: len(r.faults), isolated: r.isolated, names: r.openNames(),
	}
}

// skipFault skips the element that begins at the checkpoint and records it as a
// fault. It returns false if the end of the element cannot be found.
func (r *Reader) skipFault(from checkpoint, fault error) bool {
	if syntax := new(SyntaxError); errors.As(fault, &syntax) {
		return false
	}
	r.err = nil
	r.pos, r.depth, r.isolated = from.pos, from.depth, from.isolated
	r.extra, r.faults = r.extra[:from.extra], r.faults[:from.faults]
	from.names.drop(r)
	r.skimming = true
	r.skip(from.pos)
	r.skimming = false
	if r.err != nil {
		return false
	}
	r.faults = append(r.faults, Fault{
		Index: from.isolated - 1, Path: r.path(from.pos), Raw: bytes.Clone(r.data[from.pos:r.pos]), Err: fault,
	})
	return true
}
