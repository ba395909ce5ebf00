package webhook

import (
	"crypto/sha256"
	"sync"
	"time"
)

// maxSightings bounds the signatures that a receiver holds, at some 150 bytes
// each. Only holders of a key can fill it.
const maxSightings = 1 << 16

// sightings holds the body with which each signature came first, while the
// signature is good. When it is full it drops the signature that came first.
type sightings struct {
	mu    sync.Mutex
	first *bounded[sighting] // by the digest of the signature
}

type sighting struct {
	body digest
	seen time.Time
}

func newSightings(limit int) *sightings { return &sightings{first: newBounded[sighting](limit)} }

// firstOf returns the first sighting of the signature, which is this one when
// it is new. The signature is good for a while.
func (m *sightings) firstOf(signature string, s sighting, good time.Duration) sighting {
	key := sha256.Sum256([]byte(signature))
	m.mu.Lock()
	defer m.mu.Unlock()
	if first, known := m.first.get(key, s.seen); known {
		return first
	}
	m.first.put(key, s, s.seen, good)
	return s
}
