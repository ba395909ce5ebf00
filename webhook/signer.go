package webhook

import (
	"net/http"
	"strconv"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Signer signs deliveries as the service does. It is for the tests of receivers. It may be used by many goroutines at
// once. Specification, Signature verification.
type Signer struct {
	clientID string
	mac      mac
}

// NewSigner gives the signer of the client with this id and this subscription key. An empty key or client id is a
// [ConfigError]. Specification, Signature verification.
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

// Signature gives the signature of a delivery with these texts of the headers Timestamp and RequestId: a lower-case
// hexadecimal HMAC-SHA256 over Timestamp|RequestId|ClientId. Specification, Signature verification.
func (s *Signer) Signature(timestamp, requestID string) string {
	return string(s.mac(message(timestamp, requestID, s.clientID)))
}

// Sign sets the headers of a delivery that is sent at the time sent. The request id may be empty. A time outside the
// years 1 to 9999 is [models.ErrTicksRange]. The body may be any: the signature does not cover it.
// Specification, Signature verification.
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
