package transport

import "time"

// Waits are how long a call waited for what an attempt needs before it can be
// sent.
type Waits struct {
	Token     time.Duration // for an access token
	RateLimit time.Duration // for the limiter, and for the gate that a 429 closes
	Retry     time.Duration // from the attempt before
}

func (w *Waits) add(other Waits) {
	w.Token += other.Token
	w.RateLimit += other.RateLimit
	w.Retry += other.Retry
}

// lap is the time since the chain last read the clock for this call. The end of one
// step is the beginning of the next: reading the clock costs as much as a small
// allocation.
func (c *Call) lap() time.Duration {
	began := c.at
	c.at = time.Now()
	return c.at.Sub(began)
}

// goOn ends the wait between two attempts, if there is one.
func (c *Call) goOn() {
	if c.paused {
		c.ahead.Retry += c.lap()
		c.paused = false
	}
}
