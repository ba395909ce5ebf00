package webhook

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"iter"
	"slices"
	"strconv"
	"sync"
	"time"
)

// MemoryQueue is a [Queue] in the memory of one process. It does not survive
// the process: messages that were acknowledged and not yet handled are lost
// with it, and so are its dead letters. [Receiver.Shutdown] drains it. Use a
// durable queue where a lost event matters.
type MemoryQueue struct {
	capacity int
	name     string

	mu        sync.Mutex
	waiting   []*memoryJob            // those that nothing but time holds back: the earliest due first
	held      map[string]*memoryJob   // all messages, by their ids
	records   map[string][]*memoryJob // those of each record; only the first one is waiting or leased
	count     uint64                  // messages that were ever put
	dead      []DeadLetter
	forgotten int
	draining  bool
	changed   chan struct{} // closed, and replaced, when a Take that waits should look again
}

// memoryJob is a message until its lease ends; then another one takes its
// place. The lease never ends by itself: the worker lives as long as the queue.
type memoryJob struct {
	queue    *MemoryQueue
	id       string
	message  Message
	attempt  int // from 1
	returned int
	put      time.Time

	// Guarded by the lock of the queue.
	due   time.Time
	ended bool // the lease
}

// drainPause is the longest wait of a returned message while the queue drains.
const drainPause = 50 * time.Millisecond

// NewMemoryQueue returns an empty queue for at most capacity messages: waiting,
// leased and to be retried. It keeps as many dead letters and then drops the
// oldest. A capacity below 1 is a [ConfigError].
func NewMemoryQueue(capacity int) (*MemoryQueue, error) {
	if capacity < 1 {
		return nil, &ConfigError{"capacity", "must be at least 1"}
	}
	var name [8]byte
	_, _ = rand.Read(name[:]) // never fails
	return &MemoryQueue{
		capacity: capacity, name: hex.EncodeToString(name[:]) + "-", changed: make(chan struct{}),
		held: map[string]*memoryJob{}, records: map[string][]*memoryJob{},
	}, nil
}

// Put implements [Queue].
func (q *MemoryQueue) Put(_ context.Context, m Message) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.draining:
		return ErrQueueClosed
	case len(q.held) >= q.capacity:
		return ErrQueueFull
	}
	q.add(m)
	return nil
}

// add stores a message. Callers of unexported methods hold the lock.
func (q *MemoryQueue) add(m Message) {
	q.count++
	now := time.Now()
	j := &memoryJob{queue: q, id: q.name + strconv.FormatUint(q.count, 10), message: m, attempt: 1, put: now, due: now}
	q.held[j.id] = j
	if m.Record != "" {
		q.records[m.Record] = append(q.records[m.Record], j)
	}
	if all := q.records[m.Record]; len(all) <= 1 {
		q.insert(j)
	}
}

// insert adds a message to the waiting ones, in the order of due.
func (q *MemoryQueue) insert(j *memoryJob) {
	i := len(q.waiting)
	for i > 0 && q.waiting[i-1].due.After(j.due) {
		i--
	}
	q.waiting = slices.Insert(q.waiting, i, j)
	q.announce()
}

func (q *MemoryQueue) announce() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// Backlog implements [Measurer].
func (q *MemoryQueue) Backlog(context.Context) (Backlog, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := Backlog{Messages: len(q.held)}
	for _, j := range q.held {
		if b.Oldest.IsZero() || j.put.Before(b.Oldest) {
			b.Oldest = j.put
		}
	}
	return b, nil
}

// Take implements [Queue].
func (q *MemoryQueue) Take(ctx context.Context) (Job, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		job, wait, changed := q.next()
		switch {
		case job != nil:
			return job, nil
		case wait < 0:
			return nil, ErrQueueClosed
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// idleWait is the wait of a Take when nothing is due later.
const idleWait = time.Hour

// next leases the message that is due, if any. Otherwise it returns the longest
// wait, below 0 when no message can follow, and a channel that ends it earlier.
func (q *MemoryQueue) next() (job *memoryJob, wait time.Duration, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.draining && len(q.held) == 0:
		return nil, -1, nil
	case len(q.waiting) == 0:
		return nil, idleWait, q.changed
	}
	first := q.waiting[0]
	if wait := time.Until(first.due); wait > 0 {
		return nil, wait, q.changed
	}
	q.waiting[0] = nil // or the array behind would keep it
	q.waiting = q.waiting[1:]
	return first, 0, nil
}

// Drain implements [Drainer].
func (q *MemoryQueue) Drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.draining = true
	for now, i := time.Now(), 0; i < len(q.waiting); i++ {
		q.waiting[i].due = now
	}
	q.announce()
}

// Len returns the number of messages in the queue, without dead letters.
func (q *MemoryQueue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.held)
}

// Forgotten returns how many dead letters made room for later ones.
func (q *MemoryQueue) Forgotten() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.forgotten
}

// DeadLetters implements [Queue], as of the moment when the list begins.
func (q *MemoryQueue) DeadLetters(context.Context) iter.Seq2[DeadLetter, error] {
	return func(yield func(DeadLetter, error) bool) {
		q.mu.Lock()
		all := slices.Clone(q.dead)
		q.mu.Unlock()
		for _, letter := range all {
			if !yield(letter, nil) {
				return
			}
		}
	}
}

// Replay implements [Queue]. With [ErrQueueFull] the dead letter stays.
func (q *MemoryQueue) Replay(_ context.Context, id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.deadLetter(id)
	switch {
	case i < 0:
		return ErrNoDeadLetter
	case q.draining:
		return ErrQueueClosed
	case len(q.held) >= q.capacity:
		return ErrQueueFull
	}
	q.add(q.dead[i].Message)
	q.dead = slices.Delete(q.dead, i, i+1)
	return nil
}

// Discard implements [Queue].
func (q *MemoryQueue) Discard(_ context.Context, id string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := q.deadLetter(id)
	if i < 0 {
		return ErrNoDeadLetter
	}
	q.dead = slices.Delete(q.dead, i, i+1)
	return nil
}

func (q *MemoryQueue) deadLetter(id string) int {
	return slices.IndexFunc(q.dead, func(d DeadLetter) bool { return d.ID == id })
}

var errLeaseEnded = errors.New("webhook: the lease of the message has ended")

func (j *memoryJob) ID() string           { return j.id }
func (j *memoryJob) Message() Message     { return j.message }
func (j *memoryJob) Attempt() int         { return j.attempt }
func (j *memoryJob) Returned() int        { return j.returned }
func (j *memoryJob) Lapsed() int          { return 0 }
func (j *memoryJob) Lease() time.Duration { return 0 }

func (j *memoryJob) Extend(context.Context) error {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	if j.ended {
		return errLeaseEnded
	}
	return nil
}

func (j *memoryJob) Done(context.Context) error { return j.end(j.leave) }

func (j *memoryJob) Retry(_ context.Context, after time.Duration) error {
	return j.end(func() { j.again(1, 0, after, 0) })
}

func (j *memoryJob) Return(_ context.Context, after time.Duration) error {
	return j.end(func() { j.again(0, 1, after, drainPause) })
}

func (j *memoryJob) DeadLetter(_ context.Context, reason string) error {
	return j.end(func() {
		q := j.queue
		if len(q.dead) >= q.capacity {
			q.dead = q.dead[1:]
			q.forgotten++
		}
		q.dead = append(q.dead, DeadLetter{ID: j.id, Message: j.message, Attempts: j.attempt, Reason: reason, At: time.Now()})
		j.leave()
	})
}

// end ends the lease once.
func (j *memoryJob) end(how func()) error {
	j.queue.mu.Lock()
	defer j.queue.mu.Unlock()
	if j.ended {
		return errLeaseEnded
	}
	j.ended = true
	how()
	return nil
}

// again returns the message to the queue, due after a while, or after at most
// drained while the queue is drained.
func (j *memoryJob) again(failed, returned int, after, drained time.Duration) {
	q := j.queue
	if q.draining {
		after = min(after, drained)
	}
	next := &memoryJob{
		queue: q, id: j.id, message: j.message, attempt: j.attempt + failed, returned: j.returned + returned,
		put: j.put, due: time.Now().Add(after),
	}
	q.held[j.id] = next
	if all := q.records[j.message.Record]; len(all) > 0 {
		all[0] = next
	}
	q.insert(next)
}

// leave removes the message. The next one of its record is due.
func (j *memoryJob) leave() {
	q, record := j.queue, j.message.Record
	delete(q.held, j.id)
	if all := q.records[record]; len(all) > 1 {
		all[0] = nil // or the array behind would keep it
		q.records[record] = all[1:]
		all[1].due = time.Now()
		q.insert(all[1])
	} else {
		delete(q.records, record)
	}
	if q.draining { // it was the last one
		q.announce()
	}
}
