package redis

import "time"

// clock is what earlier answers have told about the clock of Redis.
type clock struct {
	known bool
	ahead time.Duration // of the clock of this machine; at most by a round trip too little
}

// learn takes note of an answer that has just come, and of the time of Redis in
// it.
func (c *clock) learn(microseconds int64) {
	c.known, c.ahead = true, time.UnixMicro(microseconds).Sub(time.Now().Round(0))
}

// at is the time of Redis at a time of this machine, in microseconds; 0 when
// nobody knows.
func (c *clock) at(t time.Time) int64 {
	if !c.known {
		return 0
	}
	return time.Now().Add(time.Until(t) + c.ahead).UnixMicro()
}
