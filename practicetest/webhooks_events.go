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
	Type string
	// AccountID is the account it happened in; the seeded firm's when empty.
	AccountID string
	// UserID is the user that caused it; absent from the body when empty.
	UserID string
	// Source is API, or the name of the vendor's own application; API when empty.
	Source string
	// Payload is the JSON object of the event; {} when nil.
	Payload json.RawMessage
	// Timestamp is the .NET ticks of the moment it happened; the clock's now when zero.
	Timestamp int64
	// RequestID is the RequestId of the request that caused it; made up when empty.
	RequestID string
}

// Delivery is one attempt to bring an event to a subscription.
type Delivery struct {
	// SubscriptionID is the webhook subscription.
	SubscriptionID string
	// URL is the callback address.
	URL string
	// Type is the event type.
	Type string
	// RequestID is the RequestId header that was sent.
	RequestID string
	// Header holds the request headers that were sent.
	Header http.Header
	// Body is the notification as sent.
	Body []byte
	// Sent is the time the delivery began.
	Sent time.Time
	// Duplicate marks a repetition that chaos added.
	Duplicate bool
	// Status is the answer's status; zero when there was none.
	Status int
	// Err says why there was no answer: the 10 second limit, a refused connection.
	Err error
}

// eventTypes are the types that can be subscribed to. Specification, Event types.
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

// systemEventTypes are sent to every subscription regardless of its account.
func systemEventTypes() []string { return []string{"mattertype.updated"} }

// Emit raises a change event by hand: every subscription of its account that lists
// its type is notified, and for a system event every subscription that lists it.
// A type outside of the list of event types reaches every subscription of the
// account, so that receivers can be tested with types they do not know.
func (s *Server) Emit(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settleDue(s.clock.Now().UTC())
	s.dispatch(e)
}

func (s *Server) dispatch(e Event) {
	s.endGrants(s.clock.Now())
	e = s.complete(e)
	system := slices.Contains(systemEventTypes(), e.Type)
	known := slices.Contains(eventTypes(), e.Type)
	for _, sub := range s.state.subscriptions {
		here := system || sub.accountID == e.AccountID
		if here && (!known || slices.Contains(sub.eventTypes, e.Type)) {
			s.courier.enqueue(*sub, e)
		}
	}
}

// complete fills in what an event does not say.
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
		e.RequestID = s.state.ids.next()
	}
	return e
}

// raiseFiles tells that the documents of a matter have changed.
func (s *Server) raiseFiles(now time.Time, from cause, m *matter) {
	s.raise(now, from, "files.updated", encode(struct {
		ID     string `json:"id"`
		Matter *link  `json:"matter"`
	}{m.id, from.link.matter(m.id)}))
}
