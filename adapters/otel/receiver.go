package otel

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"github.com/practicesdk/practice-go/webhook"
)

// receiverMetrics are the instruments of receivers.
type receiverMetrics struct {
	meter                                metric.Meter
	deliveries, events, messages, alarms metric.Int64ObservableCounter
	waiting                              metric.Int64ObservableGauge
	age                                  metric.Float64ObservableGauge
	duration                             metric.Float64Histogram
}

const keyOutcome = attribute.Key("practice.webhook.outcome")

func newReceiverMetrics(meter metric.Meter) (m receiverMetrics, err error) {
	counter := func(name, unit, description string) metric.Int64ObservableCounter {
		c, failure := meter.Int64ObservableCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
		if err == nil {
			err = failure
		}
		return c
	}
	m.meter = meter
	m.deliveries = counter("practice.webhook.deliveries", "{delivery}", "Deliveries, by response.")
	m.events = counter("practice.webhook.events", "{event}", "Events, by outcome.")
	m.messages = counter("practice.webhook.messages", "{message}", "Messages from the queue, by outcome.")
	m.alarms = counter("practice.webhook.alarms", "{alarm}", "Signatures that were used again with another body.")
	var failures [3]error
	m.waiting, failures[0] = meter.Int64ObservableGauge("practice.webhook.queue.messages", metric.WithUnit("{message}"),
		metric.WithDescription("Messages in the whole queue, including leased ones, as reported by each process that shares the queue."))
	m.age, failures[1] = meter.Float64ObservableGauge("practice.webhook.queue.age", metric.WithUnit("s"),
		metric.WithDescription("Age of the oldest message in the whole queue, as reported by each process that shares the queue."))
	m.duration, failures[2] = meter.Float64Histogram("practice.webhook.handler.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of the handlers of an event."), callBoundaries())
	return m, errors.Join(append(failures[:], err)...)
}

// WatchReceiver reports the counters of a receiver (see [webhook.Stats]), and
// the backlog of its queue, whenever metrics are collected. Processes that
// share a queue each report its backlog: use the maximum and not the sum. Use
// attributes, such as the name of the account, to distinguish several receivers
// of a process. The caller unregisters a receiver that is no longer used. A nil
// receiver is a [practice.ConfigError].
func (t *Telemetry) WatchReceiver(receiver *webhook.Receiver, attributes ...attribute.KeyValue) (metric.Registration, error) {
	if err := notNil("receiver", receiver == nil); err != nil {
		return nil, err
	}
	m := t.receivers
	return m.meter.RegisterCallback(func(ctx context.Context, observer metric.Observer) error {
		m.observe(receiver, func(counter metric.Int64Observable, count uint64, more ...attribute.KeyValue) {
			set := attribute.NewSet(append(more, attributes...)...)
			observer.ObserveInt64(counter, int64(count), metric.WithAttributeSet(set))
		})
		return m.measure(ctx, receiver, observer, metric.WithAttributes(attributes...))
	}, m.deliveries, m.events, m.messages, m.alarms, m.waiting, m.age)
}

// measure reports the backlog of a queue that can measure it.
func (m *receiverMetrics) measure(ctx context.Context, receiver *webhook.Receiver, observer metric.Observer, of metric.MeasurementOption) error {
	backlog, err := receiver.Backlog(ctx)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return nil
	case err != nil:
		return err
	}
	observer.ObserveInt64(m.waiting, int64(backlog.Messages), of)
	age := 0.0
	if !backlog.Oldest.IsZero() {
		age = max(0, time.Since(backlog.Oldest).Seconds())
	}
	observer.ObserveFloat64(m.age, age, of)
	return nil
}

// observe reports all counters, including those that are zero: otherwise a
// first failure would not show as an increase.
func (m *receiverMetrics) observe(receiver *webhook.Receiver, tell func(metric.Int64Observable, uint64, ...attribute.KeyValue)) {
	stats, refusals := receiver.Stats(), receiver.Refusals()
	tell(m.deliveries, stats.Accepted, keyOutcome.String("accepted"))
	for _, reason := range refusalReasons() {
		tell(m.deliveries, refusals[reason.err], keyOutcome.String("refused"), semconv.ErrorTypeKey.String(reason.name))
	}
	for _, count := range []struct {
		counter metric.Int64Observable
		outcome string
		n       uint64
	}{
		{m.events, "handled", stats.Handled}, {m.events, "failed", stats.Failed},
		{m.events, "duplicate", stats.Duplicates}, {m.events, "own", stats.Own}, {m.events, "overdue", stats.Overdue},
		{m.messages, "queued", stats.Queued}, {m.messages, "queue_full", stats.QueueFull},
		{m.messages, "retried", stats.Retries}, {m.messages, "dead_letter", stats.DeadLetters},
	} {
		tell(count.counter, count.n, keyOutcome.String(count.outcome))
	}
	tell(m.alarms, stats.Alarms)
}

type refusalReason struct {
	err  error
	name string
}

func refusalReasons() []refusalReason {
	return []refusalReason{
		{webhook.ErrNoSignature, "no_signature"}, {webhook.ErrBadSignature, "bad_signature"},
		{webhook.ErrBadTimestamp, "bad_timestamp"}, {webhook.ErrTooOld, "too_old"}, {webhook.ErrTooNew, "too_new"},
		{webhook.ErrWrongAccount, "wrong_account"}, {webhook.ErrSecondBody, "second_body"}, {webhook.ErrBusy, "busy"},
		{webhook.ErrMethod, "method"}, {webhook.ErrBodyTooLarge, "body_too_large"},
		{webhook.ErrBodyUnreadable, "body_unreadable"}, {webhook.ErrMalformed, "malformed"},
		{webhook.ErrHandler, "handler"}, {webhook.ErrUnfinished, "unfinished"},
		{webhook.ErrInProgress, "in_progress"}, {webhook.ErrStore, "store"},
	}
}
