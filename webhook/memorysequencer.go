package webhook

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// MemorySequencer is the [Sequencer] of one process. It does not survive the process. It never fails.
// Specification, Delivery rules.
type MemorySequencer struct {
	settings memorySettings
	seed     maphash.Seed

	mu        sync.Mutex
	resources *bounded[newest]
}

// newest is the time of the newest event of a resource, and which events were at that time: hashes that no two events
// share by chance, the one that came first first.
type newest struct {
	at     models.Ticks
	events [SequencerTies]uint64
	count  int
}

func (n *newest) has(event uint64) bool { return slices.Contains(n.events[:n.count], event) }

func (n *newest) add(event uint64) {
	if n.count == len(n.events) {
		copy(n.events[:], n.events[1:])
		n.count--
	}
	n.events[n.count] = event
	n.count++
}

// NewMemorySequencer gives an empty store. An option that cannot be used is a [ConfigError].
func NewMemorySequencer(options ...MemoryOption) (*MemorySequencer, error) {
	s, err := memorySettingsOf(options)
	if err != nil {
		return nil, err
	}
	return &MemorySequencer{settings: s, seed: maphash.MakeSeed(), resources: newBounded[newest](s.capacity)}, nil
}

// Check is as in [Sequencer].
func (m *MemorySequencer) Check(_ context.Context, p Position) (Order, error) {
	now, resource, event := m.settings.now(), keyDigest(p.Resource), maphash.String(m.seed, p.Identity)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch n, known := m.resources.get(resource, now); {
	case !known || p.Timestamp > n.at:
		return OrderFresh, nil
	case p.Timestamp < n.at:
		return OrderStale, nil
	case n.has(event):
		return OrderDuplicate, nil
	default:
		return OrderFresh, nil
	}
}

// Advance is as in [Sequencer].
func (m *MemorySequencer) Advance(_ context.Context, p Position) error {
	now, resource, event := m.settings.now(), keyDigest(p.Resource), maphash.String(m.seed, p.Identity)
	m.mu.Lock()
	defer m.mu.Unlock()
	n, known := m.resources.get(resource, now)
	if known && p.Timestamp < n.at {
		return nil
	}
	if !known || p.Timestamp > n.at {
		n = newest{at: p.Timestamp}
	}
	if !n.has(event) {
		n.add(event)
	}
	m.resources.put(resource, n, now, now.Add(m.settings.retention))
	return nil
}
