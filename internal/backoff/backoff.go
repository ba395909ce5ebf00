// Package backoff holds the parts of a wait between attempts: a sleep that ends
// with its context, exponential backoff, a sum of durations that cannot
// overflow, and a stopwatch.
package backoff

import (
	"context"
	"math"
	"time"
)

// Sleep returns nil after d, or the cause of the end of ctx if that comes first
// or came before. It does not wait if d is 0 or less.
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

// Exponential returns first doubled retries times, at most longest.
func Exponential(first, longest time.Duration, retries int) time.Duration {
	wait := min(first, longest)
	for i := 0; i < retries && 0 < wait && wait < longest; i++ {
		wait += min(wait, longest-wait)
	}
	return wait
}

// SaturatingAdd returns a + b, or the longest duration if that overflows. Both
// must be 0 or more.
func SaturatingAdd(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
