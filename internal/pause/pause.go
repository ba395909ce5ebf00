// Package pause holds the two things that whoever tries again needs: a sleep that ends with its context, and a wait
// that doubles.
package pause

import (
	"context"
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
