package practice

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/transport"
)

// callObserver tells the logger, the observer and the tracer of a client about one
// call.
type callObserver struct {
	client   *Client
	ctx      context.Context // of the call, as the tracer wants it
	base     Observation     // what everything that is seen of the call has in common
	started  time.Time
	attempts []context.Context // as the tracer wants them
	whole    *wholeObserver    // that the call is part of; may be nil
	sent     *transport.Call   // nil for a whole
}

// observed tells whether anybody wants to know.
func (c *Client) observed() bool {
	return c.settings.logger != nil || c.settings.observer != nil || c.settings.tracer != nil
}

func (c *Client) observe(ctx context.Context, base Observation) *callObserver {
	whole, _ := ctx.Value(wholeKey{}).(*wholeObserver)
	w := &callObserver{client: c, ctx: ctx, base: base, started: time.Now(), whole: whole}
	if c.settings.tracer != nil {
		base.Call = true
		w.ctx = c.traced(ctx, base, nil)
	}
	return w
}

// traced is the context that the tracer wants.
func (c *Client) traced(ctx context.Context, begun Observation, header http.Header) context.Context {
	if tracer := c.settings.tracer; tracer != nil {
		if theirs := tracer.Start(ctx, begun, header); theirs != nil {
			return theirs
		}
	}
	return ctx
}

// observation is what everything that is seen of the call has in common.
func (c *call) observation() Observation {
	return Observation{
		Operation: c.op.name, Method: c.op.method, Path: c.op.path, RequestID: c.settings.requestID,
		Server: c.client.server, Page: c.listing,
	}
}

// Begin is told of each attempt by the transport before it is sent.
func (w *callObserver) Begin(a transport.Attempt, req *http.Request) *http.Request {
	w.client.requested.tell()
	if w.client.settings.tracer == nil {
		return req
	}
	begun := w.base
	begun.Attempt, begun.Waits = a.Number, Waits(a.Waits)
	added := http.Header{}
	ctx := w.client.traced(req.Context(), begun, added)
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
	seen := w.base
	seen.Attempt, seen.Status, seen.Protocol, seen.Duration = a.Number, a.Status, a.Protocol, a.Duration
	seen.Waits = Waits(a.Waits)
	seen.BytesSent, seen.BytesReceived = a.BytesSent, a.BytesReceived
	seen.Err, seen.Reason = a.Err, a.Reason
	if a.Err != nil {
		seen.Err = w.client.mask(w.sent).Error(a.Err)
	}
	ctx := w.ctx
	if a.Number <= len(w.attempts) {
		ctx = w.attempts[a.Number-1]
	}
	w.client.attemptEnded(ctx, seen, a.Wait)
}

// finish tells of the end of a call.
func (c *call) finish(o outcome, err error) {
	if c.observer == nil {
		return
	}
	c.observer.ended(c.ending(o, err))
}

// ending is what there is to tell of the end of a call.
func (c *call) ending(o outcome, err error) Observation {
	seen := c.observer.base
	seen.Attempt, seen.Err, seen.Duration = len(c.sent.Attempts), err, time.Since(c.observer.started)
	seen.Waits, seen.Reason = Waits(c.sent.Waits), reasonsOf(c.sent.Attempts)
	seen.Records, seen.Unreadable = c.found.records, c.found.faults
	if o.answer != nil {
		seen.Status = o.answer.Status
	}
	for i := range c.sent.Attempts {
		seen.BytesSent += c.sent.Attempts[i].BytesSent
		seen.BytesReceived += c.sent.Attempts[i].BytesReceived
	}
	return seen
}

// reasonsOf tells why each attempt was not the last, and why the last one was.
func reasonsOf(attempts []transport.Attempt) string {
	reasons := make([]string, len(attempts))
	for i := range attempts {
		reasons[i] = attempts[i].Reason
	}
	return strings.Join(slices.Compact(reasons), "; ")
}

// ended tells all who want to know of the end of the call.
func (w *callObserver) ended(seen Observation) {
	seen.Call = true
	w.client.requested.tell()
	w.whole.add(seen)
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

// foundRecords counts what a call found in its answer.
type foundRecords struct {
	records, faults int
	first           error // of the faults
}

func (f *foundRecords) unreadable(err error) {
	f.faults++
	if f.first == nil {
		f.first = err
	}
}

// isRecordError reports an error that costs one record, and not the call.
func isRecordError(err error) bool {
	_, ok := errors.AsType[*RecordError](err)
	return ok
}
