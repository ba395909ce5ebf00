package webhook

import (
	"context"
	"encoding/json"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// DefaultOwnAge is the default of [WithOwnAge].
const DefaultOwnAge = 24 * time.Hour

// RequestIDVerifier recognises the RequestIds of this integration and returns
// when they were made; it is called concurrently. Package requestid has one.
type RequestIDVerifier interface {
	Verify(requestID string) (made time.Time, own bool)
}

// IgnoreOwn drops the events that this integration caused: those whose
// RequestId the verifier recognises, on any machine with its key. They are
// acknowledged and no handler runs. An error event is never dropped, because it
// reports a failed write of this integration. An id older than [WithOwnAge] is
// not recognised.
//
// An id proves its origin, not that of the change. Anyone who sees an id, in a
// log or as a receiver of the same event, can put it on other requests and
// deliveries, whose events are then dropped. [Stats.Own] counts the dropped
// events and [WithOwnHook] receives them. Do not use this option when a lost
// change matters more than an echo. For a subscription without a key, anyone
// can choose the id.
func IgnoreOwn(verifier RequestIDVerifier) ReceiverOption {
	return setting("IgnoreOwn", verifier == nil, notNil, func(s *settings) { s.own.verifier = verifier })
}

// WithOwnAge sets how long [IgnoreOwn] recognises an id, from its making to the
// receipt of the delivery. It must be above 0; the default is [DefaultOwnAge].
func WithOwnAge(age time.Duration) ReceiverOption {
	return setting("WithOwnAge", age <= 0, aboveZero, func(s *settings) { s.own.age = age })
}

// WithOwnHook calls hook, as that of [WithErrorHook], with each dropped event.
func WithOwnHook(hook func(context.Context, *Event[json.RawMessage])) ReceiverOption {
	return setting("WithOwnHook", hook == nil, notNil, func(s *settings) { s.own.hook = hook })
}

type ownRequests struct {
	verifier RequestIDVerifier // nil when own events are handled
	age      time.Duration
	hook     func(context.Context, *Event[json.RawMessage]) // may be nil
}

// caused reports whether the event is the echo of a request of this
// integration. The clocks of its machines may differ by the tolerance.
func (o *ownRequests) caused(d *delivery, tolerance time.Duration) bool {
	if o.verifier == nil || d.notification.kind == models.EventTypeError.Type() {
		return false
	}
	requestID := d.requestID
	if d.verified.Signed() {
		requestID = d.verified.RequestID // never that of the body
	}
	made, own := o.verifier.Verify(requestID)
	age := d.received.Sub(made)
	return own && age <= o.age && age >= -tolerance
}

// dropOwn counts an own event and calls the hook. No handler has seen the
// event, so it does not advance the order.
func (r *Receiver) dropOwn(ctx context.Context, d *delivery, t *task) error {
	if r.settings.own.hook != nil {
		join, err := t.begin(ctx)
		if err != nil {
			return err
		}
		defer join()
	}
	r.count.own.Add(1)
	if r.settings.own.hook == nil {
		return nil
	}
	defer func() { _ = recover() }()
	if event, err := newEvent[json.RawMessage](d); err == nil {
		r.settings.own.hook(context.WithoutCancel(ctx), event)
	}
	return nil
}
