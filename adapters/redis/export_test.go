package redis

import "time"

// SetClock lets a limiter believe that the clock of Redis is ahead of that of this machine, by as much.
func SetClock(l *Limiter, ahead time.Duration) { l.clock = clock{known: true, ahead: ahead} }

// Clock tells how far ahead it believes the clock of Redis to be.
func Clock(l *Limiter) time.Duration { return l.clock.ahead }
