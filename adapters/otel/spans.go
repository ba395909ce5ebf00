package otel

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	practice "github.com/practicesdk/practice-go"
)

// Attributes of this package.
const (
	keyOperation = attribute.Key("practice.operation")
	keyRequestID = attribute.Key("practice.request_id")
	keyAttempts  = attribute.Key("practice.attempts")
	keyReason    = attribute.Key("practice.reason") // reason for a further attempt, or for the end
	keyStorage   = attribute.Key("practice.storage")
	keyRecords   = attribute.Key("practice.records")    // number of records of a page or an iterator
	keyFaults    = attribute.Key("practice.unreadable") // number of records that could not be decoded
)

func (t *Telemetry) startCall(ctx context.Context, o practice.Observation, at time.Time) (context.Context, trace.Span) {
	return t.tracer.Start(ctx, o.Operation, trace.WithSpanKind(trace.SpanKindInternal), trace.WithTimestamp(at),
		trace.WithAttributes(common(o)...))
}

func endCall(span trace.Span, o practice.Observation, failure string, at time.Time) {
	span.SetAttributes(keyAttempts.Int(o.Attempt))
	if o.Kind == practice.ObservedPage || o.Kind == practice.ObservedWalk {
		span.SetAttributes(keyRecords.Int(o.Records))
	}
	if o.Unreadable > 0 {
		span.SetAttributes(keyFaults.Int(o.Unreadable))
	}
	if o.Kind == practice.ObservedWalk {
		span.SetAttributes(keyReason.String(o.Reason))
	}
	fail(span, failure)
	span.End(trace.WithTimestamp(at))
}

func (t *Telemetry) startAttempt(ctx context.Context, o practice.Observation, b *begun) (context.Context, trace.Span) {
	attributes := append(b.to.ToSlice(), common(o)...)
	if o.Attempt > 1 {
		attributes = append(attributes, semconv.HTTPRequestResendCount(o.Attempt-1))
	}
	if method, known := methodOf(o); !known {
		attributes = append(attributes, method, semconv.HTTPRequestMethodOriginal(o.Method))
	}
	return t.tracer.Start(ctx, attemptName(o), trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(b.at),
		trace.WithAttributes(attributes...))
}

func endAttempt(span trace.Span, o practice.Observation, failure string, at time.Time) {
	span.SetAttributes(
		semconv.HTTPRequestBodySize(int(o.BytesSent)), semconv.HTTPResponseBodySize(int(o.BytesReceived)),
		keyReason.String(o.Reason))
	if o.Status != 0 {
		span.SetAttributes(semconv.HTTPResponseStatusCode(o.Status))
	}
	if version := strings.TrimSuffix(strings.TrimPrefix(o.Protocol, "HTTP/"), ".0"); version != "" {
		span.SetAttributes(semconv.NetworkProtocolVersion(version))
	}
	fail(span, failure)
	span.End(trace.WithTimestamp(at))
}

func fail(span trace.Span, failure string) {
	if failure != "" {
		span.SetAttributes(semconv.ErrorTypeKey.String(failure))
		span.SetStatus(codes.Error, "") // error.type holds the reason
	}
}

// common holds the attributes that calls and attempts share.
func common(o practice.Observation) []attribute.KeyValue {
	attributes := make([]attribute.KeyValue, 0, 3)
	attributes = append(attributes, keyOperation.String(o.Operation))
	if o.RequestID != "" {
		attributes = append(attributes, keyRequestID.String(o.RequestID))
	}
	if o.Kind == practice.ObservedTransfer || o.Kind == practice.ObservedStorageAttempt {
		attributes = append(attributes, keyStorage.Bool(true))
	}
	return attributes
}

// attemptName returns "{method} {url.template}", as the conventions prescribe.
func attemptName(o practice.Observation) string {
	name := o.Method
	if _, known := methodOf(o); !known {
		name = "HTTP"
	}
	if o.Path != "" {
		name += " " + o.Path
	}
	return name
}

// destination returns the attributes of an attempt's destination. They are
// known when the attempt begins, and spans and metrics share them.
func destination(o practice.Observation) attribute.Set {
	method, _ := methodOf(o)
	attributes := append(make([]attribute.KeyValue, 0, 5), method)
	if o.Path != "" {
		attributes = append(attributes, semconv.URLTemplate(o.Path))
	}
	if server, err := url.Parse(o.Server); err == nil && server.Host != "" {
		attributes = append(attributes, semconv.URLScheme(server.Scheme), semconv.ServerAddress(server.Hostname()), semconv.ServerPort(portOf(server)))
	}
	return attribute.NewSet(attributes...)
}

func portOf(server *url.URL) int {
	if port, err := strconv.Atoi(server.Port()); err == nil {
		return port
	}
	if server.Scheme == "http" {
		return 80
	}
	return 443
}

// methodOf returns the attribute of a method, and reports whether the
// conventions know it. Other methods share one value, because callers can
// choose arbitrary ones.
func methodOf(o practice.Observation) (method attribute.KeyValue, known bool) {
	switch o.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions, http.MethodConnect, http.MethodTrace, "QUERY":
		return semconv.HTTPRequestMethodKey.String(o.Method), true
	}
	return semconv.HTTPRequestMethodOther, false
}
