package webhook

import (
	"context"
	"errors"
	"time"
)

// memoryLease is a message that a worker has. Its lease never ends by itself: the worker lives as long as the queue.
type memoryLease struct {
	queue   *MemoryQueue
	job     *memoryJob
	attempt int
	ended   bool // guarded by the lock of the queue
}

var errLeaseEnded = errors.New("webhook: the lease of the message has ended")

func (l *memoryLease) ID() string           { return l.job.id }
func (l *memoryLease) Message() Message     { return l.job.message }
func (l *memoryLease) Attempt() int         { return l.attempt }
func (l *memoryLease) Lease() time.Duration { return 0 }

func (l *memoryLease) Extend(context.Context) error {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	if l.ended {
		return errLeaseEnded
	}
	return nil
}

func (l *memoryLease) Done(context.Context) error {
	return l.end(func(q *MemoryQueue) { q.leave() })
}

func (l *memoryLease) Retry(_ context.Context, after time.Duration) error {
	return l.end(func(q *MemoryQueue) {
		l.job.due = time.Now().Add(after)
		q.insert(l.job)
	})
}

func (l *memoryLease) Bury(_ context.Context, reason string) error {
	return l.end(func(q *MemoryQueue) {
		if len(q.dead) >= q.capacity {
			q.dead = q.dead[1:]
			q.forgotten++
		}
		q.dead = append(q.dead, DeadLetter{
			ID: l.job.id, Message: l.job.message, Attempts: l.attempt,
			Reason: reason, Buried: time.Now(),
		})
		q.leave()
	})
}

// end ends the lease once.
func (l *memoryLease) end(how func(*MemoryQueue)) error {
	l.queue.mu.Lock()
	defer l.queue.mu.Unlock()
	if l.ended {
		return errLeaseEnded
	}
	l.ended = true
	how(l.queue)
	return nil
}

// leave takes a message out.
func (q *MemoryQueue) leave() {
	q.held--
	if q.draining && q.held == 0 {
		q.announce()
	}
}
