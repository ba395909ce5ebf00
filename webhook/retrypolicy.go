package webhook

import (
	"math/rand/v2"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// RetryPolicy says when a message from a queue is tried again after its handlers failed.
type RetryPolicy struct {
	// Attempts is how often a message is tried before it becomes a dead letter; at least 1. An attempt that ended with
	// the process counts.
	Attempts int
	// First is the wait after the first attempt; it doubles with every attempt. Half of a wait is random, so that
	// messages that failed together do not come back together. Above 0.
	First time.Duration
	// Max bounds the wait; at least First.
	Max time.Duration
}

// DefaultRetryPolicy tries a message 12 times within about half an hour.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{Attempts: 12, First: time.Second, Max: 10 * time.Minute}
}

func (p RetryPolicy) check() error {
	if p.Attempts < 1 || p.First <= 0 || p.Max < p.First {
		return &ConfigError{"WithRetryPolicy", "needs at least 1 attempt, a first wait above 0 and no shorter longest wait"}
	}
	return nil
}

// wait gives the wait after an attempt, from 1.
func (p RetryPolicy) wait(attempt int) time.Duration {
	half := pause.Doubled(p.First, p.Max, attempt-1) / 2
	return half + rand.N(half+1)
}
