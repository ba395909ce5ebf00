package redis

import "time"

// SetAskLimit sets how long a limiter waits for one answer of Redis.
func SetAskLimit(l *Limiter, d time.Duration) { l.askLimit = d }

// Clock returns how far ahead a limiter believes the clock of Redis to be.
func Clock(l *Limiter) time.Duration { return l.clock.ahead }
