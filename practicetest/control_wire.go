package practicetest

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// longest is the longest time that a command takes, about 100 years.
const longest = 100 * 365 * 24 * time.Hour

func outOfPlace(member, format string, args ...any) *problem {
	return invalid(fieldFault{member, "Invalid", refuse(0, format, args...).detail})
}

func lacking(member string) *problem { return invalid(fieldFault{member, "Required", "required"}) }

// milliseconds returns a time from the least to the longest.
func milliseconds(member string, n int64, least time.Duration) (time.Duration, error) {
	if n < least.Milliseconds() || n > longest.Milliseconds() {
		return 0, outOfPlace(member, "must lie between %d and %d", least.Milliseconds(), longest.Milliseconds())
	}
	return time.Duration(n) * time.Millisecond, nil
}

type wireClock struct {
	Now     time.Time `json:"now"`
	Virtual bool      `json:"virtual"`
}

// controlFault is a [Fault] on the wire.
type controlFault struct {
	Operation         string `json:"operation"`
	Skip              int    `json:"skip"`
	Times             int    `json:"times"`
	Kind              string `json:"kind"`
	Status            int    `json:"status"`
	DelayMilliseconds int64  `json:"delayMilliseconds"`
	RetryAfter        string `json:"retryAfter"`
	Body              string `json:"body"`
	ContentType       string `json:"contentType"`
	After             int64  `json:"after"`
	BytesPerSecond    int64  `json:"bytesPerSecond"`
}

// wireName returns the name of a kind on the wire: reset-before.
func (k FaultKind) wireName() string {
	return strings.ToLower(strings.ReplaceAll(k.String(), " ", "-"))
}

func wireFault(f Fault) controlFault {
	return controlFault{
		f.Operation, f.Skip, f.Times, f.Kind.wireName(), f.Status, f.Delay.Milliseconds(), f.RetryAfter, f.Body, f.ContentType,
		f.After, f.BytesPerSecond,
	}
}

func (f controlFault) fault() (Fault, error) {
	kind, err := faultKindOf(f.Kind)
	if err != nil {
		return Fault{}, err
	}
	delay, err := milliseconds("delayMilliseconds", f.DelayMilliseconds, 0)
	switch {
	case err != nil:
		return Fault{}, err
	case f.Skip < 0:
		return Fault{}, outOfPlace("skip", "must not be negative")
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		return Fault{}, outOfPlace("status", "must lie between 200 and 599")
	case f.After < 0:
		return Fault{}, outOfPlace("after", "must not be negative")
	case f.BytesPerSecond < 0:
		return Fault{}, outOfPlace("bytesPerSecond", "must not be negative")
	}
	return Fault{
		f.Operation, f.Skip, f.Times, kind, f.Status, delay, f.RetryAfter, f.Body, f.ContentType, f.After, f.BytesPerSecond,
	}, nil
}

func faultKindOf(name string) (FaultKind, error) {
	if name == "" {
		return FaultStatus, nil
	}
	for kind := FaultStatus; kind.String() != "unknown"; kind++ {
		if kind.wireName() == name {
			return kind, nil
		}
	}
	return 0, outOfPlace("kind", "there is no kind of fault %q", name)
}

// controlEvent is an [Event] on the wire.
type controlEvent struct {
	Type      string          `json:"type"`
	AccountID string          `json:"accountId"`
	UserID    string          `json:"userId"`
	Source    string          `json:"source"`
	Payload   json.RawMessage `json:"payload"`
	Happened  *time.Time      `json:"happened"`
	RequestID string          `json:"requestId"`
}

func (s *Server) emitOne(_ context.Context, told controlEvent) (any, error) {
	event := Event{
		Type: told.Type, AccountID: told.AccountID, UserID: told.UserID, Source: told.Source, Payload: told.Payload,
		RequestID: told.RequestID,
	}
	var object map[string]json.RawMessage
	switch {
	case told.Type == "":
		return nil, lacking("type")
	case told.Payload != nil && (json.Unmarshal(told.Payload, &object) != nil || object == nil):
		return nil, outOfPlace("payload", "must be a JSON object")
	}
	if told.Happened != nil {
		event.Timestamp = ticks(*told.Happened)
	}
	s.Emit(event)
	return nil, nil
}

// controlBody is a body on the wire: as text when it is one, else in base64.
type controlBody struct {
	Text   *string `json:"body,omitempty"`
	Base64 []byte  `json:"bodyBase64,omitempty"`
}

func controlBodyOf(b []byte) controlBody {
	if utf8.Valid(b) {
		return controlBody{Text: new(string(b))}
	}
	return controlBody{Base64: b}
}

type controlRequest struct {
	Part      string      `json:"part"`
	Operation string      `json:"operation"`
	Method    string      `json:"method"`
	Path      string      `json:"path"`
	Query     string      `json:"query"`
	Header    http.Header `json:"headers"`
	controlBody
	BodyBytes  int64     `json:"bodyBytes"`
	Status     int       `json:"status"`
	RequestID  string    `json:"requestId"`
	When       time.Time `json:"when"`
	Answer     string    `json:"answer"`
	Violations []string  `json:"violations"`
	Warnings   []string  `json:"warnings"`
}

func wireRequest(r RecordedRequest) controlRequest {
	return controlRequest{
		r.Part, r.Operation, r.Method, r.Path, r.RawQuery, r.Header, controlBodyOf(r.Body), r.BodyBytes, r.Status, r.RequestID, r.When.UTC(),
		strings.ToValidUTF8(string(r.Answer), "\uFFFD"), append([]string{}, r.Violations...), append([]string{}, r.Warnings...),
	}
}

type controlDelivery struct {
	SubscriptionID string      `json:"subscriptionId"`
	URL            string      `json:"url"`
	Type           string      `json:"type"`
	RequestID      string      `json:"requestId"`
	Header         http.Header `json:"headers"`
	controlBody
	Sent      time.Time `json:"sent"`
	Duplicate bool      `json:"duplicate"`
	Status    int       `json:"status"`
	Error     string    `json:"error,omitempty"`
}

func wireDelivery(d Delivery) controlDelivery {
	w := controlDelivery{
		d.SubscriptionID, d.URL, d.Type, d.RequestID, d.Header, controlBodyOf(d.Body), d.Sent.UTC(), d.Duplicate, d.Status, "",
	}
	if d.Err != nil {
		w.Error = d.Err.Error()
	}
	return w
}

// controlSeed is a [Seed] on the wire. A member that is left out changes
// nothing.
type controlSeed struct {
	Number     *uint64 `json:"number"`
	Events     *int    `json:"events"`
	Matters    *int    `json:"matters"`
	Promotions *int    `json:"promotions"`
}

// wireSeed holds the seed of a firm and the identifiers of its records, as the
// control interface sends them.
type wireSeed struct {
	Seed
	Firm Firm `json:"firm"`
}

// controlSubscription is a webhook subscription on the wire, without its key.
type controlSubscription struct {
	ID         string   `json:"id"`
	AccountID  string   `json:"accountId"`
	Name       string   `json:"name"`
	EventTypes []string `json:"eventTypes"`
	URL        string   `json:"url"`
}

func (s *Server) readSubscriptions() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return listOf(s.state.subscriptions, func(sub *subscription) controlSubscription {
		return controlSubscription{sub.id, sub.accountID, sub.name, sub.eventTypes, sub.url}
	})
}
