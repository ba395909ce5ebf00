package webhook

import (
	"context"
	"encoding/json"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// DefaultOwnAge is how long after a request its echoes are known as own.
const DefaultOwnAge = 24 * time.Hour

// RequestIDVerifier recognises the RequestIds that this integration made, and tells when it made them. The signer of
// package requestid is one. It is used by many goroutines at once. Specification, General conventions.
type RequestIDVerifier interface {
	Verify(requestID string) (made time.Time, own bool)
}

// IgnoreOwn has the events dropped that this integration caused itself: those whose RequestId the verifier knows, on
// any machine that has its key. They are acknowledged, and no handler is called. An error event is never dropped: it
// says that an own write failed, and carries the own id by design. An id that is older than [WithOwnAge] no longer
// counts.
//
// The id proves where the id comes from, not the change: whoever sees an id, in a log or as a receiver of the same
// event, can put it on requests and deliveries of their own, and have their events dropped here. Therefore
// [Stats.Own] counts what is dropped and [WithOwnHook] gets it. Where a lost change matters more than an echo, leave
// this option away. For a subscription without a key the id is anybody's text. Specification, Delivery rules.
func IgnoreOwn(verifier RequestIDVerifier) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if verifier == nil {
			return &ConfigError{"IgnoreOwn", "must not be nil"}
		}
		s.own.verifier = verifier
		return nil
	})
}

// WithOwnAge sets for how long after a request [IgnoreOwn] drops its events, counted from the making of the id to the
// receipt of the delivery. It must be above 0; the default is [DefaultOwnAge].
func WithOwnAge(age time.Duration) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if age <= 0 {
			return &ConfigError{"WithOwnAge", "must be above 0"}
		}
		s.own.age = age
		return nil
	})
}

// WithOwnHook has hook called with every event that [IgnoreOwn] drops. The hook is called from many goroutines at once
// and should return quickly. A panic of it is dropped.
func WithOwnHook(hook func(context.Context, *Event[json.RawMessage])) ReceiverOption {
	return receiverOption(func(s *settings) error {
		if hook == nil {
			return &ConfigError{"WithOwnHook", "must not be nil"}
		}
		s.own.hook = hook
		return nil
	})
}

type ownRequests struct {
	verifier RequestIDVerifier // nil when own events are handled
	age      time.Duration
	hook     func(context.Context, *Event[json.RawMessage]) // may be nil
}

// caused tells whether the event is the echo of a request of this integration. The clocks of its machines may differ
// by the tolerance.
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

// dropOwn does for an echo what remains to be done. It is no news, but other events are older than it.
func (r *Receiver) dropOwn(ctx context.Context, d *delivery) {
	r.count.own.Add(1)
	ctx = context.WithoutCancel(ctx)
	r.advance(ctx, d)
	if r.settings.own.hook == nil {
		return
	}
	defer func() { _ = recover() }()
	if event, err := newEvent[json.RawMessage](d); err == nil {
		r.settings.own.hook(ctx, event)
	}
}
