package webhook

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// Queue stores deliveries until they are handled, for a receiver with
// [WithQueue]. It leases each message to one worker at a time, until the worker
// removes or dead-letters it. The messages of a record (see [Message.Record])
// are leased one at a time and in the order in which they were put. The next
// one is due when the one before was removed or dead-lettered, and not while
// that waits for its next attempt.
//
// As of any store, its methods are safe for concurrent use by goroutines and,
// in a shared implementation, by processes; package webhooktest holds the tests
// for implementations.
type Queue interface {
	// Put stores the message. A nil error means that the message is stored as
	// safely as the implementation promises; the receiver then acknowledges the
	// delivery. [ErrQueueFull] means that there is no room.
	Put(ctx context.Context, m Message) error
	// Take waits for a due message and leases it to the caller. It returns the
	// error of ctx, and [ErrQueueClosed] when no message can follow.
	Take(ctx context.Context) (Job, error)
	// DeadLetters lists the dead letters, the oldest first, until an error.
	DeadLetters(ctx context.Context) iter.Seq2[DeadLetter, error]
	// Replay puts a dead letter back into the queue like a new message: due at
	// once, with all attempts left. An unknown id is [ErrNoDeadLetter].
	Replay(ctx context.Context, id string) error
	// Discard removes a dead letter. An unknown id is [ErrNoDeadLetter].
	Discard(ctx context.Context, id string) error
}

// Drainer is a [Queue] that does not survive its process, so
// [Receiver.Shutdown] drains it. A draining queue refuses Put with
// [ErrQueueClosed], its messages are due, and Take returns [ErrQueueClosed]
// when no message is left, waiting or leased.
type Drainer interface {
	Queue
	// Drain starts to drain the queue and returns at once.
	Drain()
}

// Job is a message leased to a worker, which ends the lease with Done, Retry,
// Return, or DeadLetter. If the worker dies, the queue leases it again later.
// On an ended lease the methods change nothing and may return an error.
type Job interface {
	// ID identifies the message among those of all queues, in each of its
	// leases: a short text of letters, digits and hyphens.
	ID() string
	// Message returns the stored message.
	Message() Message
	// Attempt is the number of the attempt since the message was put or
	// replayed: one more than the leases that Retry ended.
	Attempt() int
	// Returned is the number of leases since then that Return ended.
	Returned() int
	// Lapsed returns the number of leases since then that ended by themselves.
	Lapsed() int
	// Lease returns the time left of the lease; 0 when it does not end by
	// itself. The worker extends it well before its end.
	Lease() time.Duration
	// Extend restarts the lease.
	Extend(ctx context.Context) error
	// Done removes the message.
	Done(ctx context.Context) error
	// Retry ends an attempt. The message is due again after a time, or at once.
	Retry(ctx context.Context, after time.Duration) error
	// Return is Retry for a message that was not attempted, because a store
	// failed or the worker was stopped.
	Return(ctx context.Context, after time.Duration) error
	// DeadLetter makes the message a dead letter; see [MaxReason].
	DeadLetter(ctx context.Context, reason string) error
}

// MaxReason is the most bytes in the reason of a dead letter, where it is cut.
const MaxReason = 1 << 10

// DeadLetter is a message whose handling failed for good.
type DeadLetter struct {
	// ID identifies the dead letter for Replay and Discard.
	ID string
	// Message is the message as it was put. Empty when this version cannot read
	// its stored form; Replay puts it back as it is.
	Message Message
	// Attempts is the number of attempts.
	Attempts int
	// Reason is the text of the error of the last attempt.
	Reason string
	// At is the time at which the message became a dead letter.
	At time.Time
}

// RetryPolicy sets when a message is retried after its handlers failed.
type RetryPolicy struct {
	// Attempts is how often a message is tried before it becomes a dead letter;
	// at least 1. A lease that ended with its process counts, and from the
	// second on the message is handled alone, to take no other with it.
	Attempts int
	// First is the wait after the first attempt, above 0. It doubles with each
	// attempt. Half of each wait is random, so that messages that failed
	// together are not retried together.
	First time.Duration
	// Max is the longest wait; at least First.
	Max time.Duration
}

// DefaultRetryPolicy allows 12 attempts within about half an hour.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{Attempts: 12, First: time.Second, Max: 10 * time.Minute}
}

// wait returns the wait after an attempt, from 1.
func (p RetryPolicy) wait(attempt int) time.Duration {
	half := backoff.Exponential(p.First, p.Max, attempt-1) / 2
	return half + rand.N(half+1)
}
