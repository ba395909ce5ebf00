package otel

import (
	"context"
	"net/http"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	practice "github.com/practicesdk/practice-go"
)

const scope = "github.com/practicesdk/practice-go/adapters/otel"

// Telemetry reports to OpenTelemetry. It is a [practice.Tracer] for
// [practice.WithTracer]. Any number of clients and receivers may use it.
type Telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	client     clientMetrics
	receivers  receiverMetrics
}

var _ practice.Tracer = (*Telemetry)(nil)

// New returns a Telemetry for the providers of the options. A nil provider is a
// [practice.ConfigError]; other errors come from the provider of metrics.
func New(options ...Option) (*Telemetry, error) {
	s := defaultSettings()
	for _, option := range options {
		if err := option.apply(&s); err != nil {
			return nil, err
		}
	}
	meter := s.meters.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL), metric.WithInstrumentationAttributes(s.attributes...))
	client, err := newClientMetrics(meter)
	if err != nil {
		return nil, err
	}
	receivers, err := newReceiverMetrics(meter)
	if err != nil {
		return nil, err
	}
	return &Telemetry{
		tracer: s.tracers.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL),
			trace.WithInstrumentationAttributes(s.attributes...)),
		propagator: s.propagator, client: client, receivers: receivers,
	}, nil
}

// begun holds the values that Start puts into the context for End.
type begun struct {
	at time.Time
	to attribute.Set // attributes that the metrics of an attempt share with its span

	mu    sync.Mutex
	shown practice.Waits // waits of a call that already have spans
}

type begunKey struct{}

// Start implements [practice.Tracer]: it begins the span of a call or an
// attempt.
func (t *Telemetry) Start(ctx context.Context, o practice.Observation, header http.Header) context.Context {
	b := &begun{at: time.Now()}
	if o.Kind.IsAttempt() {
		b.to = destination(o)
		t.attemptWaited(ctx, o, b.at)
		ctx, _ = t.startAttempt(ctx, o, b)
	} else {
		ctx, _ = t.startCall(ctx, o, b.at)
	}
	if header != nil {
		t.propagator.Inject(ctx, propagation.HeaderCarrier(header))
	}
	return context.WithValue(ctx, begunKey{}, b)
}

// End implements [practice.Tracer]: it ends the span of a call or an attempt,
// and measures it.
func (t *Telemetry) End(ctx context.Context, o practice.Observation) {
	b, ok := ctx.Value(begunKey{}).(*begun)
	if !ok { // the context does not come from Start
		return
	}
	span := trace.SpanFromContext(ctx)
	failure := errorType(o)
	if o.Kind.IsAttempt() {
		endAttempt(span, o, failure, b.at.Add(o.Duration))
		t.client.attempt(ctx, o, failure, b.to)
		return
	}
	t.callWaited(ctx, o, b)
	endCall(span, o, failure, b.at.Add(o.Duration))
	t.client.call(ctx, o, failure)
}
