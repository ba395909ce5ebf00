package practice

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Response describes the HTTP response to a call. WithResponse fills one for a
// single call; a page has one in Page.Response.
type Response struct {
	StatusCode int         // HTTP status of the last response
	Header     http.Header // its header
	RequestID  string      // RequestId that was sent
	// EchoedRequestID is the RequestId that the service returned, or empty.
	EchoedRequestID string
	Attempts        []Attempt // at least one
}

// RequestIDMismatch reports whether the service returned a RequestId other than
// the one sent. The case does not matter.
func (r *Response) RequestIDMismatch() bool {
	return r.EchoedRequestID != "" && !strings.EqualFold(r.EchoedRequestID, r.RequestID)
}

// Attempt describes one exchange with the service, complete or not.
type Attempt struct {
	Number        int           // from 1
	Status        int           // HTTP status; 0: no response
	Err           error         // why there was no complete response; nil if there was
	Duration      time.Duration // until the last byte was read
	BytesSent     int64         // size of the request body in bytes
	BytesReceived int64         // size of the response body in bytes
	// Uncertain reports that the service may have executed the request although
	// no response to this attempt confirms it.
	Uncertain bool
	Reason    string        // why another attempt followed, or why none did
	Wait      time.Duration // wait before the next attempt; 0: none
}

// MarshalJSON encodes Err as text.
func (a Attempt) MarshalJSON() ([]byte, error) {
	type plain Attempt // a type without MarshalJSON
	text := ""
	if a.Err != nil {
		text = oneLine(a.Err.Error())
	}
	return json.Marshal(struct {
		plain
		Err string
	}{plain(a), text})
}

func attemptOf(a transport.Attempt) Attempt {
	return Attempt{
		Number: a.Number, Status: a.Status, Err: a.Err, Duration: a.Duration, BytesSent: a.BytesSent, BytesReceived: a.BytesReceived,
		Uncertain: a.Uncertain, Reason: a.Reason, Wait: a.Wait,
	}
}

// maxErrorBody limits the body that an Error keeps.
const maxErrorBody = 64 << 10

// problemOf decodes an error body; the result is zero if the body is no JSON
// object.
func problemOf(body []byte) models.Problem {
	var problem models.Problem
	if _, err := codec.Decode(bytes.TrimPrefix(body, []byte(transport.ByteOrderMark)), &problem, models.Wire); err != nil {
		return models.Problem{}
	}
	return problem
}

func boundedBody(body []byte) []byte {
	return bytes.Clone(body[:min(len(body), maxErrorBody)])
}
