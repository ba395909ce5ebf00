package redis

import "time"

// SetAskLimit sets the time limit for a response of Redis.
func SetAskLimit(l *Limiter, d time.Duration) { l.askLimit = d }

// Clock returns how far ahead a limiter believes the clock of Redis to be.
func Clock(l *Limiter) time.Duration { return l.clock.ahead }
