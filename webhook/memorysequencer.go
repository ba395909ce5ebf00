package webhook

import (
	"context"
	"slices"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// MemorySequencer is the [Sequencer] of one process. It does not survive the process. It never fails.
// Specification, Delivery rules.
type MemorySequencer struct {
	settings memorySettings

	mu        sync.Mutex
	resources *bounded[newest]
}

// newest is the time of the newest event of a resource, and which events were at that time.
type newest struct {
	at     models.Ticks
	events []string
}

// NewMemorySequencer gives an empty store. An option that cannot be used is a [ConfigError].
func NewMemorySequencer(options ...MemoryOption) (*MemorySequencer, error) {
	s, err := memorySettingsOf(options)
	if err != nil {
		return nil, err
	}
	return &MemorySequencer{settings: s, resources: newBounded[newest](s.capacity)}, nil
}

// Check is as in [Sequencer].
func (m *MemorySequencer) Check(_ context.Context, p Position) (Order, error) {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n, known := m.resources.get(p.Resource, now); {
	case !known || p.Timestamp > n.at:
		return OrderFresh, nil
	case p.Timestamp < n.at:
		return OrderStale, nil
	case slices.Contains(n.events, p.Identity):
		return OrderDuplicate, nil
	default:
		return OrderFresh, nil
	}
}

// Advance is as in [Sequencer].
func (m *MemorySequencer) Advance(_ context.Context, p Position) error {
	now := m.settings.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	n, known := m.resources.get(p.Resource, now)
	switch {
	case !known || p.Timestamp > n.at:
		n = newest{at: p.Timestamp, events: []string{p.Identity}}
	case p.Timestamp < n.at:
		return nil
	case !slices.Contains(n.events, p.Identity):
		n.events = append(n.events[max(0, len(n.events)-SequencerTies+1):], p.Identity)
	}
	m.resources.put(p.Resource, n, now, now.Add(m.settings.retention))
	return nil
}
