package webhook

import (
	"bytes"
	"encoding/json"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// Event is a notification with its payload as P. Events may come repeated and out of order. Nothing of it but what
// Verified names is vouched for by the signature. Specification, Notification body, Delivery rules.
type Event[P any] struct {
	// Type is the kind of event; never empty. Specification, Event types.
	Type models.EventType
	// AccountID identifies the account of the subscription. Empty when absent. Specification, Notification body.
	AccountID string
	// UserID identifies the user who caused the event. Often empty. Specification, Notification body.
	UserID string
	// SubscriptionID identifies the webhook subscription. Empty when absent. Specification, Notification body.
	SubscriptionID string
	// Source is where the event came from; see models.NotificationSourceAPI. Empty when absent.
	// Specification, Notification body.
	Source string
	// Timestamp is when the event happened, in ticks; good for ordering. Zero when absent.
	// Specification, Notification body.
	Timestamp models.Ticks
	// Payload is the content. Zero when it is absent or null. As json.RawMessage it is the JSON text without white
	// space; it is shared by the handlers of the delivery and must not be changed. Specification, Notification body.
	Payload P
	// Raw is the whole body as it came, with members that have no field here. It is shared by the handlers of the
	// delivery and must not be changed. Specification, Notification body.
	Raw json.RawMessage
	// RequestID is the id of the request that caused the event: the header, or the member of the body where there is
	// no such header. Empty when absent. What the signature vouches for is Verified.RequestID.
	// Specification, General conventions.
	RequestID string
	// Verified is what the signature vouches for: not the body. Specification, Signature verification.
	Verified Verified
	// Order is what the Sequencer of the receiver advises; OrderNone without one. It is no more than advice, see
	// [Sequencer]. Specification, Delivery rules.
	Order Order

	payload json.RawMessage
}

func newEvent[P any](d *delivery) (*Event[P], error) {
	n := &d.notification
	e := &Event[P]{
		Type: n.kind, AccountID: n.accountID, UserID: n.userID, SubscriptionID: n.subscriptionID, Source: n.source,
		Timestamp: n.timestamp, Raw: d.body, RequestID: d.requestID, Verified: d.verified,
		payload: n.payload,
	}
	return e, decodePayload(n.payload, &e.Payload)
}

// decodePayload leaves the payload zero when there is none.
func decodePayload(text json.RawMessage, payload any) error {
	if text == nil {
		return nil
	}
	switch payload := payload.(type) {
	case *json.RawMessage:
		*payload = text
		return nil
	case codec.Unmarshaler:
		return codec.Unmarshal(text, payload)
	default:
		// Into an any, numbers like ticks would lose digits as float64.
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		return decoder.Decode(payload)
	}
}
