package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"hash"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/models"
)

// Verifier verifies the signatures of deliveries. A [Receiver] has one; use a
// Verifier directly where there is no HTTP server. It is safe for concurrent
// use.
type Verifier struct {
	clientID  string
	ring      *keyring
	tolerance time.Duration
	now       func() time.Time
}

// NewVerifier returns a verifier for deliveries to a client id. For an empty
// client id, an empty key set or an invalid option it returns a [ConfigError].
func NewVerifier(clientID string, keys KeySet, options ...Option) (*Verifier, error) {
	s, err := settingsOf(ofVerifier, options)
	if err != nil {
		return nil, err
	}
	return newVerifier(clientID, keys, s)
}

func newVerifier(clientID string, keys KeySet, s settings) (*Verifier, error) {
	if err := checkClientID(clientID); err != nil {
		return nil, err
	}
	macs := macsOf(keys.keys)
	switch {
	case keys.source == nil && len(keys.keys) == 0:
		return nil, &ConfigError{"Keys", "must contain at least one key"}
	case len(macs) < len(keys.keys):
		return nil, &ConfigError{"Keys", fmt.Sprintf("must not contain an empty key: the key at index %d is empty", len(macs))}
	}
	ring := &keyring{source: keys.source, macs: macs}
	return &Verifier{clientID: clientID, ring: ring, tolerance: s.tolerance, now: s.now}, nil
}

// Verify checks the headers of a delivery. Their names must have the canonical
// form of [http.Header.Set]. It does not check the body; see [Verified]. The
// error is one of ErrNoSignature, ErrBadTimestamp, ErrBadSignature, ErrTooOld
// and ErrTooNew; with the last two the signature is valid. With [KeysFrom] the
// error may be ErrStore; then also check the account in the body with
// [Verified.VouchesFor].
func (v *Verifier) Verify(header http.Header) (Verified, error) {
	return v.verify(context.Background(), header)
}

func (v *Verifier) verify(ctx context.Context, header http.Header) (Verified, error) {
	signature, one := single(header, HeaderSignature)
	if signature == "" && one {
		return Verified{}, ErrNoSignature
	}
	timestamp, oneTimestamp := single(header, HeaderTimestamp)
	sent, ok := parseTimestamp(timestamp)
	if !ok || !oneTimestamp {
		return Verified{}, ErrBadTimestamp
	}
	requestID, oneRequestID := single(header, headerRequestID)
	keys, macs, err := v.ring.current(ctx)
	if err != nil {
		return Verified{}, err
	}
	key := match(macs, signature, message(timestamp, requestID, v.clientID))
	if key < 0 || !one || !oneRequestID {
		return Verified{}, ErrBadSignature
	}
	if err := v.timely(sent); err != nil {
		return Verified{}, err
	}
	verified := Verified{
		Signature: models.NewSecret(signature), Timestamp: timestamp, RequestID: requestID, SentAt: sent, KeyIndex: key,
	}
	if keys != nil {
		verified.key = joined(keys, key)
	}
	return verified, nil
}

// match returns the index of the key that made the signature, or -1. It tries
// all keys, so that its duration reveals nothing about key or signature.
func match(macs []mac, signature string, message []byte) int {
	match, given := -1, []byte(signature)
	for i, mac := range macs {
		made := mac(message)
		equal := subtle.ConstantTimeCompare(made[:], given)
		match = subtle.ConstantTimeSelect(equal, i, match)
	}
	return match
}

func (v *Verifier) timely(sent models.Ticks) error {
	at := sent.Time()
	switch age := v.now().Sub(at); {
	case age > v.tolerance:
		return fmt.Errorf("%w: %s is %v ago, and the tolerance is %v", ErrTooOld, at.UTC().Format(time.RFC3339), age, v.tolerance)
	case age < -v.tolerance:
		return fmt.Errorf("%w: %s is %v from now, and the tolerance is %v", ErrTooNew, at.UTC().Format(time.RFC3339), age.Abs(), v.tolerance)
	default:
		return nil
	}
}

// single returns the value of a header, or "" if it is missing. ok is false if
// the header occurs more than once, because any of the values may be the signed
// one.
func single(header http.Header, name string) (value string, ok bool) {
	switch values := header[name]; len(values) {
	case 0:
		return "", true
	case 1:
		return values[0], true
	default:
		return values[0], false
	}
}

// parseTimestamp parses a number of ticks that consists of digits only, and
// returns false for other texts.
func parseTimestamp(text string) (models.Ticks, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return models.Ticks(n), err == nil
}

// Verified holds the values that the signature of a delivery covers: the
// headers Timestamp and RequestId, and the client id of the receiver. It covers
// neither the body nor the URL, so treat the payload as a hint. The zero value
// covers nothing.
type Verified struct {
	// Signature is the value of the header. It is a secret, because it can be
	// replayed until it is too old. Zero when nothing was verified, and for an
	// event from a [Queue], which does not store it.
	Signature models.Secret
	// Timestamp is the value of the header, as signed.
	Timestamp string
	// RequestID is the value of the header, as signed. It may be empty.
	RequestID string
	// SentAt is the send time of the delivery, not the time of the event.
	SentAt models.Ticks
	// KeyIndex is the index of the key in the [KeySet], from 0.
	KeyIndex int

	key    *Key // key that made the signature, with a KeySource; nil for an event from a queue
	stored bool // verified before it was stored without the signature
}

// Signed reports whether a signature was verified.
func (v Verified) Signed() bool { return v.stored || !v.Signature.IsZero() }

// Headers of a signed delivery.
const (
	HeaderSignature = "Signature" // lower-case hexadecimal HMAC-SHA256
	HeaderTimestamp = "Timestamp" // send time of the delivery in ticks
	HeaderRequestID = "RequestId" // id of the request that caused the event; may be empty
)

// headerRequestID is the canonical form of HeaderRequestID, so that lookups
// need not compute it.
const headerRequestID = "Requestid"

// digits holds a signature in hexadecimal.
type digits [2 * sha256.Size]byte

// mac returns the signature of a message with one key, in hexadecimal. It is a
// function, because fmt prints only the address of a function: the key cannot
// get into a log.
type mac func(message []byte) digits

// hasher holds a hash and its buffers for reuse.
type hasher struct {
	hash hash.Hash // already initialised with the key when reused
	sum  []byte
}

func newMAC(secret models.Secret) mac {
	key := []byte(secret.Reveal())
	hashers := sync.Pool{New: func() any { return &hasher{hash: hmac.New(sha256.New, key)} }}
	return func(message []byte) (d digits) {
		h := hashers.Get().(*hasher)
		defer hashers.Put(h)
		h.hash.Reset()
		h.hash.Write(message)
		h.sum = h.hash.Sum(h.sum[:0])
		hex.Encode(d[:], h.sum)
		return d
	}
}

// message returns the signed text.
func message(timestamp, requestID, clientID string) []byte {
	text := make([]byte, 0, len(timestamp)+len(requestID)+len(clientID)+2)
	text = append(text, timestamp...)
	text = append(text, '|')
	text = append(text, requestID...)
	text = append(text, '|')
	return append(text, clientID...)
}
