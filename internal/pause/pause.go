// Package pause holds a sleep that ends with its context, a wait that doubles, a sum of times that cannot overflow, and a
// stopwatch.
package pause

import (
	"context"
	"math"
	"time"
)

// Sleep waits for d, at most until ctx ends; then it returns the cause of that end. A wait of 0 or less is over at
// once.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Doubled is first, doubled so many times, and longest where that is longer or out of range.
func Doubled(first, longest time.Duration, times int) time.Duration {
	wait := min(first, longest)
	for i := 0; i < times && 0 < wait && wait < longest; i++ {
		wait += min(wait, longest-wait)
	}
	return wait
}

// Sum is a + b, both 0 or more, and the longest duration where that is out of range.
func Sum(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
