package transport

import "time"

// Waits are how long a call waited for what an attempt needs before it can be
// sent. They are measured only for a call with an Observer.
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

// now is the time when somebody wants to know how long a wait takes.
func (c *Call) now() (began time.Time) {
	if c.Observer != nil {
		began = time.Now()
	}
	return began
}

// waited adds the time since a wait began.
func waited(part *time.Duration, began time.Time) {
	if !began.IsZero() {
		*part += time.Since(began)
	}
}

// goOn ends the wait between two attempts, if there is one.
func (c *Call) goOn() {
	waited(&c.ahead.Retry, c.paused)
	c.paused = time.Time{}
}
