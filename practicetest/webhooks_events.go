package practicetest

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// Event is a change notification for the subscriptions that match it.
type Event struct {
	// Type is the event type, such as matter.updated.
	Type string `json:"type"`
	// AccountID is the id of the account in which the event occurred. Empty
	// means the account of the seeded firm.
	AccountID string `json:"accountId"`
	// UserID is the id of the user who caused the event. If it is empty, the
	// webhook has no userId.
	UserID string `json:"userId"`
	// Source is API, or the name of the vendor's own application. Empty means
	// API.
	Source string `json:"source"`
	// Payload is a JSON object. Nil means {}.
	Payload json.RawMessage `json:"payload"`
	// Timestamp is the time of the event in .NET ticks. 0 means the current
	// time of the clock.
	Timestamp int64 `json:"-"`
	// RequestID is the RequestId of the request that caused the event. If it is
	// empty, the service generates one.
	RequestID string `json:"requestId"`
}

// Delivery is one attempt to deliver an event to a subscription.
type Delivery struct {
	// SubscriptionID is the id of the webhook subscription.
	SubscriptionID string `json:"subscriptionId"`
	// URL is the callback URL.
	URL string `json:"url"`
	// Type is the event type.
	Type string `json:"type"`
	// RequestID is the RequestId header of the delivery.
	RequestID string `json:"requestId"`
	// Header holds the headers of the delivery.
	Header http.Header `json:"headers"`
	// Body is the body of the delivery.
	Body []byte `json:"-"`
	// Sent is the time at which the delivery began.
	Sent time.Time `json:"sent"`
	// Duplicate reports whether this is a repetition that [WithWebhookChaos]
	// added.
	Duplicate bool `json:"duplicate"`
	// Status is the HTTP status of the receiver's response. 0 if there was no
	// response.
	Status int `json:"status"`
	// Err is the reason why there was no response, such as a refused connection
	// or the time limit of 10 seconds.
	Err error `json:"-"`
}

// subscribable returns the event types that can be subscribed to.
func (s *Server) subscribable() []string {
	all := slices.Clip(eventTypes())
	for _, t := range s.cfg.eventTypes {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// eventTypes returns the event types that the API description documents.
func eventTypes() []string {
	form := schemas["WebhookCreate"]
	return form[slices.IndexFunc(form, func(m value) bool { return m.name == "eventTypes" })].elem.known
}

// systemEventTypes returns the event types that are sent to subscriptions of
// all accounts.
func systemEventTypes() []string { return []string{"mattertype.updated"} }

// Emit raises an event. Every subscription of the account that lists the event
// type is notified; for a system event, every subscription that lists it. An
// event of a type that cannot be subscribed to reaches every subscription of
// the account, so that a test can send types that the receiver does not know.
// Emit panics if the payload is not valid JSON.
func (s *Server) Emit(e Event) {
	if len(e.Payload) > 0 && !json.Valid(e.Payload) {
		panic("practicetest: the payload of the event " + e.Type + " is not valid JSON")
	}
	defer s.settled()()
	s.dispatch(e)
}

func (s *Server) dispatch(e Event) {
	s.endGrants(s.clock.Now())
	e = s.complete(e)
	system := slices.Contains(systemEventTypes(), e.Type)
	known := slices.Contains(s.subscribable(), e.Type)
	for _, sub := range s.state.subscriptions {
		here := system || sub.accountID == e.AccountID
		if here && (!known || slices.Contains(sub.eventTypes, e.Type)) {
			s.courier.enqueue(*sub, e)
		}
	}
}

// complete sets the default values of an event.
func (s *Server) complete(e Event) Event {
	if e.AccountID == "" {
		e.AccountID = s.firm.AccountID
	}
	if e.Source == "" {
		e.Source = "API"
	}
	if len(e.Payload) == 0 {
		e.Payload = json.RawMessage("{}")
	}
	if e.Timestamp == 0 {
		e.Timestamp = ticks(s.clock.Now())
	}
	if e.RequestID == "" {
		e.RequestID = s.state.newID("request")
	}
	return e
}
