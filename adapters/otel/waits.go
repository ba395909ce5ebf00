package otel

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	practice "github.com/practicesdk/practice-go"
)

const keyWait = attribute.Key("practice.wait")

// shortestWait is the shortest wait that gets a span: even passing without a
// wait takes some time.
const shortestWait = time.Millisecond

// wait is one of the three waits of a call, in the order of an attempt.
type wait struct {
	name string
	of   func(*practice.Waits) *time.Duration
}

func waits() [3]wait {
	return [...]wait{
		{"retry", func(w *practice.Waits) *time.Duration { return &w.Retry }},
		{"rate_limit", func(w *practice.Waits) *time.Duration { return &w.RateLimit }},
		{"token", func(w *practice.Waits) *time.Duration { return &w.Token }},
	}
}

// attemptWaited adds spans for the waits before an attempt, the last of which
// has just ended. They are children of the call's span, like the spans of
// attempts.
func (t *Telemetry) attemptWaited(call context.Context, o practice.Observation, until time.Time) {
	t.showWaits(call, o, o.Waits, until)
	if b, ok := call.Value(begunKey{}).(*begun); ok {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, w := range waits() {
			*w.of(&b.shown) += *w.of(&o.Waits)
		}
	}
}

// callWaited adds spans for waits that no attempt followed.
func (t *Telemetry) callWaited(call context.Context, o practice.Observation, b *begun) {
	if isWhole(o) { // the waits belong to its calls
		return
	}
	b.mu.Lock()
	left := o.Waits
	for _, w := range waits() {
		*w.of(&left) -= *w.of(&b.shown)
	}
	b.mu.Unlock()
	t.showWaits(call, o, left, b.at.Add(o.Duration))
}

func (t *Telemetry) showWaits(call context.Context, o practice.Observation, waited practice.Waits, until time.Time) {
	at := until.Add(-waited.Retry - waited.RateLimit - waited.Token)
	for _, w := range waits() {
		length := *w.of(&waited)
		if length >= shortestWait {
			_, span := t.tracer.Start(call, "wait "+w.name, trace.WithTimestamp(at),
				trace.WithAttributes(append(common(o), keyWait.String(w.name))...))
			span.End(trace.WithTimestamp(at.Add(length)))
		}
		at = at.Add(length)
	}
}

// isWhole reports whether a method makes several calls.
func isWhole(o practice.Observation) bool { return !o.Kind.IsAttempt() && o.Method == "" }
