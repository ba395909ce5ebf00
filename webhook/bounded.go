package webhook

import "time"

// bounded is a map that forgets: an entry when its time is over, and when it is full the one that was put longest ago.
// It does not lock.
type bounded[V any] struct {
	limit   int
	entries map[string]*entry[V]
	ends    entry[V] // its next is the entry that was put longest ago, its previous the latest one
}

type entry[V any] struct {
	key            string
	value          V
	until          time.Time
	previous, next *entry[V]
}

func newBounded[V any](limit int) *bounded[V] {
	b := &bounded[V]{limit: limit, entries: make(map[string]*entry[V])}
	b.ends.previous, b.ends.next = &b.ends, &b.ends
	return b
}

// get gives the value of a key, and whether there is one whose time is not over.
func (b *bounded[V]) get(key string, now time.Time) (value V, known bool) {
	if e := b.entries[key]; e != nil && now.Before(e.until) {
		return e.value, true
	}
	return value, false
}

// put makes this the latest entry, and makes room for it.
func (b *bounded[V]) put(key string, value V, now, until time.Time) {
	b.remove(key)
	for first := b.ends.next; first != &b.ends && (len(b.entries) >= b.limit || !now.Before(first.until)); first = b.ends.next {
		b.remove(first.key)
	}
	last := b.ends.previous
	e := &entry[V]{key: key, value: value, until: until, previous: last, next: &b.ends}
	last.next, b.ends.previous = e, e
	b.entries[key] = e
}

// update changes the value of a key that is known and leaves its place and its time as they are.
func (b *bounded[V]) update(key string, value V) {
	if e := b.entries[key]; e != nil {
		e.value = value
	}
}

func (b *bounded[V]) remove(key string) {
	e := b.entries[key]
	if e == nil {
		return
	}
	e.previous.next, e.next.previous = e.next, e.previous
	delete(b.entries, key)
}
