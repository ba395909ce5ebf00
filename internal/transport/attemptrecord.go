package transport

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/practicesdk/practice-go/internal/redact"
)

// attemptRecord is the handler that records each exchange.
type attemptRecord struct {
	next       http.RoundTripper
	sequential bool // see attemptLimit
}

func (l *attemptRecord) RoundTrip(req *http.Request) (*http.Response, error) {
	call := callFrom(req.Context())
	if err := call.ended(req.Context()); err != nil {
		closeBody(req)
		return nil, &UnsentError{Err: contextCause(req.Context(), err)}
	}
	attempt := call.begin()
	if call.Observer != nil {
		req = call.observed(*attempt, req)
	}
	var d *delivery
	if call.Class != Read { // a failed read is repeated in any case
		req, d = watch(req, call.Class)
		if !l.sequential { // a middleware may send the request itself
			req = d.guardBody(req, shared)
		}
	}

	resp, err := l.next.RoundTrip(req)

	attempt.Duration = call.lap()
	attempt.BytesSent = max(req.ContentLength, 0)
	if err != nil {
		call.failed(attempt, d, err)
		call.measure(attempt, err)
		return nil, err
	}
	attempt.Status, attempt.Protocol = resp.StatusCode, resp.Proto
	attempt.BytesReceived = resp.ContentLength // size of the whole body, see wholeBody
	call.measure(attempt, nil)
	call.answered(attempt, d)
	call.keepLocation(req.URL, resp)
	return resp, nil
}

// observed returns the request of the observer, with the call in its context.
// The duration of the exchange excludes the time of the observer.
func (c *Call) observed(begun Attempt, req *http.Request) *http.Request {
	own := c.Observer.Begin(begun, req)
	if own == req {
		return req
	}
	c.lap()
	if callFrom(own.Context()) != c {
		return own.WithContext(req.Context()) // the observer's context lacks the call
	}
	return own
}

// failed records an attempt without a complete response. The attempt remains
// uncertain unless it is proven that nothing was sent.
func (c *Call) failed(attempt *Attempt, d *delivery, err error) {
	attempt.Err = redact.Address(err) // a middleware may use its own client
	if broken, ok := errors.AsType[*BrokenBodyError](err); ok {
		attempt.Status, attempt.BytesReceived = broken.Status, broken.Received
	}
	if d == nil {
		attempt.Uncertain = !neverConnected(err)
		return
	}
	c.unsent = d.seal(err).unsent
	attempt.Uncertain = !c.unsent
}

// answered records a response. A refusal makes the attempt certain if its body
// is complete, in cases where it leads to a retry, and if no other copy of the
// request may have been executed.
func (c *Call) answered(attempt *Attempt, d *delivery) {
	status := attempt.Status
	attempt.Uncertain = status >= http.StatusMultipleChoices && !refuses(status)
	if d == nil {
		return
	}
	v := d.seal(nil)
	success := status >= 200 && status < 300
	repeatable := status == http.StatusTooManyRequests || status == http.StatusUnauthorized
	if !success && v.another || repeatable && c.cutShort {
		attempt.Uncertain = true
	}
}

// keepLocation removes a Location header that net/http cannot parse, because
// net/http would return an error instead of the response. answerOf restores it.
func (c *Call) keepLocation(from *url.URL, resp *http.Response) {
	c.location = nil
	location := resp.Header["Location"]
	if len(location) == 0 {
		return
	}
	if _, err := from.Parse(location[0]); err != nil {
		c.location = location
		resp.Header.Del("Location")
	}
}

// measure records the number of bytes on the wire, if it is known.
func (c *Call) measure(attempt *Attempt, err error) {
	if size, known := c.wireBytes(); known {
		attempt.BytesReceived = size
	}
	if err != nil && neverConnected(err) {
		attempt.BytesSent = 0
	}
}
