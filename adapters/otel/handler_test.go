package otel_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	oteltrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/practicesdk/practice-go/adapters/otel"
	"github.com/practicesdk/practice-go/webhook"
)

// underASpan returns a server whose requests have a span, like those of
// instrumented HTTP servers.
func underASpan(handler http.Handler, into *[]trace.SpanContext) http.Handler {
	tracer := oteltrace.NewTracerProvider().Tracer("server")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := tracer.Start(r.Context(), "POST /hooks")
		defer span.End()
		*into = append(*into, span.SpanContext())
		handler.ServeHTTP(w, r.WithContext(ctx))
	})
}

func TestHandlersWithinARequestHaveASpanBelowIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		handle  func() error
		failure string
	}{
		"it succeeds":           {func() error { return nil }, ""},
		"it fails":              {func() error { return errors.New("the text of a person") }, "handler"},
		"it panics":             {func() error { panic("the text of a person") }, "panic"},
		"it ends its goroutine": {func() error { runtime.Goexit(); return nil }, "panic"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithMiddleware(b.WebhookMiddleware()))
			require.NoError(t, err)
			within := false
			webhook.OnAny(receiver, func(ctx context.Context, _ *webhook.Event[json.RawMessage]) error {
				within = trace.SpanFromContext(ctx).IsRecording()
				return test.handle()
			})
			var requests []trace.SpanContext
			deliver(t, underASpan(receiver, &requests), "request-1", `{"type":"fee.updated","payload":{"id":"1"}}`, 0)
			spans := b.named("handle fee.updated")
			require.Len(t, spans, 1)
			assert.True(t, within, "what the handler does is below it")
			assert.Equal(t, requests[0].SpanID(), spans[0].Parent().SpanID())
			assert.Empty(t, spans[0].Links())
			assert.Equal(t, trace.SpanKindConsumer, spans[0].SpanKind())
			want, status, measuredAs := map[string]string{"practice.webhook.type": "fee.updated", "practice.request_id": "request-1"}, codes.Unset, ""
			if test.failure != "" {
				want["error.type"], status, measuredAs = test.failure, codes.Error, "error.type="+test.failure+","
			}
			assert.Equal(t, want, attributes(spans[0]))
			assert.Equal(t, status, spans[0].Status().Code)
			assert.Equal(t, []string{measuredAs + "practice.webhook.type=fee.updated: 1"},
				measured[float64](t, b.metrics(t)["practice.webhook.handler.duration"], "practice.webhook.type", "error.type"))
		})
	}
}

// panicking is a span processor that panics.
type panicking struct {
	oteltrace.SpanProcessor
	atStart bool
}

func (p panicking) OnStart(context.Context, oteltrace.ReadWriteSpan) {
	if p.atStart {
		panic("the exporter is broken")
	}
}
func (p panicking) OnEnd(oteltrace.ReadOnlySpan) { panic("the exporter is broken") }

func TestAnExporterThatPanicsRepeatsNoHandler(t *testing.T) {
	t.Parallel()
	for name, atStart := range map[string]bool{"at the start of a span": true, "at its end": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			telemetry, err := otel.New(otel.WithTracerProvider(oteltrace.NewTracerProvider(
				oteltrace.WithSpanProcessor(panicking{atStart: atStart}))))
			require.NoError(t, err)
			receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithMiddleware(telemetry.WebhookMiddleware()))
			require.NoError(t, err)
			handled := 0
			webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error { handled++; return nil })
			assert.Equal(t, http.StatusOK, deliver(t, receiver, "request-1", `{"type":"fee.updated"}`, 0))
			assert.Equal(t, 1, handled)
		})
	}
}

func TestTheTimeOfHandlersIsMeasuredInSeconds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithMiddleware(b.WebhookMiddleware()))
	require.NoError(t, err)
	webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error { return nil })
	require.Equal(t, http.StatusOK, deliver(t, receiver, "request-1", `{"type":"fee.updated"}`, 0))
	histogram, ok := b.metrics(t)["practice.webhook.handler.duration"].Data.(metricdata.Histogram[float64])
	require.True(t, ok)
	assert.Contains(t, histogram.DataPoints[0].Bounds, 0.005)
}

func TestHandlersOfAQueueAreLinkedToTheirDelivery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		queue, err := webhook.NewMemoryQueue(10)
		require.NoError(t, err)
		receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithQueue(queue),
			webhook.WithMiddleware(b.WebhookMiddleware()), webhook.WithPropagator(b.WebhookPropagator()))
		require.NoError(t, err)
		attempts := 0
		webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error {
			if attempts++; attempts == 1 {
				return errors.New("not yet")
			}
			return nil
		})
		var requests []trace.SpanContext
		require.Equal(t, 200, deliver(t, underASpan(receiver, &requests), "request-1", `{"type":"a name of anybody's"}`, 0))
		running, stop := context.WithCancel(context.Background())
		var all sync.WaitGroup
		all.Go(func() { assert.NoError(t, receiver.Run(running)) })
		<-time.After(time.Minute)
		require.Equal(t, 200, deliver(t, receiver, "request-2", `{"type":"fee.updated"}`, 0), "without a trace")
		<-time.After(time.Minute)
		stop()
		all.Wait()

		spans := b.named("handle _OTHER")
		require.Len(t, spans, 2)
		for i, span := range spans {
			assert.False(t, span.Parent().IsValid(), "it comes later, and perhaps elsewhere")
			require.Len(t, span.Links(), 1)
			assert.Equal(t, requests[0].TraceID(), span.Links()[0].SpanContext.TraceID())
			assert.Equal(t, requests[0].SpanID(), span.Links()[0].SpanContext.SpanID())
			assert.Equal(t, []string{"1", "2"}[i], attributes(span)["practice.webhook.attempt"])
		}
		alone := b.named("handle fee.updated")
		require.Len(t, alone, 1)
		assert.Empty(t, alone[0].Links())
	})
}

func TestTheBacklogOfAQueueIsMeasured(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		queue, err := webhook.NewMemoryQueue(10)
		require.NoError(t, err)
		receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithQueue(queue))
		require.NoError(t, err)
		_, err = b.WatchReceiver(receiver)
		require.NoError(t, err)
		backlog := func() (messages int64, age float64) {
			got := b.metrics(t)
			return got["practice.webhook.queue.messages"].Data.(metricdata.Gauge[int64]).DataPoints[0].Value,
				got["practice.webhook.queue.age"].Data.(metricdata.Gauge[float64]).DataPoints[0].Value
		}
		messages, age := backlog()
		assert.Zero(t, messages)
		assert.Zero(t, age)
		for range 3 {
			require.Equal(t, 200, deliver(t, receiver, "request-1", `{"type":"a"}`, 0))
			<-time.After(time.Minute)
		}
		messages, age = backlog()
		assert.Equal(t, int64(3), messages)
		assert.InDelta(t, 180, age, 0.001)
		require.NoError(t, receiver.Shutdown(t.Context()))
	})
}

// A queue that fails must not suppress the other metrics.
func TestAQueueThatDoesNotTellItsBacklogCostsNothingElse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key))
	require.NoError(t, err)
	_, err = b.WatchReceiver(receiver)
	require.NoError(t, err)
	w := httptest.NewRecorder()
	receiver.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader("{}")))
	got := b.metrics(t)
	assert.NotContains(t, got, "practice.webhook.queue.messages")
	assert.Equal(t, []string{"error.type=no_signature,practice.webhook.outcome=refused: 1"}, counts(t, got["practice.webhook.deliveries"]))
}
