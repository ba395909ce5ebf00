package transport

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// Class is the effect of executing an operation twice. It determines when a
// call may be retried.
type Class int

const (
	// Read changes nothing.
	Read Class = iota
	// IdempotentWrite has the same result if it is executed repeatedly.
	IdempotentWrite
	// Create creates something new each time it is executed.
	Create
)

// Retries limits the retries of a call and the waits between them.
type Retries struct {
	Max       int           // attempts after the first, except those after a 429; 0 disables retries
	FirstWait time.Duration // upper limit of the first random wait
	MaxWait   time.Duration // upper limit of any wait; a longer Retry-After ends the call
}

// Attempt records one exchange with the service.
type Attempt struct {
	Number        int           // number of the attempt, from 1
	Status        int           // 0 if there was no response
	Err           error         // reason for an incomplete or missing response, or nil
	Duration      time.Duration // time from requesting a connection to the last byte read
	BytesSent     int64         // size of the request body; 0 if there was no connection
	BytesReceived int64         // size of the received part of the response body, before decompression
	Uncertain     bool          // the service may have executed the request although the response does not confirm it
	Reason        string        // reason for a further attempt, or for the end
	Wait          time.Duration // time until the next attempt, without the rate limit
	Waits         Waits         // waits before this attempt
	Protocol      string        // protocol of the response, such as "HTTP/1.1"; empty if there was none
}

// Observer is notified of the beginning and the end of each attempt.
type Observer interface {
	// Begin is called before the attempt is sent, and returns the request to
	// send.
	Begin(begun Attempt, req *http.Request) *http.Request
	// Attempt is called after the decision on a retry.
	Attempt(Attempt)
}

// Headers provides the headers of attempts.
type Headers interface {
	// Header returns the header of the next attempt, without the credentials.
	// The attempt owns the map and all values, because a middleware may change
	// them.
	Header() http.Header
}

// Call is one logical call: its parameters, and the record of its attempts. It
// must be used by one goroutine.
type Call struct {
	Method  string
	URL     *url.URL
	Headers Headers
	Body    []byte // nil means none

	Class          Class
	Retries        Retries
	Timeout        time.Duration // limit for all attempts, waits and the rate limit; 0 means none
	AttemptTimeout time.Duration // 0 means no limit per attempt
	MaxBody        int64         // maximum size of a response body in bytes
	Observer       Observer      // nil: none
	// Again is called before every attempt but the first; its error ends the
	// call. Nil means no check.
	Again func(context.Context) error

	Attempts []Attempt
	Cause    error // cause of the last response: no new access token after a 401, or a redirect that the caller refused
	Waits    Waits // waits of the whole call

	client   *Chain
	used     int // number of retries that counted
	refusals int // number of 429s that were retried
	begun    time.Time
	at       time.Time     // last reading of the clock by the chain, see lap
	token    string        // access token of the latest attempt
	wait     time.Duration // wait before the next attempt
	received atomic.Int64  // see wireBytes
	ahead    Waits         // waits since the latest attempt
	asksGzip bool          // the chain and not the caller requests compressed responses
	replayed bool          // no further 401 is retried
	found    bool          // a 401 was retried with a token that nobody requested for it, see FoundToken
	paused   bool          // the wait has begun
	unsent   bool          // it is proven that nothing of the latest attempt was sent
	cutShort bool          // the body of the latest response, a refusal, is incomplete
	location []string      // Location of the latest response, if it cannot be parsed
	decided  int           // number of attempts decided so far
	reported int           // number of attempts reported to the observer so far
	first    [1]Attempt    // memory for the usual single attempt

	// Every call needs these once. As fields they need no separate allocation.
	attemptLimit TimeLimitError // reason for the end of an attempt
	totalLimit   TimeLimitError
	carried      limitedContext
	attempt      limitedContext // for the first attempt, if a call has one at a time
	answer       Answer
	body         readBody
	repeats      repeatLimit  // of the attempt above
	signed       http.Request // for the first attempt
	credentials  credentials  // for the first attempt
	limitedBody  limitedBody  // if a call has one attempt at a time
	countedBody  countedBody  // if a call has one attempt at a time
}

// Uncertain reports whether the service may have executed an attempt without
// confirming it.
func (c *Call) Uncertain() bool {
	for i := range c.Attempts {
		if c.Attempts[i].Uncertain {
			return true
		}
	}
	return false
}

// Token returns the access token of the latest attempt, or "" if it had none.
func (c *Call) Token() string { return c.token }

// last returns the attempt in progress, or the latest one.
func (c *Call) last() *Attempt {
	if len(c.Attempts) == 0 {
		return nil
	}
	return &c.Attempts[len(c.Attempts)-1]
}

// begin starts the record of the next attempt, which is uncertain until proven
// otherwise.
func (c *Call) begin() *Attempt {
	if c.Attempts == nil {
		c.Attempts = c.first[:0]
	}
	c.unsent, c.cutShort = false, false
	c.received.Store(0)
	c.Attempts = append(c.Attempts, Attempt{Number: len(c.Attempts) + 1, Waits: c.ahead, Uncertain: true})
	c.Waits.add(c.ahead)
	c.ahead = Waits{}
	return c.last()
}
