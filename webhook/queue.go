package webhook

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// Queue stores deliveries until they are handled, for a receiver with [WithQueue]. It gives every message to one
// worker at a time, and again until the worker says that it is done or must be buried. All methods may be used by many
// goroutines and, for a shared implementation, processes at once.
// Package webhooktest holds the tests an implementation must pass. Specification, Delivery rules.
type Queue interface {
	// Put stores the message. When it returns nil the message is stored, as safely as the implementation promises:
	// the delivery is then acknowledged. [ErrQueueFull] says that there is no room. Specification, Delivery rules.
	Put(ctx context.Context, m Message) error
	// Take waits for a message that is due, and leases it to the caller. It ends with the error of the context, and
	// with [ErrQueueClosed] when nothing will come any more. Specification, Delivery rules.
	Take(ctx context.Context) (Job, error)
	// DeadLetters lists the messages that were buried, the oldest first. An error ends the list.
	// Specification, Delivery rules.
	DeadLetters(ctx context.Context) iter.Seq2[DeadLetter, error]
	// Replay puts a dead letter back into the queue as if it had just come, at once due and with all attempts before
	// it. An id that is not there is [ErrNoDeadLetter]. Specification, Delivery rules.
	Replay(ctx context.Context, id string) error
	// Discard removes a dead letter for good. An id that is not there is [ErrNoDeadLetter].
	// Specification, Delivery rules.
	Discard(ctx context.Context, id string) error
}

// Drainer is a [Queue] that does not survive its process. Its messages would be lost, so [Receiver.Shutdown] drains it:
// from then on Put is refused with [ErrQueueClosed], every message is due, and Take returns [ErrQueueClosed] once no
// message is left, those that are leased included. Specification, Delivery rules.
type Drainer interface {
	Queue
	// Drain begins the draining and returns at once. Specification, Delivery rules.
	Drain()
}

// Job is a message that is leased to a worker, which ends the lease with one of Done, Retry and Bury. When it does
// not, because it died, the message is given out again when the lease is over. A method of a lease that has ended, by
// one of those or by itself, may be an error and then changes nothing. Specification, Delivery rules.
type Job interface {
	// ID identifies the message, also when it is given out again, and no other message of any queue. It is a short
	// text of letters, digits and hyphens. Specification, Delivery rules.
	ID() string
	// Message is what was put. Specification, Delivery rules.
	Message() Message
	// Attempt counts how often the message was given out since it was put or replayed, this time included: from 1.
	// Specification, Delivery rules.
	Attempt() int
	// Lease is how long the lease lasts; 0 when it never ends by itself. The worker extends it long before.
	// Specification, Delivery rules.
	Lease() time.Duration
	// Extend begins the lease anew. Specification, Delivery rules.
	Extend(ctx context.Context) error
	// Done removes the message. Specification, Delivery rules.
	Done(ctx context.Context) error
	// Retry has the message given out again after a while, 0 or more. Specification, Delivery rules.
	Retry(ctx context.Context, after time.Duration) error
	// Bury makes the message a dead letter. The reason has at most [MaxReason] bytes. Specification, Delivery rules.
	Bury(ctx context.Context, reason string) error
}

// MaxReason is how many bytes the reason of a dead letter has at most; a receiver cuts a longer one.
const MaxReason = 1 << 10

// DeadLetter is a message that could not be handled. Specification, Delivery rules.
type DeadLetter struct {
	// ID identifies the dead letter for Replay and Discard. Specification, Delivery rules.
	ID string
	// Message is what was put. Specification, Delivery rules.
	Message Message
	// Attempts is how often it was tried. Specification, Delivery rules.
	Attempts int
	// Reason says why the last attempt failed: the text of its error. Specification, Delivery rules.
	Reason string
	// Buried is when it was given up. Specification, Delivery rules.
	Buried time.Time
}

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
