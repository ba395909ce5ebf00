package webhook

import (
	"context"
	"encoding/json"
	"slices"
)

// Handler calls the handlers of [On] or [OnAny] for an event.
type Handler func(ctx context.Context, e *Event[json.RawMessage]) error

// Middleware wraps the handlers of an event. The Handler that it returns calls
// next with the same event, or skips it; a skipped event without an error
// counts as handled. Values that it adds to the context reach the handlers;
// changes to the event do not.
type Middleware func(next Handler) Handler

// WithMiddleware wraps the handlers of every event, within the request and from
// a queue; the first is the outermost. It runs once for each attempt at an
// event that has handlers, and not for one that is dropped as a duplicate or as
// an own change. Its errors and panics count as those of a handler. Repeated
// options accumulate. A nil middleware is a [ConfigError].
func WithMiddleware(middleware ...Middleware) Option {
	none := slices.ContainsFunc(middleware, func(m Middleware) bool { return m == nil })
	return setting("WithMiddleware", none, notNil, func(s *settings) { s.middleware = append(s.middleware, middleware...) })
}

// wrapped returns the handlers of a delivery, wrapped in the middleware.
func (r *Receiver) wrapped(d *delivery, todo []work) work {
	all := func(ctx context.Context) error { return run(ctx, todo) }
	if len(r.settings.middleware) == 0 {
		return all
	}
	handler := func(ctx context.Context, _ *Event[json.RawMessage]) error { return all(ctx) }
	for i := len(r.settings.middleware) - 1; i >= 0; i-- {
		handler = r.settings.middleware[i](handler)
	}
	return func(ctx context.Context) error {
		event, err := newEvent[json.RawMessage](d)
		if err != nil {
			return err
		}
		return handler(ctx, event)
	}
}
