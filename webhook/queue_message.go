package webhook

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Message is a verified and decoded delivery in a [Queue].
type Message struct {
	// Identity identifies the event; see [Event.Identity].
	Identity string
	// Record identifies the record of the event, by the account, the area of
	// the event type and the id in the payload: 64 hexadecimal digits. The queue preserves the order of messages with the
	// same Record. Empty when the event has no record, or without
	// [WithSerialRecords].
	Record string
	// Received is the time at which the receiver got the delivery, in
	// microseconds.
	Received time.Time
	// RequestID is the id of the request that caused the event; see
	// [Event.RequestID].
	RequestID string
	// Verified is the result of the verification on receipt, without the
	// signature, which could be replayed.
	Verified Verified
	// Body is the notification as received.
	Body []byte
	// Carried holds the values that a [Propagator] took from the context of the
	// delivery.
	Carried map[string]string
}

// messageFormat is the version of the stored form.
const messageFormat = 1

// storedMessage is the stored form: human-readable JSON.
type storedMessage struct {
	Format    int       `json:"format"`
	Identity  string    `json:"identity"`
	Record    string    `json:"record,omitempty"`
	Received  time.Time `json:"received"`
	RequestID string    `json:"requestId,omitempty"` // percent-encoded, because it may hold any bytes
	Signed    bool      `json:"signed,omitempty"`
	SignedID  string    `json:"signedRequestId,omitempty"` // percent-encoded
	Timestamp string    `json:"timestamp,omitempty"`
	KeyIndex  int       `json:"keyIndex,omitempty"`
	Body      []byte    `json:"body"` // base64, because a body may hold bytes that JSON would change

	Carried map[string]string `json:"carried,omitempty"`
}

// MarshalBinary returns the stored form of the message.
func (m Message) MarshalBinary() ([]byte, error) {
	return json.Marshal(storedMessage{
		Format: messageFormat, Identity: m.Identity, Record: m.Record, Received: m.Received.UTC(), RequestID: url.PathEscape(m.RequestID),
		Signed: m.Verified.Signed(), SignedID: url.PathEscape(m.Verified.RequestID), Timestamp: m.Verified.Timestamp,
		KeyIndex: m.Verified.KeyIndex, Body: m.Body, Carried: m.Carried,
	})
}

// UnmarshalBinary decodes the stored form of a message.
func (m *Message) UnmarshalBinary(data []byte) error {
	var s storedMessage
	err := json.Unmarshal(data, &s)
	if err == nil {
		err = s.read(m)
	}
	if err != nil {
		return fmt.Errorf("webhook: cannot decode a stored message: %w", err)
	}
	return nil
}

func (s *storedMessage) read(m *Message) error {
	requestID, badID := url.PathUnescape(s.RequestID)
	signedID, badSignedID := url.PathUnescape(s.SignedID)
	sent, timely := parseTimestamp(s.Timestamp)
	switch err := errors.Join(badID, badSignedID); {
	case s.Format != messageFormat:
		return fmt.Errorf("unknown format %d", s.Format)
	case err != nil:
		return fmt.Errorf("invalid request id: %w", err)
	case s.Signed && !timely:
		return ErrBadTimestamp
	}
	*m = Message{
		Identity: s.Identity, Record: s.Record, Received: s.Received, RequestID: requestID, Body: s.Body, Carried: s.Carried,
	}
	if s.Signed {
		m.Verified = Verified{Timestamp: s.Timestamp, RequestID: signedID, SentAt: sent, KeyIndex: s.KeyIndex, stored: true}
	}
	return nil
}

// withoutSignature returns a copy that is safe to store.
func (v Verified) withoutSignature() Verified {
	v.stored = v.Signed()
	v.Signature, v.key = models.Secret{}, nil
	return v
}
