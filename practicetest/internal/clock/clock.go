// Package clock implements the clock of the embedded service.
package clock

import (
	"cmp"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/queue"
)

// Clock shows a virtual time, or [time.Now] plus the offsets set by
// [Clock.Advance] and [Clock.Set]. It calls functions at their times. A Clock is
// safe for use by several goroutines at once.
type Clock struct {
	mu      sync.Mutex
	virtual bool
	began   time.Time     // start of a virtual clock; zero if the clock follows time.Now
	at      time.Time     // current time of a virtual clock
	ahead   time.Duration // offset from time.Now of a clock that follows it
	held    time.Time     // time at which the clock is held; zero if it runs
	waiting queue.Queue[*waiter]
	added   uint64
	alarm   *time.Timer // fires when the earliest waiter is due
	closed  bool
	running sync.WaitGroup // the alarm and running callbacks
}

// New returns a virtual clock that shows start, or a clock that follows
// [time.Now] if start is zero.
func New(start time.Time) *Clock {
	return &Clock{virtual: !start.IsZero(), began: start.Round(0), at: start.Round(0)}
}

// Virtual reports whether only Advance and Set move the clock.
func (c *Clock) Virtual() bool { return c.virtual }

// Now returns the current time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// Advance moves the clock by d, which may be negative. Before it returns, it
// runs what has become due, in the order of the due times.
func (c *Clock) Advance(d time.Duration) {
	c.move(func() {
		c.at = c.at.Add(d)
		c.ahead += d
		if !c.held.IsZero() {
			c.held = c.held.Add(d)
		}
	})
}

// Set moves the clock to t, which may be in the past. Before it returns, it
// runs what has become due, in the order of the due times.
func (c *Clock) Set(t time.Time) {
	c.move(func() {
		c.ahead += t.Sub(c.now())
		c.at = t.Round(0)
		if !c.held.IsZero() {
			c.held = c.at.UTC()
		}
	})
}

// Rewind undoes the moves, so that the clock shows the start passed to
// [New], or [time.Now]. It runs what has become due, as
// [Clock.Set] does.
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

// Schedule calls f when the clock reaches at, or soon if at has passed. Advance
// and Set call the functions that they make due; otherwise a goroutine of the
// clock calls them. f must return quickly and may use the clock. cancel removes
// f, but does not wait for a running call.
func (c *Clock) Schedule(at time.Time, f func()) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.added++
	w := &waiter{at, c.added, f}
	if !c.closed {
		c.waiting.Add(w)
		if c.waiting[0] == w {
			c.arm()
		}
	}
	return func() { c.cancel(w) }
}

func (c *Clock) cancel(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting.Remove(w) {
		c.arm()
	}
}

// Close drops all waiters and waits for running callbacks.
func (c *Clock) Close() {
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

// Hold stops the clock, so that several steps happen at the same time. It
// returns the time and the offset from [time.Now].
func (c *Clock) Hold() (now time.Time, ahead time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = c.now().Round(0).UTC()
	c.disarm()
	return c.held, c.ahead
}

// Release restarts a held clock.
func (c *Clock) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = time.Time{}
	if !c.closed {
		c.arm()
	}
}

// CatchUp runs what is due until to, each at its own due time, and then holds
// the clock at to.
func (c *Clock) CatchUp(to time.Time, ahead time.Duration) {
	for {
		c.mu.Lock()
		c.disarm()
		if len(c.waiting) == 0 || c.waiting[0].due.After(to) {
			c.held, c.at, c.ahead = to, to, ahead
			c.mu.Unlock()
			return
		}
		w := c.waiting.Next()
		c.held = w.due
		c.mu.Unlock()
		w.f()
	}
}

// ring runs all waiters that are due. It calls them without holding the lock.
func (c *Clock) ring() {
	for {
		c.mu.Lock()
		if len(c.waiting) == 0 || c.waiting[0].due.After(c.now()) {
			c.arm()
			c.mu.Unlock()
			return
		}
		w := c.waiting.Next()
		c.mu.Unlock()
		w.f()
	}
}

// arm sets the alarm for the earliest waiter. A virtual clock needs the alarm
// only for a waiter that was already due when it was added.
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

// waiter is a function to be called at a time of a [Clock].
type waiter struct {
	due   time.Time
	order uint64 // order of registration, which decides between equal times
	f     func()
}

// Compare orders waiters by time, then by registration.
func (w *waiter) Compare(other *waiter) int {
	return cmp.Or(w.due.Compare(other.due), cmp.Compare(w.order, other.order))
}
