package webhook

import "context"

// Propagator carries context values, such as a trace, from a delivery through
// the queue to its handlers. It must be safe for concurrent use.
type Propagator interface {
	// Inject returns the values of ctx to be stored; nil for none.
	Inject(ctx context.Context) map[string]string
	// Extract returns ctx with the values that Inject returned, possibly in
	// another process.
	Extract(ctx context.Context, carried map[string]string) context.Context
}

// WithPropagator sets the context values that are carried through the queue to
// the handlers and their middleware. It is not used within a request, because
// there the handlers get the context of the request.
func WithPropagator(propagator Propagator) Option {
	return setting("WithPropagator", propagator == nil, notNil, func(s *settings) { s.propagator = propagator })
}

// inject returns the carried values, or nil if the propagator panics.
func (r *Receiver) inject(ctx context.Context, d *delivery) (carried map[string]string) {
	if r.settings.propagator == nil {
		return nil
	}
	err := protect(func() error { carried = r.settings.propagator.Inject(ctx); return nil })
	r.report(ctx, d, 0, storeError("propagator", err))
	return carried
}

// extract returns the context for the handlers, or ctx if the propagator
// panics.
func (r *Receiver) extract(ctx context.Context, d *delivery, carried map[string]string) context.Context {
	if r.settings.propagator == nil || len(carried) == 0 {
		return ctx
	}
	extracted := ctx
	err := protect(func() error { extracted = r.settings.propagator.Extract(ctx, carried); return nil }) //nolint:fatcontext // once
	r.report(ctx, d, 0, storeError("propagator", err))
	return extracted
}
