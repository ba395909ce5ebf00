// Observed shows how to observe a program with log lines, metrics, and spans of
// each call and its attempts.
//
//	go run ./examples/observed
//
// It uses the embedded service, which injects errors: status 503, a rate limit,
// an interrupted transfer and a delivery that is too old.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/otel"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/practicesdk/practice-go/webhook"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	// Real programs use OpenTelemetry exporters instead, which send spans and
	// metrics to a collector.
	spans, reader := tracetest.NewInMemoryExporter(), metric.NewManualReader()
	telemetry, err := otel.New(
		otel.WithAttributes(attribute.String("firm", "firm-17")), // an id of your own, not a name
		otel.WithTracerProvider(trace.NewTracerProvider(trace.WithSyncer(spans))),
		otel.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(reader))),
		otel.WithPropagator(propagation.TraceContext{}))
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelDebug}))
	service, err := practicetest.Start()
	if err != nil {
		return err
	}
	client, err := service.NewClient(practice.WithTracer(telemetry), practice.WithLogger(logger))
	if err == nil {
		err = errors.Join(work(ctx, client, service), receive(ctx, telemetry, service))
		client.CloseIdleConnections()
	}
	if err = errors.Join(err, service.Close()); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The log, at debug level\n\n%s\nThe spans\n\n", folded(lines.String()))
	printSpans(&b, spans.GetSpans())
	b.WriteString("\nThe metrics\n\n")
	if err := printMetrics(ctx, &b, reader); err != nil {
		return err
	}
	b.WriteString("\nNext: replace the two exporters. docs/production.md names what to watch.\n")
	_, err = io.WriteString(out, b.String())
	return err
}

// work makes calls while errors are injected.
func work(ctx context.Context, client *practice.Client, service *practicetest.Server) error {
	service.Inject(
		practicetest.Fault{Operation: "listBankAccounts", Status: 503},
		practicetest.Fault{Operation: "listEvents", Kind: practicetest.FaultRateLimit, RetryAfter: "1"},
		practicetest.Fault{Operation: "patchFee", Status: 404},
		practicetest.Fault{Operation: "storage.put", Status: 503},
	)
	if _, err := client.BankAccounts.List(ctx, practice.BankAccountListOptions{}); err != nil {
		return err
	}
	if _, err := client.Events.List(ctx, practice.EventListOptions{}); err != nil {
		return err
	}
	f := service.Firm()
	if _, err := client.Fees.Patch(ctx, f.MatterID, f.FeeID, models.FeePatch{}); !errors.Is(err, practice.ErrNotFound) {
		return fmt.Errorf("the fee was found: %w", err)
	}
	_, err := client.Documents.Upload(ctx, f.MatterID, practice.Upload{Name: "Memo.txt", Body: strings.NewReader(strings.Repeat("To the file. ", 1000))})
	return err
}

// receive delivers an event twice, and once more as a replay an hour later.
func receive(ctx context.Context, telemetry *otel.Telemetry, service *practicetest.Server) error {
	const key = "an-example-of-a-key"
	clientID := service.Credentials().ClientID
	seen, err := webhook.NewMemoryStore()
	if err != nil {
		return err
	}
	receiver, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithDeduplicator(seen))
	if err != nil {
		return err
	}
	webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *webhook.Event[models.MatterPayload]) error { return nil })
	if _, err := telemetry.WatchReceiver(receiver); err != nil {
		return err
	}
	signer, err := webhook.NewSigner(clientID, key)
	if err != nil {
		return err
	}
	for _, age := range []time.Duration{0, 0, time.Hour} {
		body := strings.NewReader(`{"type":"matter.updated","payload":{"id":"` + service.Firm().MatterID + `"}}`)
		delivery := httptest.NewRequestWithContext(ctx, http.MethodPost, "/hooks", body)
		if err := signer.Sign(delivery.Header, time.Now().Add(-age), "request-1"); err != nil {
			return err
		}
		receiver.ServeHTTP(httptest.NewRecorder(), delivery)
	}
	return receiver.Shutdown(ctx)
}

// folded wraps lines for a terminal of 80 columns.
func folded(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		column := 0
		for _, word := range strings.Fields(line) {
			if column > 0 && column+1+len(word) > 78 {
				b.WriteString("\n     ")
				column = 5
			}
			b.WriteString(" " + word)
			column += 1 + len(word)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// printSpans prints each call with its child spans: attempts and waits.
func printSpans(out *strings.Builder, spans tracetest.SpanStubs) {
	slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
	var below func(parent string, indent string)
	below = func(parent, indent string) {
		for _, s := range spans {
			if s.Parent.SpanID().String() != parent {
				continue
			}
			set := attribute.NewSet(s.Attributes...)
			status, _ := set.Value("http.response.status_code")
			text := fmt.Sprint(indent, s.Name, "  ", status.String())
			fmt.Fprintf(out, "%-66.66s %s\n", text, s.EndTime.Sub(s.StartTime).Round(10*time.Microsecond))
			below(s.SpanContext.SpanID().String(), indent+"  ")
		}
	}
	below("0000000000000000", " ")
}

// printMetrics prints the number of measurements of each metric, by name and
// operation.
func printMetrics(ctx context.Context, out *strings.Builder, reader *metric.ManualReader) error {
	var all metricdata.ResourceMetrics
	if err := reader.Collect(ctx, &all); err != nil {
		return err
	}
	counts := map[string]int64{}
	count := func(name string, of attribute.Set, n int64) {
		parts := []string{name}
		for _, key := range []attribute.Key{"practice.operation", "practice.reason", "error.type"} {
			if value, there := of.Value(key); there {
				parts = append(parts, value.String())
			}
		}
		counts[strings.Join(parts, "  ")] += n
	}
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					count(m.Name, p.Attributes, p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					count(m.Name, p.Attributes, int64(p.Count))
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if counts[name] > 0 {
			fmt.Fprintf(out, " %-72.72s %5d\n", name, counts[name])
		}
	}
	return nil
}
