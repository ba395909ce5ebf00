package practice

import (
	"context"
	"net/http"
	"time"
)

// Observation is one attempt or one whole call, as WithObserver and WithTracer
// see it. A transfer of a file or a directory is a call too: its attempts are
// its exchanges with the file storage, and what it asks the service is reported
// as calls of their own. The texts have few different values, so that they can
// be labels of metrics; none holds an identifier, a secret or a query.
type Observation struct {
	Operation     string        // name of the method, such as "Staff.Get"
	Method        string        // HTTP method; empty for a transfer as a whole
	Path          string        // path template, such as "/staff/{id}"; empty for a transfer
	Server        string        // scheme, host and port, such as "https://api.example.test"; empty for a transfer as a whole
	RequestID     string        // the RequestId of all attempts; empty for a transfer
	Call          bool          // the whole call rather than one attempt
	Page          bool          // a call or an attempt for one page of a list
	Storage       bool          // an attempt with the file storage, or the transfer that makes them
	Attempt       int           // number of the attempt, from 1; of a call, how many there were
	Status        int           // HTTP status; 0 when no answer came
	Duration      time.Duration // of a call, waits included
	BytesSent     int64         // of request bodies
	BytesReceived int64         // of answer bodies
	Err           error         // why the attempt brought no whole answer, or what the call returned
	Reason        string        // of an attempt: why another followed, or why none did
}

// Tracer follows calls and their attempts from the beginning to the end, for
// WithTracer. It is used by many goroutines at once.
type Tracer interface {
	// Start is called before every call and before every attempt. What started
	// says of the outcome is zero. The context that it returns must derive from
	// ctx: that of a call is the parent of its attempts, and that of an attempt
	// comes to the middleware and the transport. What is added to header is sent
	// with the attempt, unless it is a header that the library sets itself; header
	// is nil for calls, and for the storage, where another header would break the
	// signature of the address.
	Start(ctx context.Context, started Observation, header http.Header) context.Context
	// End is called with the context of Start, in the order of the ends. The end
	// of an attempt is told when it was decided what follows it; its Duration says
	// how long the exchange took.
	End(ctx context.Context, ended Observation)
}
