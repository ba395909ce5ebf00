package redis

import "time"

// SetAskLimit sets the time limit for a response of Redis.
func SetAskLimit(l *Limiter, d time.Duration) { l.askLimit = d }
