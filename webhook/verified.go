package webhook

import "github.com/practicesdk/practice-go/models"

// Verified names what the signature of a delivery vouches for: its headers Timestamp and RequestId, together with the
// client id of the receiver. It does not vouch for the body, nor for the address the delivery came to: whoever gets
// hold of the three headers can send them with any body until they are too old. A careful handler takes the payload
// as a hint and reads the record before it acts. The zero value vouches for nothing.
// Specification, Signature verification.
type Verified struct {
	// Signature is the text of the header. It is a secret because it can be used again while it is not too old.
	// Absent when nothing was verified, and after the event was in a [Queue], which does not store it.
	// Specification, Signature verification.
	Signature models.Secret
	// Timestamp is the text of the header, exactly as it was signed. Specification, Signature verification.
	Timestamp string
	// RequestID is the text of the header, exactly as it was signed; may be empty.
	// Specification, Signature verification.
	RequestID string
	// SentAt is when the delivery was sent, from Timestamp. It is not the time of the event, which the body holds.
	// Specification, Signature verification.
	SentAt models.Ticks
	// KeyIndex is the place of the key in [Keys], from 0. Specification, Signature verification.
	KeyIndex int

	stored bool // it was verified before it was stored without the signature
}

// Signed tells whether anything was verified at all. Specification, Signature verification.
func (v Verified) Signed() bool { return v.stored || !v.Signature.IsZero() }
