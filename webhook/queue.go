package webhook

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// Queue stores deliveries until they are handled, for a receiver with
// [WithQueue]. It leases each message to one worker at a time, until the worker
// removes or dead-letters it. The messages of a record (see [Message.Record])
// are leased one at a time and in the order in which they were put. A message
// is due only after the previous one of its record was removed or
// dead-lettered, even while that one waits for a retry.
//
// Like the methods of the other stores, its methods must be safe for concurrent
// use by goroutines and, in a shared implementation, by processes. Package
// webhooktest holds tests for implementations.
type Queue interface {
	// Put stores the message. A nil error means that the message is stored as
	// durably as the implementation promises; the receiver then acknowledges
	// the delivery. A full queue returns [ErrQueueFull].
	Put(ctx context.Context, m Message) error
	// Take waits for a due message and leases it to the caller. It returns the
	// error of ctx, or [ErrQueueClosed] when no more messages can follow.
	Take(ctx context.Context) (Job, error)
	// DeadLetters yields the dead letters, oldest first, and stops at the first
	// error.
	DeadLetters(ctx context.Context) iter.Seq2[DeadLetter, error]
	// Replay puts a dead letter back into the queue as a new message that is
	// due at once and has all its attempts. For an unknown id it returns
	// [ErrNoDeadLetter].
	Replay(ctx context.Context, id string) error
	// Discard removes a dead letter. For an unknown id it returns
	// [ErrNoDeadLetter].
	Discard(ctx context.Context, id string) error
	// Backlog returns the current size and age of the queue. A queue that
	// cannot measure them returns [errors.ErrUnsupported].
	Backlog(ctx context.Context) (Backlog, error)
	// Drain returns false at once if the queue survives its process, and then
	// changes nothing. Otherwise it starts draining the queue, because
	// [Receiver.Shutdown] handles what is left: from then on Put returns
	// [ErrQueueClosed], delayed messages are due at once, those that Retry or
	// Return puts back are due soon, and Take returns [ErrQueueClosed] when no
	// message is left, waiting or leased.
	Drain() (draining bool)
}

// Backlog holds the size and age of a queue.
type Backlog struct {
	// Messages is the number of messages, without dead letters.
	Messages int
	// Oldest is the time at which the oldest message was put. Zero for an empty
	// queue.
	Oldest time.Time
}

// Backlog measures the queue of the receiver. The error matches
// [errors.ErrUnsupported] if the receiver has no queue, or one that cannot
// measure its backlog.
func (r *Receiver) Backlog(ctx context.Context) (Backlog, error) {
	if r.settings.queue == nil {
		return Backlog{}, fmt.Errorf("webhook: cannot measure the backlog of the queue: %w", errors.ErrUnsupported)
	}
	return ask(ctx, r, "queue", r.settings.storeTimeout, r.settings.queue.Backlog)
}

// Job is a message leased to a worker. The worker ends the lease with Done,
// Retry, Return or DeadLetter. If the worker dies, the queue leases the message
// again later. After the lease has ended, the methods change nothing and may
// return an error.
type Job interface {
	// ID identifies the message across all queues and all its leases. It is a
	// short string of letters, digits and hyphens.
	ID() string
	// Message returns the stored message.
	Message() Message
	// Attempt returns the number of the attempt since the message was put or
	// replayed: one more than the leases that Retry ended.
	Attempt() int
	// Returned returns the number of leases, since the message was put or
	// replayed, that Return ended.
	Returned() int
	// Lapsed returns the number of leases, since the message was put or
	// replayed, that expired.
	Lapsed() int
	// Lease returns the remaining time of the lease, or 0 if it does not
	// expire. The worker extends it well before its end.
	Lease() time.Duration
	// Extend restarts the lease.
	Extend(ctx context.Context) error
	// Done removes the message.
	Done(ctx context.Context) error
	// Retry ends a failed attempt. The message is due again after the given
	// time.
	Retry(ctx context.Context, after time.Duration) error
	// Return ends a lease without an attempt, because a store failed or the
	// worker was stopped. The message is due again after the given time.
	Return(ctx context.Context, after time.Duration) error
	// DeadLetter makes the message a dead letter; see [MaxReason].
	DeadLetter(ctx context.Context, reason string) error
}

// MaxReason is the maximum length of a dead letter's reason in bytes; a longer
// one is truncated.
const MaxReason = 1 << 10

// DeadLetter is a message that could not be handled.
type DeadLetter struct {
	// ID identifies the dead letter for Replay and Discard.
	ID string
	// Message is the message as put. It is empty when this version cannot
	// decode the stored form; Replay then puts back the stored form.
	Message Message
	// Attempts is the number of attempts.
	Attempts int
	// Reason is the text of the last error.
	Reason string
	At     time.Time
}

// RetryPolicy sets when a message is retried after its handlers failed.
type RetryPolicy struct {
	// Attempts is the maximum number of attempts before a message becomes a
	// dead letter; at least 1. A lease that ended with its process counts. From
	// the second such lease on, the message is handled alone, so that it cannot
	// take other messages down with it.
	Attempts int
	// First is the wait after the first attempt, above 0. The wait doubles with
	// each attempt. Half of each wait is random, so that messages that failed
	// together are not retried together.
	First time.Duration
	// Max limits the wait; at least First.
	Max time.Duration
}

// DefaultRetryPolicy allows 12 attempts within about half an hour.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{Attempts: 12, First: time.Second, Max: 10 * time.Minute}
}

// wait returns the wait after the given attempt, counted from 1.
func (p RetryPolicy) wait(attempt int) time.Duration {
	half := backoff.Exponential(p.First, p.Max, attempt-1) / 2
	return half + rand.N(half+1)
}
