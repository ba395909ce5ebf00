package webhook

import (
	"crypto/sha256"
	"sync"
	"time"
)

// maxSightings bounds the signatures that a receiver holds, at some 150 bytes
// each. Only holders of a key can fill it.
const maxSightings = 1 << 16

// digest is a SHA-256.
type digest = [sha256.Size]byte

// sightings holds with which body a signature came first, while the signature
// is good. When it is full it drops the signature that came first.
type sightings struct {
	limit int

	mu    sync.Mutex
	first map[digest]sighting // by the digest of the signature
	queue []digest            // of those in first, in the order they came
}

type sighting struct {
	body  digest
	seen  time.Time
	until time.Time // from then on the signature is too old
}

func newSightings(limit int) *sightings {
	return &sightings{limit: limit, first: make(map[digest]sighting)}
}

// firstOf gives the first sighting of the signature, which is this one when it
// is new.
func (m *sightings) firstOf(signature string, s sighting) sighting {
	key := sha256.Sum256([]byte(signature))
	m.mu.Lock()
	defer m.mu.Unlock()
	if first, known := m.first[key]; known {
		return first
	}
	m.forget(s.seen)
	m.first[key] = s
	m.queue = append(m.queue, key)
	return s
}

// forget makes room, and drops what is too old to come again.
func (m *sightings) forget(now time.Time) {
	for len(m.queue) > 0 && (len(m.queue) >= m.limit || m.first[m.queue[0]].until.Before(now)) {
		delete(m.first, m.queue[0])
		m.queue = m.queue[1:]
	}
}
