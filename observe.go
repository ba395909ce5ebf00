package practice

import (
	"context"
	"net/http"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
)

// Observation describes one attempt or one whole call, for WithObserver and
// WithTracer. A transfer of a file or a directory is a call too: its attempts
// are its exchanges with the file storage, and its requests to the service are
// reported as calls of their own. No text holds an identifier of a record, a
// secret or a query.
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

// Tracer follows calls and their attempts, for WithTracer. It must be safe for
// concurrent use.
type Tracer interface {
	// Start is called before every call and before every attempt. The outcome
	// in started is zero. The context that it returns must derive from
	// ctx: that of a call is the parent of its attempts, and that of an attempt
	// comes to the middleware and the transport. Headers added to header are sent
	// with the attempt, unless it is a header that the library sets itself; header
	// is nil for calls, and for the storage, where another header would break the
	// signature of the address.
	Start(ctx context.Context, started Observation, header http.Header) context.Context
	// End is called with the context of Start, in the order of the ends. The end
	// of an attempt is told when it was decided what follows it; its Duration says
	// how long the exchange took.
	End(ctx context.Context, ended Observation)
}

// callObserver tells the logger, the observer and the tracer of a client about one
// call. The zero value observes nothing.
type callObserver struct {
	client   *Client
	ctx      context.Context // of the call, as the tracer wants it
	base     *Observation    // what everything that is seen of the call has in common
	started  time.Time
	attempts []context.Context // as the tracer wants them
}

// observed tells whether anybody wants to know.
func (c *Client) observed() bool {
	return c.settings.logger != nil || c.settings.observer != nil || c.settings.tracer != nil
}

func (c *Client) observe(ctx context.Context, base *Observation) callObserver {
	if c.settings.tracer != nil {
		begun := *base
		begun.Call = true
		ctx = c.settings.tracer.Start(ctx, begun, nil)
	}
	return callObserver{client: c, ctx: ctx, base: base, started: time.Now()}
}

// observation is what everything that is seen of the call has in common.
func (c *call) observation() *Observation {
	c.seen = Observation{
		Operation: c.op.name, Method: c.op.method, Path: c.op.path, RequestID: c.settings.requestID,
		Server: c.client.server, Page: c.listing,
	}
	return &c.seen
}

// Begin is told of each attempt by the transport before it is sent.
func (w *callObserver) Begin(number int, req *http.Request) *http.Request {
	tracer := w.client.settings.tracer
	if tracer == nil {
		return req
	}
	begun := *w.base
	begun.Attempt = number
	added := http.Header{}
	ctx := tracer.Start(req.Context(), begun, added)
	w.attempts = append(w.attempts, ctx)
	return withAdded(req.WithContext(ctx), added)
}

// withAdded adds the headers of a tracer. The map of the request is left alone:
// it is that of all attempts.
func withAdded(req *http.Request, added http.Header) *http.Request {
	own := req.Header
	req.Header = own.Clone()
	for name, values := range added {
		for _, value := range values {
			if validHeaderName(name) && validHeaderValue(value) && !reservedHeader(name) && len(own.Values(name)) == 0 {
				req.Header.Add(name, value)
			}
		}
	}
	return req
}

// Attempt is told of each attempt by the transport.
func (w *callObserver) Attempt(a transport.Attempt) {
	seen := *w.base
	seen.Attempt, seen.Status, seen.Duration = a.Number, a.Status, a.Duration
	seen.BytesSent, seen.BytesReceived = a.BytesSent, a.BytesReceived
	seen.Err, seen.Reason = a.Err, a.Reason
	ctx := w.ctx
	if a.Number <= len(w.attempts) {
		ctx = w.attempts[a.Number-1]
	}
	w.client.attemptEnded(ctx, seen, a.Wait)
}

func (w *callObserver) finished(o outcome, err error) {
	if w.base == nil {
		return
	}
	seen := *w.base
	seen.Attempt, seen.Err = len(o.sent.Attempts), err
	if o.answer != nil {
		seen.Status = o.answer.Status
	}
	for i := range o.sent.Attempts {
		seen.BytesSent += o.sent.Attempts[i].BytesSent
		seen.BytesReceived += o.sent.Attempts[i].BytesReceived
	}
	w.ended(seen)
}

// ended tells all who want to know of the end of the call.
func (w *callObserver) ended(seen Observation) {
	seen.Call, seen.Duration = true, time.Since(w.started)
	if observe := w.client.settings.observer; observe != nil {
		observe(w.ctx, seen)
	}
	w.client.logCall(w.ctx, seen)
	if tracer := w.client.settings.tracer; tracer != nil {
		tracer.End(w.ctx, seen)
	}
}

// attemptEnded tells all who want to know of the end of an attempt, and how long
// the wait for the next one is.
func (c *Client) attemptEnded(ctx context.Context, seen Observation, wait time.Duration) {
	if observe := c.settings.observer; observe != nil {
		observe(ctx, seen)
	}
	c.logAttempt(ctx, seen, wait)
	if tracer := c.settings.tracer; tracer != nil {
		tracer.End(ctx, seen)
	}
}
