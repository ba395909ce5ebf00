package webhook

import (
	"bytes"
	"encoding/json"
	"log/slog"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// Event is a notification with its payload as P. An event may arrive more than
// once and out of order. The signature covers only the fields of Verified.
type Event[P any] struct {
	// Type is the type of the event; never empty.
	Type models.EventType
	// AccountID identifies the account of the subscription. Empty when absent.
	AccountID string
	// UserID identifies the user who caused the event. Often empty.
	UserID string
	// SubscriptionID identifies the webhook subscription. Empty when absent.
	SubscriptionID string
	// Source is the origin of the change, such as models.NotificationSourceAPI.
	// Empty when absent.
	Source string
	// Timestamp is the time of the event in ticks, or zero if absent. Use it to
	// order events.
	Timestamp models.Ticks
	// Payload is the decoded payload. Zero when it is absent or null. As a
	// json.RawMessage it holds the JSON text without white space, which the
	// handlers of one delivery share and must not modify.
	Payload P
	// Raw is the whole body as received, including members without a field
	// here. The handlers of one delivery share it and must not modify it.
	Raw json.RawMessage
	// RequestID is the id of the request that caused the event: from the
	// header, or from the body when the header is missing. Empty when absent.
	// Only Verified.RequestID is signed.
	RequestID string
	// Verified holds what the signature covers. It does not cover the body.
	Verified Verified
	// Attempt is the number of the attempt from a queue, from 1; 0 within the
	// request.
	Attempt int
	// LastAttempt reports whether the message becomes a dead letter if this
	// attempt fails. False within the request.
	LastAttempt bool

	payload json.RawMessage
}

// LogValue returns the fields that identify the event. It omits the payload,
// which may hold personal data.
func (e Event[P]) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("type", string(e.Type)), slog.String("account_id", e.AccountID), slog.String("subscription_id", e.SubscriptionID),
		slog.Any("timestamp", e.Timestamp), slog.String("request_id", e.RequestID),
	)
}

func newEvent[P any](d *delivery) (*Event[P], error) {
	n := &d.notification
	e := &Event[P]{
		Type: n.kind, AccountID: n.accountID, UserID: n.userID, SubscriptionID: n.subscriptionID, Source: n.source,
		Timestamp: n.timestamp, Raw: d.body, RequestID: d.requestID, Verified: d.verified, Attempt: d.attempt, LastAttempt: d.last,
		payload: n.payload,
	}
	return e, decodePayload(n.payload, &e.Payload)
}

// decodePayload decodes the payload. If there is none, it does not change
// payload.
func decodePayload(text json.RawMessage, payload any) error {
	if text == nil {
		return nil
	}
	if raw, ok := payload.(*json.RawMessage); ok {
		*raw = text
		return nil
	}
	if record, ok := models.Wire.Record(payload); ok {
		return codec.Unmarshal(text, record, models.Wire)
	}
	// With UseNumber an any keeps all digits of numbers such as ticks.
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(payload)
}
