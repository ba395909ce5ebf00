package webhook

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// Sequencer tells whether a newer event of the same resource was handled before, because events may come in another
// order than they happened. [Receiver] asks it when it is given one, see [WithSequencer], and puts the answer into
// [Event.Order].
//
// It only advises. Between its answer and the effect of a handler another goroutine or machine may handle a newer
// event: a check is not atomic with its effect. Where order matters compare the time of the event with that of the
// record in the transaction that writes the effect.
//
// All methods may be used by many goroutines and, for a shared implementation, processes at once.
// Package webhooktest holds the tests an implementation must pass. Specification, Delivery rules.
type Sequencer interface {
	// Check tells the place of an event among those of its resource that were handled: OrderFresh when it is newer
	// than all of them or none is known, OrderStale when it is older than the newest, and at the same time as the
	// newest OrderDuplicate when an event of that identity was handled then, and OrderFresh when it was another. It
	// changes nothing. Specification, Delivery rules.
	Check(ctx context.Context, p Position) (Order, error)
	// Advance remembers that the event was handled. It never goes back: an event older than the newest changes
	// nothing. Of events at the same time it remembers at least the last [SequencerTies].
	// Specification, Delivery rules.
	Advance(ctx context.Context, p Position) error
}

// SequencerTies is how many events of one resource with the same time a [Sequencer] must tell apart.
// Specification, Delivery rules.
const SequencerTies = 8

// Position is the place of an event in the history of its resource. Specification, Notification body.
type Position struct {
	// Resource stands for the account, the area of the event type and the id of the payload: 64 hexadecimal digits.
	// Specification, Notification body.
	Resource string
	// Timestamp is when the event happened, in ticks; above zero. Specification, Notification body.
	Timestamp models.Ticks
	// Identity is the identity of the event: 64 hexadecimal digits. Specification, Delivery rules.
	Identity string
}

// Order is what a [Sequencer] advises. Specification, Delivery rules.
type Order int

// The advice of a Sequencer. The zero value is OrderNone. Specification, Delivery rules.
const (
	OrderNone      Order = iota // no advice: no Sequencer or a failed one, no id in the payload, or no time
	OrderFresh                  // no newer event of the resource was handled
	OrderStale                  // a newer event of the resource was handled
	OrderDuplicate              // this very event was handled, and no newer one of the resource
)

// String names the advice.
func (o Order) String() string {
	switch o {
	case OrderNone:
		return "unordered"
	case OrderFresh:
		return "fresh"
	case OrderStale:
		return "stale"
	case OrderDuplicate:
		return "duplicate"
	default:
		return "unknown"
	}
}

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
