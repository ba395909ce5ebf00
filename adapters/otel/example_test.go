package otel_test

import (
	"log"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/trace/noop"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/otel"
	"github.com/practicesdk/practice-go/webhook"
)

// Client calls and receiver counters are reported to the global providers.
func Example() {
	telemetry, err := otel.New(otel.WithAttributes(attribute.String("firm", "0001"))) // of all spans and metrics
	if err != nil {
		log.Panic(err)
	}
	client, err := practice.NewClient("https://api.example.test/v1",
		practice.WithAPIKey("key"), practice.WithAccessToken("token"), practice.WithTracer(telemetry))
	if err != nil {
		log.Panic(err)
	}
	receiver, err := webhook.NewReceiver("client0001", webhook.Keys("k-0123456789"),
		webhook.WithMiddleware(telemetry.WebhookMiddleware()), // spans and times of handlers
		webhook.WithPropagator(telemetry.WebhookPropagator())) // links events from a queue to their deliveries
	if err != nil {
		log.Panic(err)
	}
	registration, err := telemetry.WatchReceiver(receiver)
	if err != nil {
		log.Panic(err)
	}
	defer func() { _ = registration.Unregister() }()
	_ = client
}

// Only metrics, with custom providers. No context is sent to the service.
func ExampleNew() {
	telemetry, err := otel.New(
		otel.WithTracerProvider(noop.NewTracerProvider()),
		otel.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(metric.NewManualReader()))),
		otel.WithPropagator(propagation.NewCompositeTextMapPropagator()))
	if err != nil {
		log.Panic(err)
	}
	_ = practice.WithTracer(telemetry)
}
