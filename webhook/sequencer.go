package webhook

import (
	"context"
	"hash/maphash"
	"slices"

	"github.com/practicesdk/practice-go/models"
)

// Sequencer reports whether a newer event of the same resource was handled
// before, because events may arrive out of order. A [Receiver] calls it with
// [WithSequencer] and stores the result in [Event.Order].
//
// Its result is advice: after Check, and before the effect of the handler,
// another goroutine or machine may handle a newer event. For safe concurrent
// use, see [Queue].
type Sequencer interface {
	// Check compares an event with the handled events of its resource. It
	// returns OrderFresh when the event is newer than all of them, when none is
	// known, or when it has the time of the newest and another identity. It
	// returns OrderStale when the event is older than the newest, and
	// OrderDuplicate when the event itself was handled and has the time of the
	// newest. It changes nothing.
	Check(ctx context.Context, p Position) (Order, error)
	// Advance records a handled event, unless it is older than the newest. Of
	// the events with the same time it remembers at least the last
	// [SequencerTies].
	Advance(ctx context.Context, p Position) error
}

// SequencerTies is the number of events with the same time that a [Sequencer]
// distinguishes.
const SequencerTies = 8

// Position is the position of an event in the history of its resource.
type Position struct {
	// Resource identifies the account, the area of the event type and the id in
	// the payload: 64 hexadecimal digits.
	Resource string
	// Timestamp is the time of the event in ticks, above zero.
	Timestamp models.Ticks
	// Identity is the identity of the event: 64 hexadecimal digits.
	Identity string
}

// Order is the result of a [Sequencer].
type Order int

// Results of a Sequencer. The zero value is OrderNone.
const (
	OrderNone      Order = iota // unknown: no Sequencer or a failed one, no id in the payload, no time, or ErrEventTime
	OrderFresh                  // no newer event of the resource was handled
	OrderStale                  // a newer event of the resource was handled
	OrderDuplicate              // this event was handled, and no newer one of the resource
)

// String returns the name of the order.
func (o Order) String() string { return nameOf(int(o), "unordered", "fresh", "stale", "duplicate") }

// newest holds the time of the newest event of a resource, and distinct hashes
// of the events at that time, in the order of their arrival.
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

// Check implements [Sequencer].
func (m *MemoryStore) Check(_ context.Context, p Position) (Order, error) {
	now, resource, event := m.now(), keyDigest(p.Resource), maphash.String(m.seed, p.Identity)
	m.resources.Lock()
	defer m.resources.Unlock()
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

// Advance implements [Sequencer].
func (m *MemoryStore) Advance(_ context.Context, p Position) error {
	now, resource, event := m.now(), keyDigest(p.Resource), maphash.String(m.seed, p.Identity)
	m.resources.Lock()
	defer m.resources.Unlock()
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
	m.resources.put(resource, n, now, m.retention)
	return nil
}
