package webhook

import "context"

// Propagator carries values of the context of a delivery through the queue to
// its handlers, such as its trace. Many goroutines call it at once.
type Propagator interface {
	// Inject returns the values of ctx as text, to be stored; nil for none.
	Inject(ctx context.Context) map[string]string
	// Extract returns ctx with values that Inject returned, in any process.
	Extract(ctx context.Context, carried map[string]string) context.Context
}

// WithPropagator sets what is carried from the context of a delivery to that of
// its handlers and their middleware, when the delivery comes from a queue.
// Within the request they have the context of the request anyway.
func WithPropagator(propagator Propagator) ReceiverOption {
	return setting("WithPropagator", propagator == nil, notNil, func(s *settings) { s.propagator = propagator })
}

// inject returns the carried values; none if the propagator panics.
func (r *Receiver) inject(ctx context.Context, d *delivery) (carried map[string]string) {
	if r.settings.propagator == nil {
		return nil
	}
	err := protect(func() error { carried = r.settings.propagator.Inject(ctx); return nil })
	r.report(ctx, d, 0, storeError("propagator", err))
	return carried
}

// extract returns the context of the handlers; ctx if the propagator panics.
func (r *Receiver) extract(ctx context.Context, d *delivery, carried map[string]string) context.Context {
	if r.settings.propagator == nil || len(carried) == 0 {
		return ctx
	}
	extracted := ctx
	err := protect(func() error { extracted = r.settings.propagator.Extract(ctx, carried); return nil }) //nolint:fatcontext // once
	r.report(ctx, d, 0, storeError("propagator", err))
	return extracted
}
