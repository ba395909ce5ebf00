package requestid

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

// domain separates the tag from any other use of the same key.
const domain = "practice-go RequestId v1\x00"

const (
	tagBytes   = 6    // length at the end of an id; the first four bits are random
	tagMask    = 0x0f // mask for the tag in the first of these bytes
	version    = 0x80
	variant    = 0x80
	variantOf  = 0xc0
	timeBytes  = 6
	randomFrom = timeBytes
)

// ErrKey reports a key that does not have [KeySize] bytes or has only zeros.
var ErrKey = errors.New("requestid: a key must have 32 bytes that are not all zero")

// Signer creates and recognises ids. Formatting it does not reveal its keys. It
// is safe for concurrent use.
type Signer struct{ tags []tag }

// tag returns the tag of an id. It is a function, because fmt prints only the
// address of a function.
type tag func(id uuid.UUID) [tagBytes]byte

// NewSigner returns a signer that creates ids with the current key and
// recognises those of all its keys. To replace a key, first add the new key to
// each instance as a previous key, then make it the current one, and remove the
// old one when its ids no longer matter.
//
// A key must be random, the same on each instance, and used for nothing else,
// such as a subscription key or a client secret. For a key of another length,
// NewSigner returns [ErrKey]. It copies the keys.
func NewSigner(current []byte, previous ...[]byte) (*Signer, error) {
	s := &Signer{}
	for _, key := range append([][]byte{current}, previous...) {
		if len(key) != KeySize || subtle.ConstantTimeCompare(key, make([]byte, KeySize)) == 1 {
			return nil, ErrKey
		}
		s.tags = append(s.tags, newTag([KeySize]byte(key)))
	}
	return s, nil
}

func newTag(key [KeySize]byte) tag {
	return func(id uuid.UUID) [tagBytes]byte {
		h := hmac.New(sha256.New, key[:])
		h.Write([]byte(domain))
		h.Write(untagged(id))
		var sum [sha256.Size]byte
		h.Sum(sum[:0])
		t := [tagBytes]byte(sum[:tagBytes])
		t[0] &= tagMask
		return t
	}
}

// untagged returns the bytes of an id that the tag covers.
func untagged(id uuid.UUID) []byte {
	first := len(id) - tagBytes
	id[first] &^= tagMask
	clear(id[first+1:])
	return id[:]
}

// NewRequestID returns a new id of 36 characters.
func (s *Signer) NewRequestID() string {
	var id uuid.UUID
	var now [8]byte
	binary.BigEndian.PutUint64(now[:], uint64(time.Now().UnixMilli()))
	copy(id[:timeBytes], now[len(now)-timeBytes:])
	_, _ = rand.Read(id[randomFrom:]) // never fails
	id[6] = id[6]&0x0f | version
	id[8] = id[8]&^variantOf | variant
	put(&id, s.tags[0](id))
	return id.String()
}

func put(id *uuid.UUID, t [tagBytes]byte) {
	first := len(id) - tagBytes
	id[first] = id[first]&^tagMask | t[0]
	copy(id[first+1:], t[1:])
}

// Verify reports whether requestID is an id of this signer, and when it was
// created, by the clock of its creator and to the millisecond. It accepts only
// the form with 36 characters, in lower or upper case.
func (s *Signer) Verify(requestID string) (made time.Time, own bool) {
	id, err := uuid.Parse(requestID)
	if err != nil || len(requestID) != len(id.String()) || id[6]&0xf0 != version || id[8]&variantOf != variant {
		return time.Time{}, false
	}
	match := 0
	for _, tagOf := range s.tags {
		expected := id
		put(&expected, tagOf(id))
		match |= subtle.ConstantTimeCompare(expected[:], id[:])
	}
	if match == 0 {
		return time.Time{}, false
	}
	var since [8]byte
	copy(since[len(since)-timeBytes:], id[:timeBytes])
	return time.UnixMilli(int64(binary.BigEndian.Uint64(since[:]))).UTC(), true
}
