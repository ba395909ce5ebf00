package webhook

import (
	"context"
	"encoding/json"
	"slices"
)

// Handler handles an event with its handlers of [On] or [OnAny].
type Handler func(ctx context.Context, e *Event[json.RawMessage]) error

// Middleware wraps the handlers of an event. The handler that it returns calls
// next with the same event, or does not call it: the event then counts as
// handled unless there is an error. Values that it puts into the context reach
// the handlers; changes of the event do not.
type Middleware func(next Handler) Handler

// WithMiddleware wraps the handlers of every event, within the request and from
// a queue; the first is the outermost. It runs once for each attempt at an
// event that has handlers, and not for one that is dropped as a duplicate or as
// an own change. Its errors and panics are those of a handler. Given again, it
// adds to what it was given. A nil middleware is a [ConfigError].
func WithMiddleware(middleware ...Middleware) ReceiverOption {
	none := slices.ContainsFunc(middleware, func(m Middleware) bool { return m == nil })
	return setting("WithMiddleware", none, notNil, func(s *settings) { s.middleware = append(s.middleware, middleware...) })
}

// wrapped returns the handlers of a delivery within the middleware.
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
		event.Order = d.order
		return handler(ctx, event)
	}
}
