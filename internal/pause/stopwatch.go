package pause

import "time"

// Stopwatch measures how long something takes. It knows no time of day: it goes on evenly
// when a clock is set, and disagrees with none.
type Stopwatch struct{ begun time.Time }

// Start starts a Stopwatch.
func Start() Stopwatch { return Stopwatch{time.Now()} }

// Passed is the time since the start.
func (w Stopwatch) Passed() time.Duration { return time.Since(w.begun) }
