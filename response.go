package practice

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/codec"
	"github.com/practicesdk/practice-go/internal/transport"
	"github.com/practicesdk/practice-go/models"
)

// Response describes the answer to a call. WithResponse fills one for a single
// call; a page holds one in Page.Response.
type Response struct {
	StatusCode int         // HTTP status of the last answer
	Header     http.Header // its header
	RequestID  string      // the RequestId that was sent
	// EchoedRequestID is the RequestId that the service returned; empty when
	// it returned none.
	EchoedRequestID string
	Attempts        []Attempt // at least one
}

// RequestIDMismatch reports whether the service returned another RequestId
// than the one it was sent.
func (r *Response) RequestIDMismatch() bool {
	return r.EchoedRequestID != "" && r.EchoedRequestID != r.RequestID
}

// Attempt describes one exchange with the service, as far as it went.
type Attempt struct {
	Number        int           // from 1
	Status        int           // HTTP status; 0 when no answer came
	Err           error         // why no whole answer came; nil when one did
	Duration      time.Duration // until the last byte was read
	BytesSent     int64         // size of the request body in bytes
	BytesReceived int64         // size of the body of the answer in bytes
	// Uncertain reports that the service may have executed the request although
	// this attempt brought no answer that confirms it.
	Uncertain bool
	Reason    string        // why another attempt followed, or why none did
	Wait      time.Duration // wait before the next attempt; 0 when there was none
}

// MarshalJSON writes Err as its text.
func (a Attempt) MarshalJSON() ([]byte, error) {
	type plain Attempt // has no such method
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

// maxErrorBody bounds the body that an Error keeps.
const maxErrorBody = 64 << 10

// problemOf returns the Problem of an error body; zero if it is no JSON object.
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
