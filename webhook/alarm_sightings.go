package webhook

import (
	"crypto/sha256"
	"sync"
	"time"
)

// maxRemembered bounds the signatures a receiver remembers, at some 150 bytes each. Only holders of a key can fill it.
const maxRemembered = 1 << 16

// digest is a SHA-256.
type digest = [sha256.Size]byte

// memory remembers with which body a signature came first, while the signature is good. When it is full it forgets
// the signature that came first.
type memory struct {
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

func newMemory(limit int) *memory {
	return &memory{limit: limit, first: make(map[digest]sighting)}
}

// remember gives the first sighting of the signature, which is this one when it is new.
func (m *memory) remember(signature string, s sighting) sighting {
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
func (m *memory) forget(now time.Time) {
	for len(m.queue) > 0 && (len(m.queue) >= m.limit || m.first[m.queue[0]].until.Before(now)) {
		delete(m.first, m.queue[0])
		m.queue = m.queue[1:]
	}
}
