package nats

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"sync"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// job is a message that is leased to a worker.
type job struct {
	queue   *Queue
	stored  jetstream.Msg
	message webhook.Message
	leases  int       // with this one
	place   uint64    // in the stream
	since   time.Time // when it was put there, by the clock of the server
	tally   tally
	leave   func() // tells the engine not to wait for it any more

	mu    sync.Mutex
	lease time.Duration // that was left when the worker got it
	until time.Time     // when the lease ends, at the earliest
	lapse *time.Timer   // leaves when nobody has ended it until then
	ended bool
}

var errLeaseEnded = errors.New("nats: the lease of the message has ended")

// A message that this version cannot read waits for a later one, which may.
// After about a quarter of an hour it becomes a dead letter.
const (
	unreadablePause  = time.Minute
	unreadableLeases = 15
)

// job makes a job of a message.
func (q *Queue) job(ctx context.Context, m jetstream.Msg) (*job, error) {
	j := &job{queue: q, stored: m, until: time.Now().Add(q.lease), leave: sync.OnceFunc(q.engine.busy.done)}
	meta, err := m.Metadata()
	if err == nil {
		j.leases, j.place, j.since = int(meta.NumDelivered), meta.Sequence.Stream, meta.Timestamp
		err = j.message.UnmarshalBinary(m.Data())
	}
	if err != nil {
		return nil, errors.Join(wrap("read a message", err), q.putAside(context.WithoutCancel(ctx), j, err))
	}
	if j.leases > 1 {
		j.tally = q.tallyOf(context.WithoutCancel(ctx), j)
	}
	j.lease = max(time.Until(j.until), time.Nanosecond) // 0 would be one that never ends
	j.lapse = time.AfterFunc(j.lease, j.leave)
	return j, nil
}

// putAside does what can be done about a message that cannot be read.
func (q *Queue) putAside(ctx context.Context, j *job, err error) error {
	if j.leases < unreadableLeases {
		return q.later(ctx, j.stored, unreadablePause)
	}
	return j.bury(ctx, err.Error())
}

// tally counts the leases of a message that its workers ended. The server
// counts those that it began.
type tally struct {
	Failed   int `json:"failed"`
	Returned int `json:"returned"`
	Last     int `json:"last,omitempty"` // lease that was counted, which is not counted again
}

// tallyRetention is how long a message may at most wait for its next attempt
// without having its leases forgotten.
const tallyRetention = 30 * 24 * time.Hour

// tallyOf reads the tally, in a small part of the lease. When nobody can tell,
// nothing is held against the message.
func (q *Queue) tallyOf(ctx context.Context, j *job) tally {
	ctx, cancel := context.WithTimeout(ctx, min(q.limits.look, q.lease/4))
	defer cancel()
	forgiven := tally{Returned: j.leases - 1}
	e, err := get[tally](ctx, &q.tallies, j.ID())
	if err != nil {
		return forgiven
	}
	if e.revision == 0 {
		known, err := q.tallies.knows(ctx, j.since)
		if err != nil {
			return forgiven
		}
		if !known {
			e.value = forgiven
			_, _ = put(ctx, &q.tallies, j.ID(), e) // so that those to come count, or nobody can tell once more
		}
	}
	return e.value
}

// count adds to the tally before the lease ends, once.
func (j *job) count(ctx context.Context, add tally) error {
	return change(ctx, &j.queue.tallies, j.ID(), func(e *entry[tally]) bool {
		if e.value.Last == j.leases {
			return false // the answer was lost
		}
		e.value.Failed += add.Failed
		e.value.Returned += add.Returned
		e.value.Last = j.leases
		return true
	})
}

// ID is that of Put, or the place of a message that somebody else put there.
func (j *job) ID() string {
	if id := messageID(j.stored.Headers()); id != "" {
		return id
	}
	return "place-" + strconv.FormatUint(j.place, 10)
}

func (j *job) Message() webhook.Message { return j.message }
func (j *job) Attempt() int             { return j.tally.Failed + 1 }
func (j *job) Returned() int            { return j.tally.Returned }
func (j *job) Lapsed() int              { return max(0, j.leases-1-j.tally.Failed-j.tally.Returned) }
func (j *job) Lease() time.Duration     { return j.lease }

// errGone is of a message that its own stream does not know: it was ended, or a
// server that answers is behind.
var errGone = errors.New("nats: the message is not in the queue")

// Ahead returns the id of the earliest message of the record, if it is before
// this one.
func (j *job) Ahead(ctx context.Context) (string, error) {
	if j.message.Record == "" {
		return "", nil
	}
	first, err := j.queue.first(ctx, j.message.Record)
	if err == nil && first.Sequence < j.place {
		var swept bool
		if swept, err = j.queue.sweep(ctx, first.Sequence); swept && err == nil {
			first, err = j.queue.first(ctx, j.message.Record)
		}
	}
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return "", wrap("find the first message of a record", errGone)
	case err != nil:
		return "", wrap("find the first message of a record", err)
	case first.Sequence >= j.place:
		return "", nil
	default:
		return messageID(first.Header), nil
	}
}

// Extend restarts the lease.
func (j *job) Extend(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	if j.over(now) {
		return errLeaseEnded
	}
	if err := j.queue.tell(ctx, j.stored, "+WPI"); err != nil {
		return err
	}
	j.until = now.Add(j.queue.lease)
	j.lapse.Reset(j.queue.lease)
	return nil
}

// Done removes the message, even after the lease.
func (j *job) Done(ctx context.Context) error {
	return j.end(func() error { return j.queue.tell(ctx, j.stored, "+ACK") })
}

// Retry returns the message to the queue.
func (j *job) Retry(ctx context.Context, after time.Duration) error {
	return j.giveBack(ctx, after, tally{Failed: 1})
}

// Return returns the message to the queue.
func (j *job) Return(ctx context.Context, after time.Duration) error {
	return j.giveBack(ctx, after, tally{Returned: 1})
}

func (j *job) giveBack(ctx context.Context, after time.Duration, add tally) error {
	return j.end(func() error {
		if j.over(time.Now()) {
			return errLeaseEnded
		}
		counting, cancel := context.WithTimeout(ctx, j.queue.limits.look) // a lease that is not counted has lapsed
		defer cancel()
		err := j.count(counting, add)
		if given := j.queue.later(ctx, j.stored, after); given != nil {
			return errors.Join(given, err)
		}
		return nil
	})
}

// Bury makes the message a dead letter. A second burial of the same message
// replaces the first.
func (j *job) Bury(ctx context.Context, reason string) error {
	return j.end(func() error {
		if j.over(time.Now()) {
			return errLeaseEnded
		}
		return j.bury(ctx, reason)
	})
}

// bury moves the message as it is stored.
func (j *job) bury(ctx context.Context, reason string) error {
	header := natsgo.Header{}
	header.Set(headerAttempts, strconv.Itoa(j.Attempt()))
	header.Set(headerReason, url.PathEscape(reason)) // a header cannot hold every text
	header.Set(headerID, j.ID())
	id := j.ID() + "-" + strconv.Itoa(j.leases)
	if err := j.queue.put(ctx, j.queue.deadSubject(j.ID()), id, header, j.stored.Data()); err != nil {
		return err
	}
	return j.queue.tell(ctx, j.stored, "+ACK")
}

// end ends the lease once.
func (j *job) end(how func() error) error {
	defer j.leave()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lapse.Stop()
	if j.ended {
		return errLeaseEnded
	}
	err := how()
	j.ended = err == nil
	return err
}

// over tells whether the server may have given the message to another worker.
func (j *job) over(now time.Time) bool { return j.ended || !now.Before(j.until) }

// longestDelay keeps the server's sum of a delay and its clock in range.
const longestDelay = 100 * 365 * 24 * time.Hour

// later has the server give a message out again after a while.
func (q *Queue) later(ctx context.Context, m jetstream.Msg, after time.Duration) error {
	if after <= 0 {
		return q.tell(ctx, m, "-NAK")
	}
	return q.tell(ctx, m, fmt.Sprintf(`-NAK {"delay":%d}`, min(after, longestDelay).Nanoseconds()))
}

// tell tells the server something about a message and waits until it has
// understood, which the methods of the message do for one of these texts only.
func (q *Queue) tell(ctx context.Context, m jetstream.Msg, what string) error {
	ctx, cancel := context.WithTimeout(ctx, q.limits.tell)
	defer cancel()
	// While the consumer has no leader nobody hears it. An answer that was lost
	// is not asked for again: the message may be another worker's by then.
	for {
		_, err := q.engine.conn.RequestWithContext(ctx, m.Reply(), []byte(what))
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, natsgo.ErrNoResponders) || backoff.Sleep(ctx, firstPause) != nil:
			return wrap("end or extend a lease", err)
		}
	}
}
