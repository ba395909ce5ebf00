package otel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	oteltrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/practicesdk/practice-go/adapters/otel"
	"github.com/practicesdk/practice-go/webhook"
)

const (
	clientID = "client0001"
	key      = "k-0123456789"
)

// deliver sends a signed event of a type, with a send time in the past.
func deliver(t *testing.T, receiver http.Handler, requestID, body string, ago time.Duration) int {
	t.Helper()
	signer, err := webhook.NewSigner(clientID, key)
	require.NoError(t, err)
	req := httptest.NewRequest(http.MethodPost, "/hooks", bytes.NewReader([]byte(body)))
	require.NoError(t, signer.Sign(req.Header, time.Now().Add(-ago), requestID))
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, req)
	return w.Code
}

func TestMetricsOfAReceiver(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	seen, err := webhook.NewMemoryStore()
	require.NoError(t, err)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithDeduplicator(seen))
	require.NoError(t, err)
	webhook.OnAny(receiver, func(_ context.Context, e *webhook.Event[json.RawMessage]) error {
		if e.Type == "a.failure" {
			return errors.New("the handler has its reasons")
		}
		return nil
	})
	registration, err := b.WatchReceiver(receiver, attribute.String("practice.account", "main"))
	require.NoError(t, err)

	const good = `{"type":"a.success","payload":{"id":"1"},"timestamp":638912345678901234}`
	assert.Equal(t, 200, deliver(t, receiver, "request-1", good, 0))
	assert.Equal(t, 200, deliver(t, receiver, "request-1", good, 0))
	assert.Equal(t, 401, deliver(t, receiver, "request-2", good, time.Hour))
	assert.Equal(t, 400, deliver(t, receiver, "request-3", "no JSON", 0))
	assert.Equal(t, 500, deliver(t, receiver, "request-4", `{"type":"a.failure","payload":{}}`, 0))

	got := b.metrics(t)
	const account = "practice.account=main,practice.webhook.outcome="
	assert.Equal(t, []string{
		"error.type=handler," + account + "refused: 1", "error.type=malformed," + account + "refused: 1",
		"error.type=too_old," + account + "refused: 1", account + "accepted: 2",
	}, counts(t, got["practice.webhook.deliveries"]))
	assert.Equal(t, []string{account + "duplicate: 1", account + "failed: 1", account + "handled: 1"}, counts(t, got["practice.webhook.events"]))
	assert.Empty(t, counts(t, got["practice.webhook.messages"]), "but they are there, with 0")
	assert.Empty(t, counts(t, got["practice.webhook.alarms"]))

	require.NoError(t, registration.Unregister())
	assert.NotContains(t, b.metrics(t), "practice.webhook.deliveries")
}

func TestMetricsOfAQueue(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	queue, err := webhook.NewMemoryQueue(1)
	require.NoError(t, err)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithQueue(queue),
		webhook.WithAlarmHook(func(context.Context, webhook.Alarm) bool { return false }))
	require.NoError(t, err)
	_, err = b.WatchReceiver(receiver)
	require.NoError(t, err)
	assert.Equal(t, 200, deliver(t, receiver, "request-1", `{"type":"a","payload":{}}`, 0))
	assert.Equal(t, 503, deliver(t, receiver, "request-2", `{"type":"b","payload":{}}`, 0))

	got := b.metrics(t)
	const outcome = "practice.webhook.outcome="
	assert.Equal(t, []string{outcome + "queue_full: 1", outcome + "queued: 1"}, counts(t, got["practice.webhook.messages"]))
	assert.Equal(t, []string{"error.type=store," + outcome + "refused: 1", outcome + "accepted: 1"}, counts(t, got["practice.webhook.deliveries"]))
	require.NoError(t, receiver.Shutdown(t.Context()))
}

// An integration for several firms has a Telemetry for each.
func TestAttributesOfYourOwnAreOnAllSpansAndMetrics(t *testing.T) {
	t.Parallel()
	spans, reader := tracetest.NewInMemoryExporter(), sdkmetric.NewManualReader()
	tracers, meters := oteltrace.NewTracerProvider(oteltrace.WithSyncer(spans)), sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader))
	firms := []string{"a", "b"}
	for _, firm := range firms {
		telemetry, err := otel.New(otel.WithTracerProvider(tracers), otel.WithMeterProvider(meters), otel.WithAttributes(attribute.String("firm", firm)))
		require.NoError(t, err)
		receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithMiddleware(telemetry.WebhookMiddleware()))
		require.NoError(t, err)
		_, err = telemetry.WatchReceiver(receiver)
		require.NoError(t, err)
		webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error { return nil })
		deliver(t, receiver, "request-1", `{"type":"fee.updated","payload":{"id":"1"}}`, 0)
	}
	var ofSpans, ofMetrics []string
	for _, span := range spans.GetSpans() {
		firm, _ := span.InstrumentationScope.Attributes.Value("firm")
		ofSpans = append(ofSpans, firm.AsString())
	}
	var collected metricdata.ResourceMetrics
	require.NoError(t, reader.Collect(t.Context(), &collected))
	for _, scope := range collected.ScopeMetrics {
		firm, _ := scope.Scope.Attributes.Value("firm")
		ofMetrics = append(ofMetrics, firm.AsString())
	}
	assert.Equal(t, firms, ofSpans)
	assert.ElementsMatch(t, firms, ofMetrics)
}
