package otel

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/semconv/v1.43.0/httpconv"

	practice "github.com/practicesdk/practice-go"
)

// clientMetrics are the instruments of clients.
type clientMetrics struct {
	requestDuration httpconv.ClientRequestDuration
	requestBody     httpconv.ClientRequestBodySize
	responseBody    httpconv.ClientResponseBodySize

	callDuration, walkDuration, waitDuration metric.Float64Histogram
	retries, rateLimited, pages, records     metric.Int64Counter
}

func newClientMetrics(meter metric.Meter) (m clientMetrics, err error) {
	must := func(failure error) {
		if err == nil {
			err = failure
		}
	}
	counter := func(name, unit, description string) metric.Int64Counter {
		c, failure := meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description))
		must(failure)
		return c
	}
	var failure error
	// The semantic conventions prescribe the bucket boundaries.
	m.requestDuration, failure = httpconv.NewClientRequestDuration(meter, metric.WithExplicitBucketBoundaries(
		0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10))
	must(failure)
	sizes := metric.WithExplicitBucketBoundaries(256, 1<<10, 4<<10, 16<<10, 64<<10, 256<<10, 1<<20, 4<<20, 16<<20, 64<<20, 256<<20, 1<<30)
	m.requestBody, failure = httpconv.NewClientRequestBodySize(meter, sizes)
	must(failure)
	m.responseBody, failure = httpconv.NewClientResponseBodySize(meter, sizes)
	must(failure)
	// Calls take longer than requests because of their waits, and transfers
	// take longer still.
	duration := func(name, description string) metric.Float64Histogram {
		h, failure := meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description),
			callBoundaries())
		must(failure)
		return h
	}
	m.callDuration = duration("practice.client.call.duration", "Duration of calls and transfers, including all attempts and waits.")
	m.walkDuration = duration("practice.client.walk.duration", "Duration of iterators, including the time that the caller spends on each record.")
	m.waitDuration = duration("practice.client.wait.duration", "Time that calls wait for a token, for the rate limit and between attempts.")
	m.retries = counter("practice.client.retries", "{attempt}", "Attempts after the first.")
	m.rateLimited = counter("practice.client.rate_limited", "{attempt}", "Attempts with a 429 response.")
	m.pages = counter("practice.client.pages", "{page}", "Pages of lists that were received.")
	m.records = counter("practice.client.records", "{record}", "Records in the received pages.")
	return m, err
}

// callBoundaries returns the boundaries for durations that include waits, in
// seconds.
func callBoundaries() metric.HistogramOption {
	return metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)
}

func (m *clientMetrics) attempt(ctx context.Context, o practice.Observation, failure string, to attribute.Set) {
	attributes := to.ToSlice()
	if o.Status != 0 {
		attributes = append(attributes, semconv.HTTPResponseStatusCode(o.Status))
	}
	if failure != "" {
		attributes = append(attributes, semconv.ErrorTypeKey.String(failure))
	}
	set := attribute.NewSet(attributes...)
	m.requestDuration.RecordSet(ctx, o.Duration.Seconds(), set)
	if o.BytesSent > 0 {
		m.requestBody.RecordSet(ctx, o.BytesSent, set)
	}
	if o.BytesReceived > 0 {
		m.responseBody.RecordSet(ctx, o.BytesReceived, set)
	}
	operation := metric.WithAttributeSet(attribute.NewSet(keyOperation.String(o.Operation)))
	if o.Attempt > 1 {
		m.retries.Add(ctx, 1, operation)
	}
	if o.Status == http.StatusTooManyRequests {
		m.rateLimited.Add(ctx, 1, operation)
	}
}

func (m *clientMetrics) call(ctx context.Context, o practice.Observation, failure string) {
	operation := keyOperation.String(o.Operation)
	set := attribute.NewSet(operation)
	if failure != "" {
		set = attribute.NewSet(operation, semconv.ErrorTypeKey.String(failure))
	}
	if o.Kind == practice.ObservedWalk {
		m.walkDuration.Record(ctx, o.Duration.Seconds(), metric.WithAttributeSet(set))
		return
	}
	m.callDuration.Record(ctx, o.Duration.Seconds(), metric.WithAttributeSet(set))
	if !isWhole(o) {
		m.waited(ctx, o)
	}
	if o.Kind == practice.ObservedPage && (o.Err == nil || failure == unreadableRecord) {
		m.page(ctx, o)
	}
}

// page counts a received page, even if some of its records could not be
// decoded.
func (m *clientMetrics) page(ctx context.Context, o practice.Observation) {
	operation := keyOperation.String(o.Operation)
	m.pages.Add(ctx, 1, metric.WithAttributes(operation))
	m.records.Add(ctx, int64(o.Records), metric.WithAttributes(operation))
	if o.Unreadable > 0 {
		m.records.Add(ctx, int64(o.Unreadable), metric.WithAttributes(operation, semconv.ErrorTypeKey.String(unreadableRecord)))
	}
}

func (m *clientMetrics) waited(ctx context.Context, o practice.Observation) {
	for _, w := range waits() {
		if length := *w.of(&o.Waits); length >= shortestWait {
			m.waitDuration.Record(ctx, length.Seconds(), metric.WithAttributes(keyOperation.String(o.Operation), keyWait.String(w.name)))
		}
	}
}
