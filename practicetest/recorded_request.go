package practicetest

import (
	"net/http"
	"time"
)

// RecordedRequest is one request as the service met it.
type RecordedRequest struct {
	// Part is the origin that was called: api, token or storage.
	Part string
	// Operation is the operationId of the route, "storage.put", "storage.get",
	// "token", "authorize", or empty for an unknown path.
	Operation string
	// Method is the HTTP method.
	Method string
	// Path is the escaped path as sent, with prefixes.
	Path string
	// RawQuery is the query as sent, without the question mark.
	RawQuery string
	// Header is a copy of the request headers.
	Header http.Header
	// Body holds the first bytes of the request body, at most [MaxRecordedBody].
	Body []byte
	// BodyBytes counts the whole body as far as the service read it.
	BodyBytes int64
	// Status is the status answered; zero when no answer was sent.
	Status int
	// RequestID is the RequestId header.
	RequestID string
	// When is the service's time at the start of the request.
	When time.Time
}

// MaxRecordedBody bounds [RecordedRequest.Body], so that uploads do not stay in memory twice.
const MaxRecordedBody = 64 << 10

// The parts of the service, as [RecordedRequest.Part] names them.
const (
	// PartAPI is the interface itself.
	PartAPI = "api"
	// PartToken is the token endpoint with its authorization page.
	PartToken = "token"
	// PartStorage is the object store behind the pre-signed addresses.
	PartStorage = "storage"
)
