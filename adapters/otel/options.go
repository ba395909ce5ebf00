package otel

import (
	otelapi "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	practice "github.com/practicesdk/practice-go"
)

// Option is a setting of [New].
type Option interface{ apply(*settings) error }

type settings struct {
	tracers    trace.TracerProvider
	meters     metric.MeterProvider
	propagator propagation.TextMapPropagator
	attributes []attribute.KeyValue
}

func defaultSettings() settings {
	return settings{
		tracers: otelapi.GetTracerProvider(), meters: otelapi.GetMeterProvider(),
		propagator: otelapi.GetTextMapPropagator(),
	}
}

type option func(*settings) error

func (f option) apply(s *settings) error { return f(s) }

// WithTracerProvider sets the provider of spans; the default is the global one.
// It must not be nil. The provider of go.opentelemetry.io/otel/trace/noop turns
// spans off.
func WithTracerProvider(provider trace.TracerProvider) Option {
	return option(func(s *settings) error {
		s.tracers = provider
		return notNil("WithTracerProvider", provider == nil)
	})
}

// WithMeterProvider sets the provider of metrics; the default is the global
// one. It must not be nil. The provider of go.opentelemetry.io/otel/metric/noop
// turns metrics off.
func WithMeterProvider(provider metric.MeterProvider) Option {
	return option(func(s *settings) error {
		s.meters = provider
		return notNil("WithMeterProvider", provider == nil)
	})
}

// WithPropagator sets the propagator that writes the span of an attempt into
// the headers for the service. The default is the global propagator, which
// writes nothing unless the program sets another. It must not be nil.
func WithPropagator(propagator propagation.TextMapPropagator) Option {
	return option(func(s *settings) error {
		s.propagator = propagator
		return notNil("WithPropagator", propagator == nil)
	})
}

// WithAttributes sets attributes of all spans and metrics, such as the firm of
// a client. They belong to the instrumentation scope: Telemetry values with
// different attributes have separate instruments, even with the same providers.
func WithAttributes(attributes ...attribute.KeyValue) Option {
	return option(func(s *settings) error {
		s.attributes = attributes
		return nil
	})
}

func notNil(name string, isNil bool) error {
	if isNil {
		return &practice.ConfigError{Setting: name, Reason: "must not be nil"}
	}
	return nil
}
