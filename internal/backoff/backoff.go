// Package backoff contains the parts of a wait between attempts: a sleep that
// ends with its context, exponential backoff, an addition of durations that
// cannot overflow, and a stopwatch.
package backoff

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Sleep waits for d and returns nil. If ctx ends first, or has already ended,
// Sleep returns its cause. It does not wait if d is 0 or less: when goroutines of
// a bubble receive from expired timers at once, the race detector of Go 1.26
// crashes.
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

// Ended returns the error of an ended context, which also wraps its cause.
func Ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if cause == nil || errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// Exponential returns first doubled retries times, but at most longest.
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
