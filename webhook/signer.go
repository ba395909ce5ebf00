package webhook

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Signer signs deliveries as the service does, for tests. It is safe for
// concurrent use.
type Signer struct {
	clientID string
	mac      mac
}

// NewSigner returns a signer for a client id and a subscription key. An empty
// key or client id is a [ConfigError].
func NewSigner[K string | models.Secret](clientID string, key K) (*Signer, error) {
	if err := checkClientID(clientID); err != nil {
		return nil, err
	}
	secret := secretOf(key)
	if secret.IsZero() {
		return nil, &ConfigError{"key", "must not be empty"}
	}
	return &Signer{clientID: clientID, mac: newMAC(secret)}, nil
}

// Signature returns the signature for the given values of the headers Timestamp
// and RequestId: the HMAC-SHA256 of Timestamp|RequestId|ClientId in lower-case
// hexadecimal.
func (s *Signer) Signature(timestamp, requestID string) string {
	signature := s.mac(message(timestamp, requestID, s.clientID))
	return string(signature[:])
}

// Sign sets the headers of a delivery with the given send time. The request id
// may be empty. A time outside the years 1 to 9999 is [models.ErrTicksRange].
// The signature does not cover the body.
func (s *Signer) Sign(header http.Header, sent time.Time, requestID string) error {
	ticks, err := models.TicksOf(sent)
	if err != nil {
		return err
	}
	timestamp := strconv.FormatInt(int64(ticks), 10)
	header.Set(HeaderTimestamp, timestamp)
	header.Set(HeaderRequestID, requestID)
	header.Set(HeaderSignature, s.Signature(timestamp, requestID))
	return nil
}

// NewRequest returns a signed delivery for a test: an event that happened now,
// with the given type and payload and a new RequestId. Send it with an
// [http.Client], or pass it to [Receiver.ServeHTTP]. The payload is marshalled
// as JSON; nil means {}. For other members, times and ids, create the request
// yourself and call [Signer.Sign].
func (s *Signer) NewRequest(ctx context.Context, url string, eventType models.EventType, payload any) (*http.Request, error) {
	if payload == nil {
		payload = struct{}{}
	}
	now := time.Now()
	ticks, err := models.TicksOf(now)
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(struct {
		Type      models.EventType `json:"type"`
		Timestamp models.Ticks     `json:"timestamp"`
		Payload   any              `json:"payload"`
	}{eventType, ticks, payload})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	return req, s.Sign(req.Header, now, rand.Text())
}
