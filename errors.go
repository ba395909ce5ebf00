package practice

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/redact"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Sentinels for errors.Is. An *Error equals the one of its status.
var (
	ErrRedirect     = errors.New("the service redirected elsewhere")       // 3xx that was not followed
	ErrBadRequest   = errors.New("the service refused the request as bad") // 400
	ErrUnauthorized = errors.New("the credentials were not accepted")      // 401
	ErrForbidden    = errors.New("the access is not allowed")              // 403: another firm's record, a missing scope, a wrong key
	ErrNotFound     = errors.New("the record was not found")               // 404
	ErrConflict     = errors.New("the record is in conflict")              // 409
	ErrRateLimited  = errors.New("too many requests")                      // 429
	ErrServer       = errors.New("the service failed")                     // 5xx
)

// Causes of a NoAnswerError, for errors.Is.
var (
	// ErrBodyTooLarge: the answer is larger than WithMaxBody allows.
	ErrBodyTooLarge = transport.ErrBodyTooLarge
	// ErrWebPage: HTML came in answer to a write, from a proxy for example. It
	// does not say what became of the write, although its status is a success.
	ErrWebPage = errors.New("a web page came instead of an answer of the service")
	// ErrRateLimitWait: the wait for the rate limit would pass the time limit.
	ErrRateLimitWait = transport.ErrRateLimitWait
)

// ErrEmptyAnswer is the cause of a DecodeError when the answer to a read has no
// body, or is null.
var ErrEmptyAnswer = errors.New("the answer is empty")

// ErrNoID reports that the service has a record, or has just accepted it, but
// did not return its id.
var ErrNoID = errors.New("the service did not say the id")

// Error is an answer of the service that is not a success. Only a status of 2xx
// is a success.
type Error struct {
	Operation  string         // name of the method, such as "Staff.Get"
	Method     string         // HTTP method
	StatusCode int            // HTTP status
	Header     http.Header    // header of the answer
	Problem    models.Problem // the error body; zero when the body was no JSON object
	Scopes     []string       // after a 403, the scopes that the operation needs, as far as they are described
	RequestID  string         // the RequestId that was sent with every attempt
	Attempts   []Attempt      // the attempts, with the reasons for retries
	Body       []byte         // the body as it came, at most 64 KiB of it
	RetryAfter time.Duration  // how long the service asked to wait before the next request; 0 when it did not
	// Err is the reason why no new access token could be obtained after a 401,
	// such as an *auth.TokenError, or the error with which your CheckRedirect
	// refused a redirect, see [WithHTTPClient]; otherwise nil.
	Err error

	grant string // after a 403, kind of token that the operation needs
}

// Error names the operation, the status, the explanation of the service with
// the first fields that it refused, and the request id, on one line.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: status %d", e.Operation, e.StatusCode)
	if text := http.StatusText(e.StatusCode); text != "" {
		b.WriteString(" " + text)
	}
	if message := explanation(e.Problem); message != "" {
		b.WriteString(": " + message)
	}
	if e.Err != nil {
		b.WriteString(": " + oneLine(e.Err.Error()))
	}
	if e.RetryAfter > 0 {
		b.WriteString("; the service wants no request for " + e.RetryAfter.String())
	}
	if len(e.Scopes) > 0 {
		b.WriteString("; needs the scope " + strings.Join(e.Scopes, " "))
	}
	if e.grant != "" {
		b.WriteString("; needs " + e.grant)
	}
	writeTrailer(&b, e.RequestID, e.Attempts)
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel of the status.
func (e *Error) Is(target error) bool {
	sentinel := sentinelOf(e.StatusCode)
	return sentinel != nil && target == sentinel
}

// LogValue returns the parts that identify the failure.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("operation", e.Operation),
		slog.Int("status", e.StatusCode),
		slog.String("request_id", e.RequestID),
		slog.Int("attempts", len(e.Attempts)),
		slog.String("message", explanation(e.Problem)),
	)
}

// Format writes the text of the error for every verb.
func (e Error) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e Error) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

func sentinelOf(status int) error {
	switch {
	case status == http.StatusBadRequest:
		return ErrBadRequest
	case status == http.StatusUnauthorized:
		return ErrUnauthorized
	case status == http.StatusForbidden:
		return ErrForbidden
	case status == http.StatusNotFound:
		return ErrNotFound
	case status == http.StatusConflict:
		return ErrConflict
	case status == http.StatusTooManyRequests:
		return ErrRateLimited
	case status >= 300 && status < 400:
		return ErrRedirect
	case status >= 500:
		return ErrServer
	}
	return nil
}

// NoAnswerError reports a call that ended without a complete answer: the
// connection, a time limit, the context, the rate limit or the token source
// failed. Err is the cause, for errors.Is and errors.As.
type NoAnswerError struct {
	Operation string
	RequestID string
	Attempts  []Attempt // empty when nothing was sent
	Err       error
}

// Error describes the failure, without any secret.
func (e *NoAnswerError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: %s", e.Operation, oneLine(e.Err.Error()))
	writeTrailer(&b, e.RequestID, e.Attempts)
	return b.String()
}

// Unwrap returns Err.
func (e *NoAnswerError) Unwrap() error { return e.Err }

// LogValue returns the parts that identify the failure.
func (e *NoAnswerError) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("operation", e.Operation),
		slog.String("request_id", e.RequestID),
		slog.Int("attempts", len(e.Attempts)),
		slog.String("message", oneLine(e.Err.Error())),
	)
}

// Format writes the text of the error for every verb.
func (e NoAnswerError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e NoAnswerError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// AmbiguousWriteError reports a create that may have been executed although no
// answer confirms it. The client did not send it again, because a second
// execution would create a second record. Look for the record before you repeat
// the call.
type AmbiguousWriteError struct {
	Operation string
	RequestID string
	Err       error // an *Error when the service answered with 5xx, otherwise a *NoAnswerError
}

// Error describes the failure, without any secret.
func (e *AmbiguousWriteError) Error() string {
	return "practice: " + e.Operation + ": the write may have been executed: " + e.Err.Error()
}

// Unwrap returns Err.
func (e *AmbiguousWriteError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e AmbiguousWriteError) Format(state fmt.State, verb rune) {
	formatError(state, verb, (&e).Error())
}

// MarshalJSON returns the text of the error; the error is always nil.
func (e AmbiguousWriteError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// ArgumentError reports an argument that the client refused before it sent
// anything.
type ArgumentError struct {
	Operation string
	Argument  string // its name in the specification, such as "matterId"
	Reason    string
}

// Error describes the failure, without any secret.
func (e *ArgumentError) Error() string {
	return "practice: " + e.Operation + ": " + e.Argument + " " + e.Reason
}

// ConfigError reports an option that NewClient, With or ForAccount refused. It
// never repeats the value, which may be a secret.
type ConfigError struct {
	Setting string
	Reason  string
}

// Error describes the failure, without any secret.
func (e *ConfigError) Error() string { return "practice: " + e.Setting + " " + e.Reason }

// DecodeError reports a complete, successful answer that could not be read. The
// client does not repeat the call: if it is a write, it was executed. It ends
// an iterator: after the records before the fault if the fault is in the list,
// otherwise before any record of the page.
type DecodeError struct {
	Operation  string
	StatusCode int
	RequestID  string
	Body       []byte // the answer as it came
	Err        error
}

// Error describes the failure, without any secret.
func (e *DecodeError) Error() string {
	return "practice: " + e.Operation + ": status " + strconv.Itoa(e.StatusCode) +
		", but the answer could not be read: " + e.Err.Error() + " (request " + e.RequestID + ")"
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e DecodeError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e DecodeError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// RecordError reports one record of a list that could not be read. The other
// records of the list are not affected.
type RecordError struct {
	Operation string
	RequestID string
	Index     int    // position in the whole list, from 0: offset of the page plus place in it
	Path      string // place in the answer, such as "value[3]"
	Raw       []byte // the record as it came
	Err       error
}

// Error describes the failure, without any secret.
func (e *RecordError) Error() string {
	return fmt.Sprintf("practice: %s: record %d (%s) could not be read: %v (request %s)", e.Operation, e.Index, e.Path, e.Err, e.RequestID)
}

// Unwrap returns Err.
func (e *RecordError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e RecordError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e RecordError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// writeTrailer ends a message with the request id and the number of attempts.
func writeTrailer(b *strings.Builder, requestID string, attempts []Attempt) {
	fmt.Fprintf(b, " (request %s", requestID)
	if len(attempts) > 1 {
		fmt.Fprintf(b, ", %d attempts", len(attempts))
	}
	b.WriteString(")")
}

func oneLine(text string) string { return redact.OneLine(text) }

func bounded(text string, limit int) string { return redact.Bounded(text, limit) }

// Bounds of the fields in an explanation.
const (
	mostFields  = 5
	mostOfField = 160 // maximum bytes of each
)

// explanation returns the explanation of the service on one line: its message
// and the fields that it names.
func explanation(problem models.Problem) string {
	message := oneLine(problem.Message())
	var fields []string
	for _, field := range problem.Errors {
		if text := oneLine(field.String()); text != "" && text != message {
			fields = append(fields, bounded(text, mostOfField))
		}
	}
	if len(fields) == 0 {
		return message
	}
	if more := len(fields) - mostFields; more > 0 {
		fields = append(fields[:mostFields], "and "+strconv.Itoa(more)+" more")
	}
	return strings.TrimSpace(message + " [" + strings.Join(fields, "; ") + "]")
}

// formatError writes the text of an error for any verb. Package fmt, like
// encoding/json, would show the fields: an answer may hold a key or a
// pre-signed address, and a cause the address of the request.
// formatError writes the text of an error for any verb. Package fmt, like
// encoding/json, would show the fields: an answer may hold a key or a
// pre-signed address, and a cause the address of the request.
func formatError(state fmt.State, verb rune, text string) { redact.Format(state, verb, text) }
