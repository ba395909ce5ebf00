package practicetest

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// Event is a change notification before it is addressed to a subscription.
type Event struct {
	// Type is the event type, for example matter.updated.
	Type string `json:"type"`
	// AccountID is the account it happened in. Empty means the seeded firm's.
	AccountID string `json:"accountId"`
	// UserID is the user that caused it. When it is empty, the notification has
	// no userId.
	UserID string `json:"userId"`
	// Source is API, or the name of the vendor's own application. Empty means
	// API.
	Source string `json:"source"`
	// Payload is the JSON object of the event. Nil means {}.
	Payload json.RawMessage `json:"payload"`
	// Timestamp is the moment it happened, in .NET ticks. 0 means the clock's
	// now.
	Timestamp int64 `json:"-"`
	// RequestID is the RequestId of the request that caused it. When it is
	// empty, the service makes one up.
	RequestID string `json:"requestId"`
}

// Delivery is one attempt to bring an event to a subscription.
type Delivery struct {
	// SubscriptionID is the webhook subscription.
	SubscriptionID string `json:"subscriptionId"`
	// URL is the callback address.
	URL string `json:"url"`
	// Type is the event type.
	Type string `json:"type"`
	// RequestID is the RequestId header that was sent.
	RequestID string `json:"requestId"`
	// Header holds the request headers that were sent.
	Header http.Header `json:"headers"`
	// Body is the notification as sent.
	Body []byte `json:"-"`
	// Sent is the time the delivery began.
	Sent time.Time `json:"sent"`
	// Duplicate reports whether [WithWebhookChaos] added this delivery as a
	// repetition.
	Duplicate bool `json:"duplicate"`
	// Status is the HTTP status of the receiver's answer; 0 when there was
	// none.
	Status int `json:"status"`
	// Err is the reason why there was no answer, for example a refused
	// connection or the limit of 10 seconds.
	Err error `json:"-"`
}

// subscribable returns the types that can be subscribed to.
func (s *Server) subscribable() []string {
	all := eventTypes()
	for _, t := range s.cfg.eventTypes {
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// eventTypes returns the types that the interface lists.
func eventTypes() []string {
	return []string{
		"activitycode.created", "activitycode.deleted", "activitycode.updated",
		"archive.updated", "billingconfiguration.updated",
		"contact.created", "contact.deleted", "contact.restored", "contact.updated",
		"expense.created", "expense.deleted", "expense.updated",
		"event.updated", "files.updated",
		"fee.created", "fee.deleted", "fee.updated",
		"firm.updated", "firmuser.updated", "invoice.finalized",
		"layoutdesign.updated", "layoutmatter.created", "layoutmatter.updated",
		"mattertype.updated", "matter.created", "matter.updated", "matteritems.updated", "matterstage.updated",
		"memo.created", "memo.updated", "memo.deleted", "memo.restored",
		"roles.updated", "staff.created", "staff.updated",
		"stageset.created", "stageset.updated",
		"task.created", "task.updated", "task.deleted",
		"user.registered", "user.unregistered", "error",
	}
}

// systemEventTypes lists the types sent to every subscription regardless of its
// account.
func systemEventTypes() []string { return []string{"mattertype.updated"} }

// Emit raises an event. Every subscription of its account that lists its type
// is notified; for a system event, every subscription that lists it. An event
// of a type that cannot be subscribed to reaches every subscription of the
// account, so that a test can send types that the receiver does not know. Emit
// panics when the payload is not JSON.
func (s *Server) Emit(e Event) {
	if len(e.Payload) > 0 && !json.Valid(e.Payload) {
		panic("practicetest: the payload of the event " + e.Type + " is not JSON")
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

// complete sets the missing members of an event.
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
