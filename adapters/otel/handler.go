package otel

import (
	"context"
	"encoding/json"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/practicesdk/practice-go/webhook"
)

// Attributes of events.
const (
	keyEventType    = attribute.Key("practice.webhook.type")
	keyEventAttempt = attribute.Key("practice.webhook.attempt")
)

// WebhookMiddleware returns a middleware for [webhook.WithMiddleware] that
// creates a span of kind consumer around the handlers of an event, such as
// "handle matter.updated", and measures their duration. Within a request the
// span is a child of the request's span. From a queue it is the root of a trace
// and linked to the delivery, if [Telemetry.WebhookPropagator] carried its
// trace.
func (t *Telemetry) WebhookMiddleware() webhook.Middleware {
	return func(next webhook.Handler) webhook.Handler {
		return func(ctx context.Context, e *webhook.Event[json.RawMessage]) (err error) {
			within, span := ctx, trace.Span(noop.Span{})
			harmless(func() { within, span = t.startHandler(ctx, e) }) //nolint:fatcontext // once
			began, failure := time.Now(), "panic"
			defer func() { // also if the handler panics or ends its goroutine
				harmless(func() { fail(span, failure); span.End() })
				harmless(func() { t.receivers.handled(within, e, time.Since(began), failure) })
			}()
			if err = next(within, e); err != nil {
				failure = "handler"
			} else {
				failure = ""
			}
			return err
		}
	}
}

// harmless recovers from a panic of an exporter, which would otherwise count as
// a panic of the handler and cause a retry.
func harmless(report func()) {
	defer func() { _ = recover() }()
	report()
}

func (t *Telemetry) startHandler(ctx context.Context, e *webhook.Event[json.RawMessage]) (context.Context, trace.Span) {
	kind := typeOf(e)
	options := []trace.SpanStartOption{
		trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(keyEventType.String(kind)),
	}
	if e.RequestID != "" {
		options = append(options, trace.WithAttributes(keyRequestID.String(e.RequestID)))
	}
	if e.Attempt > 0 {
		options = append(options, trace.WithNewRoot(), trace.WithAttributes(keyEventAttempt.Int(e.Attempt)))
		if delivery := trace.SpanContextFromContext(ctx); delivery.IsRemote() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: delivery}))
		}
	}
	return t.tracer.Start(ctx, "handle "+kind, options...)
}

// typeOf returns a documented event type, or one common name for all others,
// because senders can choose arbitrary ones.
func typeOf(e *webhook.Event[json.RawMessage]) string {
	if e.Type.IsDocumented() {
		return string(e.Type)
	}
	return "_OTHER"
}

func (m *receiverMetrics) handled(ctx context.Context, e *webhook.Event[json.RawMessage], took time.Duration, failure string) {
	attributes := []attribute.KeyValue{keyEventType.String(typeOf(e))}
	if failure != "" {
		attributes = append(attributes, semconv.ErrorTypeKey.String(failure))
	}
	m.duration.Record(ctx, took.Seconds(), metric.WithAttributes(attributes...))
}

// WebhookPropagator returns a propagator for [webhook.WithPropagator] that
// carries the trace of a delivery through the queue.
func (t *Telemetry) WebhookPropagator() webhook.Propagator { return propagator{t.propagator} }

type propagator struct{ propagation.TextMapPropagator }

func (p propagator) Inject(ctx context.Context) map[string]string {
	carrier := propagation.MapCarrier{}
	p.TextMapPropagator.Inject(ctx, carrier)
	if len(carrier) == 0 {
		return nil
	}
	return carrier
}

func (p propagator) Extract(ctx context.Context, carried map[string]string) context.Context {
	return p.TextMapPropagator.Extract(ctx, propagation.MapCarrier(carried))
}
