package backoff

import "time"

// Stopwatch measures elapsed time on the monotonic clock, so that a change of
// the wall clock does not affect it.
type Stopwatch struct{ begun time.Time }

// Start starts a Stopwatch.
func Start() Stopwatch { return Stopwatch{time.Now()} }

// Passed returns the time since Start.
func (w Stopwatch) Passed() time.Duration { return time.Since(w.begun) }
