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

// Sentinels for errors.Is. An *Error matches the sentinel of its status.
var (
	ErrRedirect     = errors.New("the service redirected the request")                       // a 3xx that was not followed
	ErrBadRequest   = errors.New("the service rejected the request as invalid")              // 400
	ErrUnauthorized = errors.New("the service did not accept the credentials")               // 401: an expired token, a missing scope, a wrong user or account id, a wrong key
	ErrForbidden    = errors.New("access is denied")                                         // 403: a record of another firm, a missing scope, a wrong key
	ErrNotFound     = errors.New("the record was not found")                                 // 404
	ErrConflict     = errors.New("the write conflicts with the current state of the record") // 409
	ErrRateLimited  = errors.New("too many requests")                                        // 429
	ErrServer       = errors.New("the service failed")                                       // 5xx
)

// Causes of a NoAnswerError; use errors.Is.
var (
	// ErrBodyTooLarge: the response is larger than the limit set with WithMaxBody.
	ErrBodyTooLarge = transport.ErrBodyTooLarge
	// ErrWebPage: a successful response is HTML, from a proxy for example, or
	// because the base URL is wrong. It does not prove that a write was executed.
	// For a read, a DecodeError wraps it.
	ErrWebPage = errors.New("the service returned a web page instead of an API response")
	// ErrRateLimitWait: waiting for the rate limit would exceed the time limit.
	ErrRateLimitWait = transport.ErrRateLimitWait
)

// ErrEmptyAnswer is the cause of a DecodeError if the response to a read has no
// body or is null.
var ErrEmptyAnswer = errors.New("the response is empty")

// ErrNoID reports that the service accepted or returned a record without its
// id.
var ErrNoID = errors.New("the response has no id")

// Error reports a response of the service with a status other than 2xx.
type Error struct {
	Operation  string         // name of the method, such as "Staff.Get"
	Method     string         // HTTP method
	StatusCode int            // HTTP status
	Header     http.Header    // header of the response
	Problem    models.Problem // the error body; zero if the body was not a JSON object
	Scopes     []string       // after a 403, the scopes that the operation needs, if they are documented
	RequestID  string         // the RequestId, which all attempts share
	Attempts   []Attempt      // the attempts, with the reasons for retries
	Body       []byte         // the body as received, up to 64 KiB
	RetryAfter time.Duration  // how long the service asked the client to wait before the next request; 0: not specified
	// After a 401, Err is the reason why no new access token could be obtained,
	// such as an *auth.TokenError. After a redirect, it is the error that your
	// CheckRedirect returned (see [WithHTTPClient]). Otherwise it is nil.
	Err error

	grant string // after a 403, the kind of token that the operation needs
}

// Error returns the operation, the status, the message of the service with the
// first fields that it rejected, and the request id, on one line.
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
	if e.StatusCode == http.StatusUnauthorized {
		b.WriteString("; possible causes: an expired token, a missing scope, a wrong user or account id, or a wrong API key")
	}
	if e.RetryAfter > 0 {
		b.WriteString("; the service asked the client to wait " + e.RetryAfter.String())
	}
	if len(e.Scopes) > 0 {
		b.WriteString("; requires the scope " + strings.Join(e.Scopes, " "))
	}
	if e.grant != "" {
		b.WriteString("; requires " + e.grant)
	}
	writeTrailer(&b, e.RequestID, e.Attempts)
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the sentinel for the status.
func (e *Error) Is(target error) bool {
	sentinel := sentinelOf(e.StatusCode)
	return sentinel != nil && target == sentinel
}

// LogValue returns the members that identify the failure.
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

// NoAnswerError reports a call that ended without a complete response: the
// connection, a time limit, the context, the rate limit or the token source
// failed. Err is the cause; use errors.Is and errors.As.
type NoAnswerError struct {
	Operation string
	RequestID string
	Attempts  []Attempt // empty if nothing was sent
	Err       error
}

// Error describes the failure without secrets.
func (e *NoAnswerError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "practice: %s: %s", e.Operation, oneLine(e.Err.Error()))
	writeTrailer(&b, e.RequestID, e.Attempts)
	return b.String()
}

// Unwrap returns Err.
func (e *NoAnswerError) Unwrap() error { return e.Err }

// LogValue returns the members that identify the failure.
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
// response confirms it. The client did not retry it, because a second execution
// would create a second record. Look for the record before you call again.
type AmbiguousWriteError struct {
	Operation string
	RequestID string
	Err       error // an *Error if the service responded with 5xx or 303, otherwise a *NoAnswerError
}

// Error describes the failure without secrets.
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

// ArgumentError reports an argument that the client rejected before it sent a
// request.
type ArgumentError struct {
	Operation string
	Argument  string // name in the API specification, such as "matterId"
	Reason    string
}

// Error describes the failure without secrets.
func (e *ArgumentError) Error() string {
	return "practice: " + e.Operation + ": " + e.Argument + " " + e.Reason
}

// ConfigError reports an option that NewClient, With or ForAccount rejected. It
// never contains the value, which may be a secret.
type ConfigError struct {
	Setting string
	Reason  string
}

// Error describes the failure without secrets.
func (e *ConfigError) Error() string { return "practice: " + e.Setting + " " + e.Reason }

// DecodeError reports a complete, successful response that could not be
// decoded. The client does not retry the call: if it is a write, it was
// executed. A DecodeError ends an iterator: after the records before the fault
// if the fault is in the list, otherwise before any record of the page.
type DecodeError struct {
	Operation  string
	StatusCode int
	RequestID  string
	Body       []byte // the response as received
	Err        error
}

// Error describes the failure without secrets.
func (e *DecodeError) Error() string {
	return "practice: " + e.Operation + ": status " + strconv.Itoa(e.StatusCode) +
		", but the response could not be read: " + e.Err.Error() + " (request " + e.RequestID + ")"
}

// Unwrap returns Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e DecodeError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e DecodeError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// RecordError reports one record of a list that could not be decoded. The other
// records of the list are not affected.
type RecordError struct {
	Operation string
	RequestID string
	Index     int    // position in the whole list, from 0: offset of the page plus position in the page
	Path      string // path in the response, such as "value[3]"
	Raw       []byte // the record as received
	Err       error
}

// Error describes the failure without secrets.
func (e *RecordError) Error() string {
	return fmt.Sprintf("practice: %s: record %d (%s) could not be read: %v (request %s)", e.Operation, e.Index, e.Path, e.Err, e.RequestID)
}

// Unwrap returns Err.
func (e *RecordError) Unwrap() error { return e.Err }

// Format writes the text of the error for every verb.
func (e RecordError) Format(state fmt.State, verb rune) { formatError(state, verb, (&e).Error()) }

// MarshalJSON returns the text of the error; the error is always nil.
func (e RecordError) MarshalJSON() ([]byte, error) { return json.Marshal((&e).Error()) }

// writeTrailer appends the request id and the number of attempts to a message.
func writeTrailer(b *strings.Builder, requestID string, attempts []Attempt) {
	fmt.Fprintf(b, " (request %s", requestID)
	if len(attempts) > 1 {
		fmt.Fprintf(b, ", %d attempts", len(attempts))
	}
	b.WriteString(")")
}

func oneLine(text string) string { return redact.OneLine(text) }

func bounded(text string, limit int) string { return redact.Bounded(text, limit) }

// Limits for the fields in an explanation.
const (
	mostFields  = 5
	mostOfField = 160 // bytes of one field
)

// explanation returns, on one line, the message of the service and the fields
// that it names.
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

// formatError writes text for any verb. Without it, packages fmt and
// encoding/json would print the fields of the error: a response may contain a
// key or a pre-signed address, and a cause the address of the request.
func formatError(state fmt.State, verb rune, text string) { redact.Format(state, verb, text) }
