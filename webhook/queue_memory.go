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

// MemoryQueue is a [Queue] in the memory of one process. Acknowledged messages
// that have not been handled, and dead letters, are lost when the process ends.
// [Receiver.Shutdown] drains the queue. Use a durable queue if events must not
// be lost.
type MemoryQueue struct {
	capacity int
	name     string

	mu        sync.Mutex
	waiting   []*memoryJob            // messages that are ready or delayed, ordered by due
	held      map[string]*memoryJob   // all messages by id
	records   map[string][]*memoryJob // messages of each record; only the first one is waiting or leased
	count     uint64                  // messages put so far, for their ids
	dead      []DeadLetter
	forgotten int
	draining  bool
	changed   chan struct{} // closed and replaced to wake up waiting calls of Take
}

// memoryJob is a message with its lease. When the lease ends, a new memoryJob
// replaces it. The lease does not expire, because the worker lives as long as
// the queue.
type memoryJob struct {
	queue    *MemoryQueue
	id       string
	message  Message
	attempt  int // from 1
	returned int
	put      time.Time

	// Guarded by the lock of the queue:
	due   time.Time
	ended bool // the lease has ended
}

// drainPause limits the wait of a message that comes back while the queue
// drains: long enough for the cause to pass, and so short that all attempts of
// the default policy end within the usual time of a shutdown.
const drainPause = time.Second

// NewMemoryQueue returns an empty queue for at most capacity messages,
// including those that are leased or wait for a retry. It also keeps at most
// capacity dead letters; if there are more, it drops the oldest. A capacity
// below 1 is a [ConfigError].
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

// add stores a message. The caller holds the lock, as for all unexported
// methods.
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

// insert inserts a message into the waiting ones, ordered by due.
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

// Backlog implements [Queue].
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

// idleWait is the wait of Take when no message is due at a known time.
const idleWait = time.Hour

// next leases the message that is due, if any. Otherwise it returns how long to
// wait, negative if no message can follow, and a channel whose close ends the
// wait.
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
	q.waiting[0] = nil // release the memory of the message
	q.waiting = q.waiting[1:]
	return first, 0, nil
}

// Drain implements [Queue].
func (q *MemoryQueue) Drain() (draining bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.draining = true
	for now, i := time.Now(), 0; i < len(q.waiting); i++ {
		q.waiting[i].due = now
	}
	q.announce()
	return true
}

// Len returns the number of messages in the queue, without dead letters.
func (q *MemoryQueue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.held)
}

// Forgotten returns the number of dead letters that were dropped to make room.
func (q *MemoryQueue) Forgotten() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.forgotten
}

// DeadLetters implements [Queue]. It lists the dead letters present when the
// iteration begins.
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

// Replay implements [Queue]. If it returns [ErrQueueFull], the dead letter is
// kept.
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
	return j.end(func() { j.again(1, 0, after) })
}

func (j *memoryJob) Return(_ context.Context, after time.Duration) error {
	return j.end(func() { j.again(0, 1, after) })
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

// end calls how if the lease has not ended yet.
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

// again puts the message back into the queue, due after the given time.
func (j *memoryJob) again(failed, returned int, after time.Duration) {
	q := j.queue
	if q.draining {
		after = min(after, drainPause)
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

// leave removes the message. The next message of its record becomes due.
func (j *memoryJob) leave() {
	q, record := j.queue, j.message.Record
	delete(q.held, j.id)
	if all := q.records[record]; len(all) > 1 {
		all[0] = nil // release the memory of the message
		q.records[record] = all[1:]
		all[1].due = time.Now()
		q.insert(all[1])
	} else {
		delete(q.records, record)
	}
	if q.draining { // it may have been the last one
		q.announce()
	}
}
