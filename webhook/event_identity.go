package webhook

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/models"
)

// Identity identifies the event, and is the same each time the event arrives:
// the service does not send an event id, and signs each redelivery anew. It is
// a SHA-256 of the account, the type, the id of the resource, the time of the
// event and the payload, and for an error event without a resource its
// RequestId in lower case, in 64 hexadecimal digits. Two events that are equal
// in all of these have one identity, even if they arrive through different
// subscriptions. An event that did not come from a [Receiver] counts as one
// without a payload.
func (e *Event[P]) Identity() string {
	return identity(&notification{
		accountID: e.AccountID, kind: e.Type, timestamp: e.Timestamp, payload: e.payload,
	}, e.ResourceID(), e.RequestID)
}

// ResourceID returns the member id of the payload as text. It is empty when
// there is none, as in error events, or when the event did not come from a
// [Receiver]. Use it to read the record before acting on an event.
func (e *Event[P]) ResourceID() string { return resourceID(e.payload) }

func identity(n *notification, resourceID, requestID string) string {
	var room [512]byte
	text := room[:0]
	for _, part := range []string{n.accountID, string(n.kind), resourceID} {
		text = appendPart(text, part)
	}
	if n.kind == models.EventTypeError.Type() && resourceID == "" {
		text = appendPart(text, strings.ToLower(requestID))
	}
	text = append(strconv.AppendInt(text, int64(n.timestamp), 10), '|')
	return hexDigest(append(text, n.payload...))
}

// resourceKey identifies a resource of an account, whatever the case of its
// ids. It includes the area, because ids are unique only within an area.
func resourceKey(n *notification, resourceID string) string {
	area, _, _ := strings.Cut(string(n.kind), ".")
	var room [256]byte
	return hexDigest(appendPart(appendPart(appendPart(room[:0], strings.ToLower(n.accountID)), area), strings.ToLower(resourceID)))
}

// appendPart appends the length and the text of a part, so that different parts
// never give the same text.
func appendPart(text []byte, part string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(part))), part...)
}

func hexDigest(text []byte) string {
	sum := sha256.Sum256(text)
	var digits [2 * sha256.Size]byte
	hex.Encode(digits[:], sum[:])
	return string(digits[:])
}

// payloadID decodes the id, the only member that the payloads of all records
// share.
type payloadID struct{ id string }

// UnmarshalJSONFrom reads the id: a string, or a number as written.
func (p *payloadID) UnmarshalJSONFrom(r *codec.Reader) error {
	var err error
	m := r.Members([]string{"id"})
	for err == nil && m.Next() {
		switch r.Kind() {
		case codec.KindText:
			err = codec.Text(&p.id, r)
		case codec.KindNumber:
			p.id = string(r.Raw())
		default:
			r.Raw()
		}
	}
	_, err = m.End(err)
	return err
}

func resourceID(payload json.RawMessage) string {
	// Fast path: nearly all payloads are compact and begin with a plain id.
	if rest, ok := bytes.CutPrefix(payload, []byte(`{"id":"`)); ok {
		if end := bytes.IndexAny(rest, `"\`); end >= 0 && rest[end] == '"' {
			return string(rest[:end])
		}
	}
	var p payloadID
	if len(payload) == 0 || payload[0] != '{' || codec.Unmarshal(payload, &p, models.Wire) != nil {
		return ""
	}
	return p.id
}

// identify sets the identity and, with a queue, the record of the event.
func (d *delivery) identify(ordered bool) {
	n := &d.notification
	id := resourceID(n.payload)
	d.identity = identity(n, id, d.requestID)
	if id != "" && ordered {
		d.record = resourceKey(n, id)
	}
}
