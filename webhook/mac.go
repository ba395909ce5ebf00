package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"

	"github.com/practicesdk/practice-go/models"
)

// The headers of a signed delivery. Specification, Signature verification.
const (
	HeaderSignature = "Signature" // lower-case hexadecimal HMAC-SHA256
	HeaderTimestamp = "Timestamp" // when the delivery was sent, in ticks
	HeaderRequestID = "RequestId" // of the request that caused the event; may be empty
)

// headerRequestID is the form of HeaderRequestID in an [http.Header], which need not be looked for again and again.
const headerRequestID = "Requestid"

// mac gives the signature of a message with one key, in hexadecimal. It is a function because fmt shows of a function
// no more than its address, wherever it is held: the key cannot get into a log.
type mac func(message []byte) []byte

func newMAC(secret models.Secret) mac {
	key := []byte(secret.Reveal())
	// A hash that is used again has the key worked in already.
	hashes := sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}
	return func(message []byte) []byte {
		h := hashes.Get().(hash.Hash)
		defer hashes.Put(h)
		h.Reset()
		h.Write(message)
		var sum [sha256.Size]byte
		return hex.AppendEncode(nil, h.Sum(sum[:0]))
	}
}

// message gives the text that is signed.
func message(timestamp, requestID, clientID string) []byte {
	text := make([]byte, 0, len(timestamp)+len(requestID)+len(clientID)+2)
	text = append(text, timestamp...)
	text = append(text, '|')
	text = append(text, requestID...)
	text = append(text, '|')
	return append(text, clientID...)
}
