package practicetest

import (
	"time"

	"github.com/practicesdk/practice-go/practicetest/internal/clock"
)

// Clock is the clock of a [Server]. Token lifetimes, delayed writes, the
// validity of pre-signed URLs and the timestamps in responses depend on it.
//
// By default it shows [time.Now] plus the offsets set by [Clock.Advance] and
// [Clock.Set], so it follows the fake time of a testing/synctest bubble. With
// [WithVirtualClock] it is virtual: only Advance and Set move it.
//
// Latency and the time limit of a webhook delivery use package time instead, so
// that a virtual clock does not block them.
//
// A Clock is safe for use by several goroutines at once.
type Clock struct{ inner *clock.Clock }

// Now returns the current time of the clock.
func (c *Clock) Now() time.Time { return c.inner.Now() }

// Advance moves the clock by d, which may be negative. Before it returns, it
// runs what has become due, in the order of the due times.
func (c *Clock) Advance(d time.Duration) { c.inner.Advance(d) }

// Set moves the clock to t, which may be in the past. Before it returns, it
// runs what has become due, in the order of the due times.
func (c *Clock) Set(t time.Time) { c.inner.Set(t) }

// Rewind undoes the moves, so that the clock shows the start passed to
// [WithVirtualClock], or [time.Now]. It runs what has become due, as
// [Clock.Set] does.
func (c *Clock) Rewind() { c.inner.Rewind() }

// dated returns the time from which the dates of a firm that is seeded now are
// counted. It is the current minute, so that services that are made soon after
// each other share a firm. A virtual clock shows all of them the same time.
func (c *Clock) dated(now time.Time) time.Time {
	if c.inner.Virtual() {
		return now
	}
	return now.Truncate(time.Minute)
}
