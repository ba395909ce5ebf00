package otel_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/adapters/otel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench holds a Telemetry with its exported data.
type bench struct {
	*otel.Telemetry
	spans  *tracetest.SpanRecorder
	reader *metric.ManualReader
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{spans: tracetest.NewSpanRecorder(), reader: metric.NewManualReader()}
	var err error
	b.Telemetry, err = otel.New(
		otel.WithTracerProvider(trace.NewTracerProvider(trace.WithSpanProcessor(b.spans))),
		otel.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(b.reader))),
		otel.WithPropagator(propagation.TraceContext{}))
	require.NoError(t, err)
	return b
}

// metrics returns the collected metrics by name.
func (b *bench) metrics(t *testing.T) map[string]metricdata.Metrics {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, b.reader.Collect(context.Background(), &all))
	found := map[string]metricdata.Metrics{}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			found[m.Name] = m
		}
	}
	return found
}

// named returns the spans with a name, ordered by their ends.
func (b *bench) named(name string) []trace.ReadOnlySpan {
	var found []trace.ReadOnlySpan
	for _, s := range b.spans.Ended() {
		if s.Name() == name {
			found = append(found, s)
		}
	}
	return found
}

// attributes returns the attributes of a span as strings.
func attributes(s trace.ReadOnlySpan) map[string]string {
	texts := map[string]string{}
	for _, a := range s.Attributes() {
		texts[string(a.Key)] = a.Value.String()
	}
	return texts
}
