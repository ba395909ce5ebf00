package nats

import (
	"context"
	"slices"

	"github.com/practicesdk/practice-go/webhook"
)

// newest holds the time of the newest event of a resource, and the events at
// that time.
type newest struct {
	At     int64    `json:"at"` // in ticks
	Events []string `json:"events"`
}

// Check implements [webhook.Sequencer].
func (s *Store) Check(ctx context.Context, p webhook.Position) (webhook.Order, error) {
	e, err := get[newest](ctx, &s.resources, p.Resource)
	if err != nil {
		return webhook.OrderNone, wrap("check the order of an event", err)
	}
	switch at := int64(p.Timestamp); {
	case e.revision == 0 || at > e.value.At:
		return webhook.OrderFresh, nil
	case at < e.value.At:
		return webhook.OrderStale, nil
	case slices.Contains(e.value.Events, p.Identity):
		return webhook.OrderDuplicate, nil
	default:
		return webhook.OrderFresh, nil
	}
}

// Advance implements [webhook.Sequencer].
func (s *Store) Advance(ctx context.Context, p webhook.Position) error {
	return wrap("remember the order of an event",
		change(ctx, &s.resources, p.Resource, func(e *entry[newest]) bool { return e.value.add(e.revision != 0, p) }))
}

// add adds an event. It returns false if the event changes nothing.
func (n *newest) add(known bool, p webhook.Position) bool {
	switch at := int64(p.Timestamp); {
	case !known || at > n.At:
		*n = newest{At: at, Events: []string{p.Identity}}
	case at < n.At || slices.Contains(n.Events, p.Identity):
		return false
	default:
		n.Events = append(n.Events[max(0, len(n.Events)-webhook.SequencerTies+1):], p.Identity)
	}
	return true
}
