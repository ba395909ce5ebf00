package transport

import "time"

// Waits records how long a call waited before its attempts were sent.
type Waits struct {
	Token     time.Duration // waits for an access token
	RateLimit time.Duration // waits for the limiter, and for the gate that a 429 closes
	Retry     time.Duration // waits between attempts
}

func (w *Waits) add(other Waits) {
	w.Token += other.Token
	w.RateLimit += other.RateLimit
	w.Retry += other.Retry
}

// lap returns the time since the chain last read the clock for this call. The
// end of one step is the start of the next, because reading the clock costs as
// much as a small allocation.
func (c *Call) lap() time.Duration {
	began := c.at
	c.at = time.Now()
	return c.at.Sub(began)
}

// endRetryWait records the wait between two attempts, if there is one.
func (c *Call) endRetryWait() {
	if c.paused {
		c.ahead.Retry += c.lap()
		c.paused = false
	}
}
