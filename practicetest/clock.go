package practicetest

import (
	"cmp"
	"sync"
	"time"
)

// Clock is the time a [Server] lives by: token lifetimes, delayed writes, the
// validity of pre-signed addresses and the timestamps on the wire follow it.
//
// A clock follows [time.Now] plus the offsets of [Clock.Advance] and
// [Clock.Set], so it obeys the time of a testing/synctest bubble. The clock of
// a server made with [WithClock] is virtual: it stands still and moves by
// Advance and Set only.
//
// Latency and the time limit of a webhook delivery are measured with package
// time instead, so that a clock that stands still blocks nobody.
//
// A Clock is safe for use by several goroutines at once.
type Clock struct {
	mu      sync.Mutex
	virtual bool
	began   time.Time     // of a virtual clock; zero: the clock follows time.Now
	at      time.Time     // the time of a virtual clock
	ahead   time.Duration // how far a following clock is ahead of time.Now
	held    time.Time     // the time shown until it is released; zero: it runs
	waiting queue[*waiter]
	added   uint64
	alarm   *time.Timer // rings for the earliest waiter of a following clock
	closed  bool
	running sync.WaitGroup // the alarm, and callbacks under way
}

// newClock returns a clock that stands at start, or follows [time.Now] when
// start is zero.
func newClock(start time.Time) *Clock {
	return &Clock{virtual: !start.IsZero(), began: start.Round(0), at: start.Round(0)}
}

// Now returns the present time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// Advance moves the clock forward by d, or backward when d is negative. It does
// everything that becomes due, in the order of its time, before it returns.
func (c *Clock) Advance(d time.Duration) {
	c.move(func() {
		c.at = c.at.Add(d)
		c.ahead += d
		if !c.held.IsZero() {
			c.held = c.held.Add(d)
		}
	})
}

// Set moves the clock to t, which may lie in the past. It does everything that
// becomes due, in the order of its time, before it returns.
func (c *Clock) Set(t time.Time) {
	c.move(func() {
		c.ahead += t.Sub(c.now())
		c.at = t.Round(0)
		if !c.held.IsZero() {
			c.held = c.at.UTC()
		}
	})
}

// Rewind sets the clock to its time without moves: the start of [WithClock], or
// [time.Now]. It runs what becomes due, as [Clock.Set] does.
func (c *Clock) Rewind() {
	if c.virtual {
		c.Set(c.began)
		return
	}
	c.mu.Lock()
	ahead := c.ahead
	c.mu.Unlock()
	c.Advance(-ahead)
}

func (c *Clock) move(change func()) {
	c.mu.Lock()
	change()
	if c.closed {
		c.mu.Unlock()
		return
	}
	c.running.Add(1)
	c.mu.Unlock()
	defer c.running.Done()
	c.ring()
}

// schedule calls f when the clock reaches at, or soon if it has already.
// Advance and Set call the functions that they make due; others are called from
// a goroutine of the clock. cancel removes f; it does not wait for a running f.
// The function must be short and may use the clock.
func (c *Clock) schedule(at time.Time, f func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.added++
	w := &waiter{at, c.added, f}
	if !c.closed {
		c.waiting.add(w)
		if c.waiting[0] == w {
			c.arm()
		}
	}
	return func() { c.cancel(w) }
}

func (c *Clock) cancel(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting.remove(w) {
		c.arm()
	}
}

// close forgets everybody who waits and returns when no callback is under way.
func (c *Clock) close() {
	c.mu.Lock()
	c.closed = true
	c.waiting = nil
	c.disarm()
	c.mu.Unlock()
	c.running.Wait()
}

func (c *Clock) now() time.Time {
	switch {
	case !c.held.IsZero():
		return c.held
	case c.virtual:
		return c.at
	}
	return time.Now().Add(c.ahead)
}

// hold stops the clock, for an event at one moment, and returns its time and
// its lead over [time.Now].
func (c *Clock) hold() (now time.Time, ahead time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = c.now().Round(0).UTC()
	c.disarm()
	return c.held, c.ahead
}

// release lets a held clock run again.
func (c *Clock) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = time.Time{}
	if !c.closed {
		c.arm()
	}
}

// catchUp holds the clock at a time, after it has run what was due before, each
// at its own moment.
func (c *Clock) catchUp(to time.Time, ahead time.Duration) {
	for {
		c.mu.Lock()
		c.disarm()
		if len(c.waiting) == 0 || c.waiting[0].due.After(to) {
			c.held, c.at, c.ahead = to, to, ahead
			c.mu.Unlock()
			return
		}
		w := c.waiting.next()
		c.held = w.due
		c.mu.Unlock()
		w.f()
	}
}

// ring calls everybody who is due, without the lock.
func (c *Clock) ring() {
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 || c.waiting[0].due.After(c.now()) {
			c.arm()
			c.mu.Unlock()
			return
		}
		w := c.waiting.next()
		c.mu.Unlock()
		w.f()
	}
}

// arm sets the alarm to the earliest waiter. A virtual clock needs one only for
// a waiter that was already due when it came.
func (c *Clock) arm() {
	c.disarm()
	if len(c.waiting) == 0 || !c.held.IsZero() {
		return
	}
	wait := c.waiting[0].due.Sub(c.now())
	if c.virtual && wait > 0 {
		return
	}
	c.running.Add(1)
	c.alarm = time.AfterFunc(wait, func() {
		defer c.running.Done()
		c.ring()
	})
}

func (c *Clock) disarm() {
	if c.alarm != nil && c.alarm.Stop() {
		c.running.Done()
	}
	c.alarm = nil
}

// waiter is a function that waits for a [Clock].
type waiter struct {
	due   time.Time
	order uint64 // breaks ties: first come, first served
	f     func()
}

func (w *waiter) compare(other *waiter) int {
	return cmp.Or(w.due.Compare(other.due), cmp.Compare(w.order, other.order))
}
