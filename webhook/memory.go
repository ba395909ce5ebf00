package webhook

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
	"math"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// MemoryStore is the [Deduplicator] and [TrackerStore] of one process. It
// returns no errors of its own. It does not survive the process: for writes
// that were registered before a restart it returns [ErrNotTracked].
type MemoryStore struct {
	retention time.Duration
	now       func() time.Time
	seed      maphash.Seed

	events *bounded[holding]
	writes *bounded[*WriteError]
}

// NewMemoryStore returns an empty store. An invalid option is a [ConfigError].
func NewMemoryStore(options ...Option) (*MemoryStore, error) {
	s, err := settingsOf(ofMemory, options)
	if err != nil {
		return nil, err
	}
	return &MemoryStore{
		retention: s.retention, now: s.now, seed: maphash.MakeSeed(),
		events: newBounded[holding](s.capacity), writes: newBounded[*WriteError](s.capacity),
	}, nil
}

// Defaults of [NewMemoryStore].
const (
	DefaultCapacity  = 1 << 17        // entries of each kind; an entry takes up to 200 bytes plus the strings of a [WriteError]
	DefaultRetention = 24 * time.Hour // time for which an entry is kept
)

// WithCapacity sets the maximum number of events and of writes in a memory
// store. A full store forgets the oldest ones. The number must be greater than
// 0 and below 2147483647; the default is [DefaultCapacity].
func WithCapacity(entries int) Option {
	bad := entries <= 0 || entries >= math.MaxInt32
	return settingFor(ofMemory, "WithCapacity", bad, "must be greater than 0 and less than 2147483647", func(s *settings) { s.capacity = entries })
}

// WithRetention sets how long a memory store keeps an entry. It must be
// greater than 0; the default is [DefaultRetention].
func WithRetention(retention time.Duration) Option {
	return settingFor(ofMemory, "WithRetention", retention <= 0, aboveZero, func(s *settings) { s.retention = retention })
}

// digest is a SHA-256.
type digest = [sha256.Size]byte

// bounded is a map whose entries expire, and that evicts the oldest entry when
// it is full. Callers must hold its lock. Entries are in one slice and linked
// by index, so that the garbage collector has no pointers to follow.
type bounded[V any] struct {
	sync.Mutex
	limit   int
	began   time.Time // time of the first put; entries store durations since then, so that setting the clock expires none
	places  map[digest]int32
	entries []entry[V] // entry 0 is a sentinel: its next is the oldest entry, its previous the latest
	free    int32      // index of the first free entry, linked through next; 0 if there is none
}

type entry[V any] struct {
	key            digest
	value          V
	until          time.Duration
	previous, next int32
}

func newBounded[V any](limit int) *bounded[V] {
	return &bounded[V]{limit: limit, places: make(map[digest]int32), entries: make([]entry[V], 1)}
}

// keyDigest returns the bytes of a hexadecimal key, or the SHA-256 of a text.
func keyDigest(key string) (d digest) {
	if len(key) == hex.EncodedLen(len(d)) {
		if n, err := hex.Decode(d[:], []byte(key)); err == nil && n == len(d) {
			return d
		}
	}
	return sha256.Sum256([]byte(key))
}

// get returns the value of a key and reports whether the key is present.
func (b *bounded[V]) get(key digest, now time.Time) (value V, known bool) {
	if place := b.places[key]; place != 0 && now.Sub(b.began) < b.entries[place].until {
		return b.entries[place].value, true
	}
	return value, false
}

// put stores a value as the latest entry, valid for the duration lasts, and
// evicts old entries to make room.
func (b *bounded[V]) put(key digest, value V, now time.Time, lasts time.Duration) {
	if b.began.IsZero() {
		b.began = now
	}
	place := b.places[key]
	if place != 0 {
		b.unlink(place)
	}
	passed := now.Sub(b.began)
	for first := b.entries[0].next; first != 0; first = b.entries[0].next {
		if (place != 0 || len(b.places) < b.limit) && passed < b.entries[first].until {
			break
		}
		b.remove(b.entries[first].key)
	}
	if place == 0 {
		place = b.place()
		b.places[key] = place
	}
	last := b.entries[0].previous
	b.entries[place] = entry[V]{key: key, value: value, until: backoff.SaturatingAdd(passed, lasts), previous: last}
	b.entries[last].next, b.entries[0].previous = place, place
}

// place returns a free index of entries.
func (b *bounded[V]) place() int32 {
	place := b.free
	if place == 0 {
		b.entries = append(b.entries, entry[V]{})
		return int32(len(b.entries) - 1)
	}
	b.free = b.entries[place].next
	return place
}

// update replaces the value of an existing key without changing its position or
// expiry.
func (b *bounded[V]) update(key digest, value V) {
	if place := b.places[key]; place != 0 {
		b.entries[place].value = value
	}
}

func (b *bounded[V]) remove(key digest) {
	place := b.places[key]
	if place == 0 {
		return
	}
	b.unlink(place)
	b.entries[place] = entry[V]{next: b.free}
	b.free = place
	delete(b.places, key)
}

func (b *bounded[V]) unlink(place int32) {
	e := b.entries[place]
	b.entries[e.previous].next, b.entries[e.next].previous = e.next, e.previous
}
