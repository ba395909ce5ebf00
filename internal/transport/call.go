package transport

import (
	"context"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// Class is the effect of executing an operation twice. It decides when a call
// may be retried.
type Class int

const (
	// Read changes nothing.
	Read Class = iota
	// IdempotentWrite leaves the same state however often it is executed.
	IdempotentWrite
	// Create makes something new each time it is executed.
	Create
)

// Retries bounds the retries of a call and the waits between them.
type Retries struct {
	Max       int           // attempts after the first, without those after a 429; 0 disables retries
	FirstWait time.Duration // upper bound of the first random wait
	MaxWait   time.Duration // upper bound of any wait; a longer Retry-After ends the call
}

// Attempt records one exchange with the service.
type Attempt struct {
	Number        int           // number of the attempt, from 1
	Status        int           // 0 when no answer came
	Err           error         // why no whole answer came, or nil
	Duration      time.Duration // from the connection being asked for to the last byte read
	BytesSent     int64         // size of the request body; 0 when there was no connection
	BytesReceived int64         // size of the answer's body as far as it came, before decompression
	Uncertain     bool          // the service may have executed the request although the answer does not say so
	Reason        string        // why the call went on to another attempt, or did not
	Wait          time.Duration // time between this attempt and the next, without rate limit
	Waits         Waits         // waits before this attempt
	Protocol      string        // protocol of the answer, such as "HTTP/1.1"; empty when none came
}

// Observer is notified of each attempt twice.
type Observer interface {
	// Begin is called before the attempt is sent, and returns the request to
	// send.
	Begin(begun Attempt, req *http.Request) *http.Request
	// Attempt is called after the decision on a retry.
	Attempt(Attempt)
}

// Call is one logical call: its parameters, and the record of its attempts. It
// must be used by one goroutine.
type Call struct {
	Method   string
	URL      *url.URL
	Header   http.Header // sent with every attempt; the chain may add credentials to it
	Body     []byte      // nil means none
	Endpoint string      // name of what is called; the service may count by it

	Class          Class
	Retries        Retries
	Timeout        time.Duration // limit for all attempts, their waits and the rate limit; 0 means none
	AttemptTimeout time.Duration // 0 means no limit per attempt
	MaxBody        int64         // maximum bytes read of an answer
	Observer       Observer      // may be nil
	// Again is asked before every attempt but the first; its error ends the
	// call. It may be nil.
	Again func(context.Context) error

	Attempts []Attempt
	Cause    error // cause of the last answer: no new access token after a 401, or a redirect that the caller refused
	Waits    Waits // waits of the whole call

	client     *Chain
	headerUsed bool
	asksGzip   bool // the chain, not the caller, asks for compressed answers
	used       int  // retries that counted
	refusals   int  // answers 429 that another attempt followed
	begun      time.Time
	at         time.Time     // when the chain last read the clock, see lap
	replayed   bool          // the one replay after a 401 has been spent
	token      string        // access token of the latest attempt
	wait       time.Duration // wait before the next attempt
	closed     time.Duration // how long the latest 429 closed the gate
	paused     bool          // the pause has begun
	received   atomic.Int64  // see wireBytes
	ahead      Waits         // since the latest attempt
	unsent     bool          // proven: nothing of the latest attempt was sent
	cutShort   bool          // the body of the latest answer, a refusal, broke off
	location   []string      // Location of the latest answer, when it cannot be read
	decided    int           // attempts that were decided so far
	reported   int           // attempts handed to the observer so far
	first      [1]Attempt    // room for the usual single attempt

	// Every call needs these once: they are part of it, rather than an
	// allocation each.
	attemptLimit TimeLimitError // why an attempt ended
	totalLimit   TimeLimitError
	carried      limitedContext
	attempt      limitedContext // the first one, of a call with one attempt at a time
	answer       Answer
	body         readBody
	limitedBody  limitedBody // of a call with one attempt at a time
	countedBody  countedBody // of a call with one attempt at a time
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

// begin starts the record of the next attempt, which is uncertain until it is
// cleared.
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
