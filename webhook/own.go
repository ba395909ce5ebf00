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
// when they were created. It must be safe for concurrent use. Package requestid
// has an implementation.
type RequestIDVerifier interface {
	Verify(requestID string) (made time.Time, own bool)
}

// IgnoreOwn drops the events that this integration caused: those whose
// RequestId the verifier recognises, on any machine that has its key. The
// events are acknowledged and no handler runs. An error event is never dropped,
// because it reports a failed write of this integration. An id older than
// [WithOwnAge] is not recognised.
//
// An id proves who created it, not who made the change. Anyone who sees an id,
// in a log or as a receiver of the same event, can use it in other requests and
// deliveries, whose events are then dropped. [Stats.Own] counts the dropped
// events and [WithOwnHook] receives them. Do not use this option if a lost
// change matters more than an echo. For a subscription without a key, anyone
// can choose the id.
func IgnoreOwn(verifier RequestIDVerifier) Option {
	return setting("IgnoreOwn", verifier == nil, notNil, func(s *settings) { s.own.verifier = verifier })
}

// WithOwnAge sets how long [IgnoreOwn] recognises an id, from its creation to
// the receipt of the delivery. It must be greater than 0; the default is
// [DefaultOwnAge].
func WithOwnAge(age time.Duration) Option {
	return setting("WithOwnAge", age <= 0, aboveZero, func(s *settings) { s.own.age = age })
}

// WithOwnHook calls hook, under the rules of [WithErrorHook], with each dropped
// event.
func WithOwnHook(hook func(context.Context, *Event[json.RawMessage])) Option {
	return setting("WithOwnHook", hook == nil, notNil, func(s *settings) { s.own.hook = hook })
}

type ownRequests struct {
	verifier RequestIDVerifier // nil if own events are handled
	age      time.Duration
	hook     func(context.Context, *Event[json.RawMessage]) // called for each own event; nil: none
}

// caused reports whether a request of this integration caused the event. It
// allows for clocks that differ by the tolerance.
func (o *ownRequests) caused(d *delivery, tolerance time.Duration) bool {
	if o.verifier == nil || d.notification.kind == models.EventTypeError.Type() {
		return false
	}
	requestID := d.requestID
	if d.verified.Signed() {
		requestID = d.verified.RequestID // the RequestId in the body is not signed
	}
	made, own := o.verifier.Verify(requestID)
	age := d.received.Sub(made)
	return own && age <= o.age && age >= -tolerance
}

// dropOwn counts an own event and calls the hook.
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
