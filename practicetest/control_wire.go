package practicetest

import (
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// longest is the maximum of the durations in commands, about 100 years.
const longest = 100 * 365 * 24 * time.Hour

func lacking(member string) *problem { return invalid(fieldFault{member, "Required", "is required"}) }

// milliseconds converts a number of milliseconds, which must be between least
// and longest.
func milliseconds(member string, n int64, least time.Duration) (time.Duration, error) {
	if n < least.Milliseconds() || n > longest.Milliseconds() {
		return 0, faulty(member, "must be between %d and %d", least.Milliseconds(), longest.Milliseconds())
	}
	return time.Duration(n) * time.Millisecond, nil
}

type wireClock struct {
	Now     time.Time `json:"now"`
	Virtual bool      `json:"virtual"`
}

// controlFault is the JSON form of a [Fault].
type controlFault struct {
	Fault
	Kind              string `json:"kind"`
	DelayMilliseconds int64  `json:"delayMilliseconds"`
}

// wireName returns the JSON form of a kind, such as reset-before.
func (k FaultKind) wireName() string {
	return strings.ToLower(strings.ReplaceAll(k.String(), " ", "-"))
}

func wireFault(f Fault) controlFault {
	return controlFault{f, f.Kind.wireName(), f.Delay.Milliseconds()}
}

func (f controlFault) fault() (fault Fault, err error) {
	fault = f.Fault
	if fault.Kind, err = faultKindOf(f.Kind); err != nil {
		return fault, err
	}
	fault.Delay, err = milliseconds("delayMilliseconds", f.DelayMilliseconds, 0)
	switch {
	case err != nil:
	case f.Skip < 0:
		err = faulty("skip", "must not be negative")
	case f.Status != 0 && (f.Status < 200 || f.Status > 599):
		err = faulty("status", "must be between 200 and 599")
	case f.After < 0:
		err = faulty("after", "must not be negative")
	case f.BytesPerSecond < 0:
		err = faulty("bytesPerSecond", "must not be negative")
	}
	return fault, err
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
	return 0, faulty("kind", "the kind of fault %q does not exist", name)
}

// controlEvent is the JSON form of an [Event].
type controlEvent struct {
	Event
	Happened *time.Time `json:"happened"`
}

func (s *Server) emitOne(_ context.Context, told controlEvent) (any, error) {
	event := told.Event
	var object map[string]json.RawMessage
	switch {
	case told.Type == "":
		return nil, lacking("type")
	case told.Payload != nil && (json.Unmarshal(told.Payload, &object) != nil || object == nil):
		return nil, faulty("payload", "must be a JSON object")
	}
	if told.Happened != nil {
		event.Timestamp = ticks(*told.Happened)
	}
	s.Emit(event)
	return nil, nil
}

// controlBody is the JSON form of a body: a string if it is valid UTF-8,
// otherwise base64.
type controlBody struct {
	Text   *string `json:"body,omitempty"`
	Base64 []byte  `json:"bodyBase64,omitempty"`
}

// content returns the bytes of the body, which may be given in either form but
// not in both.
func (b controlBody) content() ([]byte, error) {
	switch {
	case b.Text == nil:
		return b.Base64, nil
	case b.Base64 != nil:
		return nil, faulty("body", "must not be combined with bodyBase64")
	default:
		return []byte(*b.Text), nil
	}
}

func controlBodyOf(b []byte) controlBody {
	if utf8.Valid(b) {
		return controlBody{Text: new(string(b))}
	}
	return controlBody{Base64: b}
}

// controlRequest is the JSON form of a [RecordedRequest].
type controlRequest struct {
	RecordedRequest
	controlBody
	Answer string `json:"answer"`
}

func wireRequest(r RecordedRequest) controlRequest {
	r.Violations, r.Warnings = append([]string{}, r.Violations...), append([]string{}, r.Warnings...)
	return controlRequest{r, controlBodyOf(r.Body), strings.ToValidUTF8(string(r.Answer), "\uFFFD")}
}

// controlDelivery is the JSON form of a [Delivery].
type controlDelivery struct {
	Delivery
	controlBody
	Error string `json:"error,omitempty"`
}

func wireDelivery(d Delivery) controlDelivery {
	d.Sent = d.Sent.UTC()
	w := controlDelivery{Delivery: d, controlBody: controlBodyOf(d.Body)}
	if d.Err != nil {
		w.Error = d.Err.Error()
	}
	return w
}

// controlSeed is the JSON form of a [Seed]. A missing member keeps the current
// value.
type controlSeed struct {
	Number     *uint64 `json:"number"`
	Events     *int    `json:"events"`
	Matters    *int    `json:"matters"`
	Promotions *int    `json:"promotions"`
}

// wireSeed is the JSON form of a [Seed] and the identifiers of its firm.
type wireSeed struct {
	Seed
	Firm Firm `json:"firm"`
}

// controlSubscription is the JSON form of a webhook subscription. It omits the
// key.
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
