package practicetest

import (
	"encoding/json"
	"net/http"
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
