package transport

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/practicesdk/practice-go/internal/redact"
)

// attemptRecord is the link that notes what each exchange brought.
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
	if call.Class != Read { // a read that failed is repeated whether it was sent or not
		req, d = watch(req, call.Class)
		if !l.sequential { // a middleware may carry the request itself
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
	attempt.BytesReceived = resp.ContentLength // the whole body, see wholeBody
	call.measure(attempt, nil)
	call.answered(attempt, d)
	call.keepLocation(req.URL, resp)
	return resp, nil
}

// observed is the request that the observer wants to be sent, with the call in its
// context. The time that it took to make another one is not that of the exchange.
func (c *Call) observed(begun Attempt, req *http.Request) *http.Request {
	own := c.Observer.Begin(begun, req)
	if own == req {
		return req
	}
	c.lap()
	if callFrom(own.Context()) != c {
		return own.WithContext(req.Context()) // the observer's leads elsewhere
	}
	return own
}

// failed notes an attempt without a whole answer. It stays uncertain unless
// something proves that nothing of it was sent.
func (c *Call) failed(attempt *Attempt, d *delivery, err error) {
	attempt.Err = redact.Address(err) // a middleware may have a client of its own
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

// answered notes an answer. A refusal clears the attempt, if it is whole where
// the call would be repeated on the strength of it, and if no other copy of the
// request may have been executed.
func (c *Call) answered(attempt *Attempt, d *delivery) {
	status := attempt.Status
	attempt.Uncertain = status >= http.StatusInternalServerError
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

// keepLocation takes an address that cannot be read out of the sight of
// net/http, which would make a failure of the whole answer; answerOf puts it
// back.
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

// measure notes what went over the wire, where that is known.
func (c *Call) measure(attempt *Attempt, err error) {
	if size, known := c.wireBytes(); known {
		attempt.BytesReceived = size
	}
	if err != nil && neverConnected(err) {
		attempt.BytesSent = 0
	}
}
