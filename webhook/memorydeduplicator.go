package webhook

import (
	"context"
	"hash/maphash"
	"sync"
	"time"
)

// MemoryDeduplicator is the [Deduplicator] of one process. It does not survive the process: after a restart an event
// that comes again is handled again. It never fails. Specification, Delivery rules.
type MemoryDeduplicator struct {
	settings memorySettings
	seed     maphash.Seed

	mu     sync.Mutex
	events *bounded[holding]
}

// holding is who holds an event. Of the owner it keeps a hash that no other owner has by chance.
type holding struct {
	owner uint64
	done  bool
}

// NewMemoryDeduplicator gives an empty store. An option that cannot be used is a [ConfigError].
func NewMemoryDeduplicator(options ...MemoryOption) (*MemoryDeduplicator, error) {
	s, err := memorySettingsOf(options)
	if err != nil {
		return nil, err
	}
	return &MemoryDeduplicator{settings: s, seed: maphash.MakeSeed(), events: newBounded[holding](s.capacity)}, nil
}

// Claim is as in [Deduplicator].
func (m *MemoryDeduplicator) Claim(_ context.Context, key, owner string, lease time.Duration) (Claim, error) {
	now, event, claimant := m.settings.now(), keyDigest(key), maphash.String(m.seed, owner)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch h, known := m.events.get(event, now); {
	case known && h.done:
		return ClaimDone, nil
	case known && h.owner != claimant:
		return ClaimInProgress, nil
	}
	m.events.put(event, holding{owner: claimant}, now, now.Add(lease))
	return ClaimNew, nil
}

// Commit is as in [Deduplicator].
func (m *MemoryDeduplicator) Commit(_ context.Context, key string) error {
	now, event := m.settings.now(), keyDigest(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events.put(event, holding{done: true}, now, now.Add(m.settings.retention))
	return nil
}

// Release is as in [Deduplicator].
func (m *MemoryDeduplicator) Release(_ context.Context, key, owner string) error {
	now, event, claimant := m.settings.now(), keyDigest(key), maphash.String(m.seed, owner)
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, known := m.events.get(event, now); known && !h.done && h.owner == claimant {
		m.events.remove(event)
	}
	return nil
}
