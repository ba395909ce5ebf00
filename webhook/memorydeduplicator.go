package webhook

import (
	"context"
	"sync"
	"time"
)

// MemoryDeduplicator is the [Deduplicator] of one process. It does not survive the process: after a restart an event
// that comes again is handled again. It never fails. Specification, Delivery rules.
type MemoryDeduplicator struct {
	settings memorySettings

	mu     sync.Mutex
	events *bounded[holding]
}

// holding is who holds an event; done when it is nobody.
type holding struct{ owner string }

// NewMemoryDeduplicator gives an empty store. An option that cannot be used is a [ConfigError].
func NewMemoryDeduplicator(options ...MemoryOption) (*MemoryDeduplicator, error) {
	s, err := memorySettingsOf(options)
	if err != nil {
		return nil, err
	}
	return &MemoryDeduplicator{settings: s, events: newBounded[holding](s.capacity)}, nil
}

// Claim is as in [Deduplicator].
func (m *MemoryDeduplicator) Claim(_ context.Context, key, owner string, lease time.Duration) (Claim, error) {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, known := m.events.get(key, now); known && h.owner != owner {
		if h.owner == "" {
			return ClaimDone, nil
		}
		return ClaimInProgress, nil
	}
	m.events.put(key, holding{owner}, now, now.Add(lease))
	return ClaimNew, nil
}

// Commit is as in [Deduplicator].
func (m *MemoryDeduplicator) Commit(_ context.Context, key string) error {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events.put(key, holding{}, now, now.Add(m.settings.retention))
	return nil
}

// Release is as in [Deduplicator].
func (m *MemoryDeduplicator) Release(_ context.Context, key, owner string) error {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, known := m.events.get(key, now); known && h.owner == owner && owner != "" {
		m.events.remove(key)
	}
	return nil
}
