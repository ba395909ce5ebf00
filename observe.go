package practice

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Observation describes one attempt or one call, for WithObserver and
// WithTracer. Every call is reported, even if it is rejected before a request
// is sent. A call ends when the result of its method is known. A method that
// makes several calls is reported as a whole: the transfer of a file or a
// directory, an iterator, or an operation of your own (Client.Observe). Its
// calls and transfers are reported below it. The attempts of a transfer are its
// exchanges with the file storage.
//
// No text contains a record id, a secret or a query. Except for RequestID and
// the text of Err, the fields have few distinct values and are suitable as
// metric labels.
type Observation struct {
	Operation string // name of the method, such as "Staff.Get"; "Token" for a request to the token endpoint
	Method    string // HTTP method; empty for a whole
	Path      string // path template, such as "/staff/{id}"; empty for a whole, a token and the storage
	Server    string // scheme, host and port, such as "https://api.example.test"; empty for a whole
	RequestID string // RequestId of the attempts; empty for a whole, a token and the storage
	Kind      ObservationKind
	Attempt   int    // of an attempt, its number, from 1; of a call, the number of attempts
	Status    int    // HTTP status; of a call, that of its last response; 0: no response
	Protocol  string // protocol of the response, such as "HTTP/1.1"; empty for calls
	// Duration is the time of a call with its waits, or of one exchange. That
	// of an iterator includes the time of its caller. That of a page of an
	// iterator ends with the response, although the page is reported after its
	// records have been read.
	Duration time.Duration
	// Waits holds the waits before an attempt, known when it starts, or the sum
	// for a call.
	Waits         Waits
	Records       int   // of a page or an iterator, the number of records read
	Unreadable    int   // records that could not be decoded, each a RecordError
	BytesSent     int64 // bytes of request bodies on the wire
	BytesReceived int64 // bytes of response bodies on the wire, before decompression
	// Err is the reason why an attempt returned no complete response, or the
	// error of the call. For an iterator it is the error that ended it,
	// otherwise the first error that it yielded.
	Err error
	// Reason explains why another attempt followed, or why none did. For a call
	// it joins the reasons of its attempts; for an iterator it is the reason
	// why it ended.
	Reason string
	// LeftOut holds the names of the members that a Modify method did not know
	// and left out, such as "retainer, person.visa"; see [WithLoss].
	LeftOut string
}

// ObservationKind is the kind of an Observation. Later versions may add kinds.
type ObservationKind string

// Kinds of observations.
const (
	ObservedAttempt        ObservationKind = "attempt"         // one exchange with the service
	ObservedPageAttempt    ObservationKind = "page attempt"    // one exchange for a page of a list
	ObservedStorageAttempt ObservationKind = "storage attempt" // one exchange with the file storage
	ObservedTokenAttempt   ObservationKind = "token attempt"   // one exchange with the token endpoint; it belongs to no call
	ObservedCall           ObservationKind = "call"            // a call with its attempts
	ObservedPage           ObservationKind = "page"            // a call for a page of a list
	ObservedWhole          ObservationKind = "whole"           // a method that makes several calls
	ObservedWalk           ObservationKind = "walk"            // an iterator with its calls
	ObservedTransfer       ObservationKind = "transfer"        // a transfer of a file or a directory with its calls
)

// IsAttempt reports whether the kind is an exchange rather than a call.
func (k ObservationKind) IsAttempt() bool {
	switch k {
	case ObservedAttempt, ObservedPageAttempt, ObservedStorageAttempt, ObservedTokenAttempt:
		return true
	}
	return false
}

// attempt returns the kind of the attempts that belong to a call of kind k.
func (k ObservationKind) attempt() ObservationKind {
	switch k {
	case ObservedPage:
		return ObservedPageAttempt
	case ObservedTransfer:
		return ObservedStorageAttempt
	}
	return ObservedAttempt
}

// Waits holds the times that a call waited before sending.
type Waits struct {
	Token     time.Duration // wait for an access token
	RateLimit time.Duration // wait for the rate limit, including that after a 429 of any call
	Retry     time.Duration // between two attempts
}

func (w *Waits) add(other Waits) {
	w.Token += other.Token
	w.RateLimit += other.RateLimit
	w.Retry += other.Retry
}

// Tracer traces calls and their attempts, for WithTracer. It must be safe for
// concurrent use.
type Tracer interface {
	// Start is called before every call and before every attempt. The result
	// members of started are zero, except for the Waits of an attempt. The
	// returned context must derive from ctx: that of a call is the parent of
	// its attempts, and that of an attempt is passed to the middleware and the
	// transport. Headers added to header are sent with the attempt, except
	// those that the library sets itself. header is nil for calls, and for the
	// storage, where an additional header would break the signature of the
	// address. Headers added for the token endpoint are not sent.
	Start(ctx context.Context, started Observation, header http.Header) context.Context
	// End is called with the context that Start returned, in the order in which
	// calls and attempts end. The end of an attempt is reported after the
	// decision on a retry; its Duration is the time of the exchange.
	End(ctx context.Context, ended Observation)
}

// observers holds the functions of the caller that observe calls and attempts.
// A nil function is not called. A nil *observers observes nothing.
type observers struct {
	logger   *slog.Logger
	bodies   LoggedBodies
	observer func(context.Context, Observation)
	tracer   Tracer
	tokens   *tokenObserver // observer of the requests to the token endpoint; nil: none
}

// LoggedBodies selects which parts of request and response bodies are logged.
type LoggedBodies int

// Values for [WithLoggedBodies].
const (
	BodiesWithoutPersonalData LoggedBodies = iota + 1 // leaves out personal data, free text and members that this version does not know
	WholeBodies                                       // logs everything but secrets, including names, addresses and amounts of the firm's clients
)

// start reports the start of a call or an attempt to the tracer. It returns the
// context that the tracer returned.
func (o *observers) start(ctx context.Context, begun Observation, header http.Header) context.Context {
	if o.tracer != nil {
		if traced := o.tracer.Start(ctx, begun, header); traced != nil {
			return traced
		}
	}
	return ctx
}

// attemptEnded reports the end of an attempt and the wait for the next one.
func (o *observers) attemptEnded(ctx context.Context, ended Observation, wait time.Duration) {
	if o.observer != nil {
		o.observer(ctx, ended)
	}
	o.logAttempt(ctx, ended, wait)
	if o.tracer != nil {
		o.tracer.End(ctx, ended)
	}
}

// callEnded reports the end of a call.
func (o *observers) callEnded(ctx context.Context, ended Observation) {
	if o.observer != nil {
		o.observer(ctx, ended)
	}
	o.logCall(ctx, ended)
	o.logLeftOut(ctx, ended)
	if o.tracer != nil {
		o.tracer.End(ctx, ended)
	}
}

// logAttempt logs an attempt and omits attributes without a value.
func (o *observers) logAttempt(ctx context.Context, seen Observation, wait time.Duration) {
	if o.logger == nil || !o.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	line := make(logLine, 0, 17)
	line.text("operation", seen.Operation)
	line.number("attempt", int64(seen.Attempt))
	line.result(seen)
	if seen.Err != nil || seen.Status >= http.StatusMultipleChoices {
		line.text("reason", seen.Reason)
	}
	line.duration("wait", wait)
	line.waits(seen)
	line.number("sent", seen.BytesSent)
	line.number("received", seen.BytesReceived)
	line.origin(seen)
	o.logger.LogAttrs(ctx, slog.LevelDebug, "practice: attempt", line...)
}

// logBodies logs the bodies that a call sent and received.
func (o *observers) logBodies(ctx context.Context, seen Observation, request, answer any) {
	if o.logger == nil || o.bodies == 0 || seen.Attempt == 0 || !o.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	line := make(logLine, 0, 4)
	line.text("operation", seen.Operation)
	line.body("request", request, o.bodies)
	line.body("answer", answer, o.bodies)
	line.text("request_id", seen.RequestID)
	o.logger.LogAttrs(ctx, slog.LevelDebug, "practice: bodies", line...)
}

// logCall logs a call that failed.
func (o *observers) logCall(ctx context.Context, seen Observation) {
	if o.logger == nil || seen.Err == nil || !o.logger.Enabled(ctx, slog.LevelWarn) {
		return
	}
	line := make(logLine, 0, 16)
	line.text("operation", seen.Operation)
	line.number("attempts", int64(seen.Attempt))
	line.result(seen)
	line.text("reason", seen.Reason)
	line.waits(seen)
	line.number("records", int64(seen.Records))
	line.number("unreadable", int64(seen.Unreadable))
	line.origin(seen)
	o.logger.LogAttrs(ctx, slog.LevelWarn, "practice: call failed", line...)
}

// logLeftOut logs a Modify method that left out unknown members.
func (o *observers) logLeftOut(ctx context.Context, seen Observation) {
	if o.logger != nil && seen.LeftOut != "" {
		o.logger.LogAttrs(ctx, slog.LevelWarn, "practice: unknown members left out",
			slog.String("operation", seen.Operation), slog.String("members", seen.LeftOut))
	}
}

// logLine holds the attributes of a log line, the important ones first.
type logLine []slog.Attr

func (l *logLine) text(key, value string) {
	if value != "" {
		*l = append(*l, slog.String(key, value))
	}
}

func (l *logLine) number(key string, value int64) {
	if value != 0 {
		*l = append(*l, slog.Int64(key, value))
	}
}

// duration adds a duration as text with a unit: a JSON handler would write the
// bare number of nanoseconds.
func (l *logLine) duration(key string, value time.Duration) {
	if value != 0 {
		*l = append(*l, slog.String(key, readable(value).String()))
	}
}

// body adds a record of package models. It ignores any other value, in which
// secrets could not be recognised.
func (l *logLine) body(key string, body any, as LoggedBodies) {
	record, known := models.Wire.Record(body)
	switch {
	case !known:
	case as == WholeBodies:
		text, err := json.Marshal(record) // MarshalJSON redacts the secrets
		if err == nil {
			l.text(key, string(text))
		}
	default:
		*l = append(*l, slog.Attr{Key: key, Value: models.Wire.Logged(record)})
	}
}

func (l *logLine) result(seen Observation) {
	l.number("status", int64(seen.Status))
	l.duration("duration", seen.Duration)
	if seen.Err != nil {
		l.text("error", oneLine(seen.Err.Error()))
	}
}

func (l *logLine) waits(seen Observation) {
	l.duration("waited_for_token", seen.Waits.Token)
	l.duration("waited_for_rate_limit", seen.Waits.RateLimit)
	l.duration("waited_for_retry", seen.Waits.Retry)
}

func (l *logLine) origin(seen Observation) {
	l.text("method", seen.Method)
	if seen.Kind == ObservedTransfer || seen.Kind == ObservedStorageAttempt || seen.Kind == ObservedTokenAttempt {
		l.text("server", seen.Server)
	}
	l.text("path", seen.Path)
	l.text("request_id", seen.RequestID)
}

// readable rounds a duration to three digits.
func readable(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
