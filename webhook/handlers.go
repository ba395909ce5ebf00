package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// On registers a handler for the events of a type. Several handlers of one type
// run in the order of registration, until one fails. Handlers can be added at
// any time; deliveries that are already being handled do not use them.
//
// The context of a handler ends at the deadline of the delivery (see
// [WithDeadline]). An error or a panic leads to status 500, unless the error is
// that of [Permanent] or [RetryAfter]. A payload that cannot be decoded as P
// leads to status 400, and no handler runs; with a queue the delivery is stored
// and becomes a dead letter. A nil handler panics.
func On[P any](r *Receiver, eventType models.EventOf[P], handle func(context.Context, *Event[P]) error) {
	r.handlers.add(eventType.Type(), bind(handle))
}

// OnAny registers a handler, as [On] does, for events of types without a
// handler of [On], including unknown types. An event without a handler is
// acknowledged, because the service sends some events to subscriptions that do
// not list them.
func OnAny(r *Receiver, handle func(context.Context, *Event[json.RawMessage]) error) {
	r.handlers.add(rest, bind(handle))
}

// work calls a handler with its event.
type work func(context.Context) error

// binding decodes a delivery and returns the call of one handler.
type binding func(*delivery) (work, error)

func bind[P any](handle func(context.Context, *Event[P]) error) binding {
	if handle == nil {
		panic("webhook: the handler must not be nil")
	}
	return func(d *delivery) (work, error) {
		event, err := newEvent[P](d)
		if err != nil {
			return nil, fmt.Errorf("%w: cannot decode the payload of type %q: %w", ErrMalformed, d.notification.kind, err)
		}
		return func(ctx context.Context) error { return handle(ctx, event) }, nil
	}
}

type handlers struct {
	mu     sync.RWMutex
	byType map[models.EventType][]binding
}

// rest is the key of the handlers for all other event types. No event has an
// empty type.
const rest models.EventType = ""

func (h *handlers) add(eventType models.EventType, b binding) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byType == nil {
		h.byType = make(map[models.EventType][]binding)
	}
	h.byType[eventType] = append(h.byType[eventType], b)
}

// of returns the bindings for a type, or those for any type if it has none.
// Bindings that are added later do not change the result.
func (h *handlers) of(eventType models.EventType) []binding {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if own := h.byType[eventType]; len(own) > 0 {
		return own
	}
	return h.byType[rest]
}

// bindAll decodes the delivery for all handlers, so that none runs if decoding
// fails.
func bindAll(bindings []binding, d *delivery) ([]work, error) {
	var all []work
	for _, b := range bindings {
		w, err := b(d)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}
