package redis

import "time"

// clock holds the difference to the clock of Redis, from its latest response.
type clock struct {
	known bool
	ahead time.Duration // difference to the local clock; too small by at most a round trip
}

// learn records the time of Redis in a response that has just arrived.
func (c *clock) learn(microseconds int64) {
	c.known, c.ahead = true, time.UnixMicro(microseconds).Sub(time.Now().Round(0))
}

// at returns the time of Redis at a local time, in microseconds, or 0 if
// unknown.
func (c *clock) at(t time.Time) int64 {
	if !c.known {
		return 0
	}
	return time.Now().Add(time.Until(t) + c.ahead).UnixMicro()
}
