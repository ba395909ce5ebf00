package redis

import "time"

// clock holds the difference to the clock of Redis, from its latest answer.
type clock struct {
	known bool
	ahead time.Duration // difference to the clock of this machine; too small by at most a round trip
}

// learn records the time of Redis in an answer that has just come.
func (c *clock) learn(microseconds int64) {
	c.known, c.ahead = true, time.UnixMicro(microseconds).Sub(time.Now().Round(0))
}

// at returns the time of Redis at a time here, in microseconds, or 0.
func (c *clock) at(t time.Time) int64 {
	if !c.known {
		return 0
	}
	return time.Now().Add(time.Until(t) + c.ahead).UnixMicro()
}
