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

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// job is a message that is leased directly or through the token of its record.
type job struct {
	queue *Queue
	lease
	id      string
	place   uint64    // sequence number in its stream
	since   time.Time // time when it was put, by the clock of the server
	data    []byte
	message webhook.Message
	leases  int // number of leases so far, including this one
	tally   tally
	leave   func() // stops Close from waiting for this job; nil before start

	mu        sync.Mutex
	lapse     *time.Timer // calls leave when the lease expires
	unclaimed *time.Timer // expires if no worker of this process takes the reserved job
	ended     bool
}

var errLeaseEnded = errors.New("nats: the lease of the message has ended")

// A message that this version cannot decode waits for a process of a later
// version. After about a quarter of an hour it becomes a dead letter.
const (
	unreadablePause  = time.Minute
	unreadableLeases = 15
)

// plainJob returns the job of a message without a token.
func (q *Queue) plainJob(ctx context.Context, l lease, meta *natsgo.MsgMetadata) *job {
	j := &job{
		queue: q, lease: l, id: messageID(l.given.Header), place: meta.Sequence.Stream, since: meta.Timestamp,
		data: l.given.Data, leases: int(l.number),
	}
	if j.leases > 1 {
		j.tally = q.tallyOf(ctx, j)
	}
	return j
}

// start reads the message and starts watching the lease.
func (j *job) start(ctx context.Context) error {
	if err := j.message.UnmarshalBinary(j.data); err != nil {
		return errors.Join(wrap("read a message", err), j.putAside(ctx, err))
	}
	j.leave = sync.OnceFunc(j.queue.engine.busy.End)
	j.lapse = time.AfterFunc(time.Until(j.until), j.leave)
	return nil
}

// putAside returns an unreadable message to the queue, or makes it a dead
// letter.
func (j *job) putAside(ctx context.Context, err error) error {
	if j.leases < unreadableLeases {
		return j.release(ctx, unreadablePause, tally{Returned: 1})
	}
	return j.DeadLetter(ctx, err.Error())
}

// tally counts the ended leases of a message. The server counts those that
// began.
type tally struct {
	Failed   int `json:"failed"`
	Returned int `json:"returned"`
	Lapsed   int `json:"lapsed,omitempty"` // only for messages with a record; the server counts the others

	Last uint64 `json:"last,omitempty"` // number of the last counted lease, so that it is counted once
}

// tallyRetention limits how long a message may wait for a retry before its
// tally expires.
const tallyRetention = 30 * 24 * time.Hour

// tallyOf reads the tally, within a quarter of the lease. If that fails, it
// returns a tally that counts no leases against the message.
func (q *Queue) tallyOf(ctx context.Context, j *job) tally {
	ctx, cancel := context.WithTimeout(ctx, min(q.limits.look, q.lease/4))
	defer cancel()
	forgiven := tally{Returned: max(0, j.leases-1)}
	e, err := get[tally](ctx, &q.tallies, j.ID())
	if err != nil {
		return forgiven
	}
	if e.revision == 0 && j.record == "" {
		known, err := q.tallies.knows(ctx, j.since)
		if err != nil {
			return forgiven
		}
		if !known {
			e.value = forgiven
			_, _ = put(ctx, &q.tallies, j.ID(), e) // so that later leases are counted
		}
	}
	return e.value
}

// count adds to the tally before the lease ends, at most once.
func (j *job) count(ctx context.Context, add tally) error {
	return change(ctx, &j.queue.tallies, j.ID(), func(e *entry[tally]) bool {
		if e.value.Last == j.number {
			return false // an earlier call counted it, and its response was lost
		}
		e.value.Failed += add.Failed
		e.value.Returned += add.Returned
		e.value.Lapsed += add.Lapsed
		e.value.Last = j.number
		return true
	})
}

// ID returns the id assigned by Put, or the sequence number for a message from
// elsewhere.
func (j *job) ID() string {
	if j.id != "" {
		return j.id
	}
	return "place-" + strconv.FormatUint(j.place, 10)
}

func (j *job) Message() webhook.Message { return j.message }
func (j *job) Attempt() int             { return j.tally.Failed + 1 }
func (j *job) Returned() int            { return j.tally.Returned }
func (j *job) Lapsed() int              { return max(0, j.leases-1-j.tally.Failed-j.tally.Returned) }

// Lease returns the remaining time, counted from the request for the message,
// because the server may have leased it then.
func (j *job) Lease() time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	if left := time.Until(j.until); left > 0 {
		return left
	}
	return time.Nanosecond // 0 would mean that the lease does not expire
}

// Extend restarts the lease.
func (j *job) Extend(ctx context.Context) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	if j.ended || j.over(now) {
		return errLeaseEnded
	}
	if err := j.queue.respond(ctx, j.given, "+WPI"); err != nil {
		return err
	}
	j.until = now.Add(j.queue.lease)
	j.lapse.Reset(j.queue.lease)
	return nil
}

// Done removes the message.
func (j *job) Done(ctx context.Context) error {
	return j.end(func() error {
		if j.over(time.Now()) { // another worker may hold it
			return errLeaseEnded
		}
		return j.remove(ctx)
	})
}

// remove removes the message, which makes the next one of its record due.
func (j *job) remove(ctx context.Context) error {
	if j.record == "" {
		return j.queue.respond(ctx, j.given, "+ACK")
	}
	if err := j.queue.events.remove(ctx, j.place); err != nil {
		return err
	}
	if err := j.queue.follow(ctx, j.lease); err != nil { // the token's lease expires, or the sweeper puts a new one
		j.queue.logger.Warn("nats: the next message of a record has to wait", "error", err)
	}
	return nil
}

// Retry returns the message to the queue.
func (j *job) Retry(ctx context.Context, after time.Duration) error {
	return j.release(ctx, after, tally{Failed: 1})
}

// Return returns the message to the queue.
func (j *job) Return(ctx context.Context, after time.Duration) error {
	return j.release(ctx, after, tally{Returned: 1})
}

func (j *job) release(ctx context.Context, after time.Duration, add tally) error {
	return j.end(func() error {
		if j.over(time.Now()) {
			return errLeaseEnded
		}
		counting, cancel := context.WithTimeout(ctx, j.queue.limits.look) // an uncounted lease counts as lapsed
		defer cancel()
		err, what := j.count(counting, add), "-NAK"
		if after > 0 {
			what = fmt.Sprintf(`-NAK {"delay":%d}`, min(after, longestDelay).Nanoseconds())
		}
		if given := j.queue.respond(ctx, j.given, what); given != nil {
			return errors.Join(given, err)
		}
		return nil
	})
}

// DeadLetter makes the message a dead letter. A second dead letter of the same
// message replaces the first.
func (j *job) DeadLetter(ctx context.Context, reason string) error {
	return j.end(func() error {
		if j.over(time.Now()) {
			return errLeaseEnded
		}
		return j.deadLetter(ctx, reason)
	})
}

// deadLetter moves the stored message to the dead letters.
func (j *job) deadLetter(ctx context.Context, reason string) error {
	header := natsgo.Header{}
	header.Set(headerAttempts, strconv.Itoa(j.Attempt()))
	header.Set(headerReason, url.PathEscape(reason[:min(len(reason), webhook.MaxReason)])) // headers cannot contain arbitrary text
	header.Set(headerID, j.ID())
	id := j.ID() + "-" + strconv.FormatUint(j.number, 10)
	if err := j.queue.put(ctx, j.queue.deadSubject(j.ID()), id, header, j.data); err != nil {
		return err
	}
	return j.remove(ctx)
}

// end calls how if the lease has not ended yet.
func (j *job) end(how func() error) error {
	if j.leave != nil {
		defer j.leave()
		j.lapse.Stop()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ended {
		return errLeaseEnded
	}
	err := how()
	j.ended = err == nil
	return err
}

// longestDelay limits delays, because the server adds them to its clock, which
// must not overflow.
const longestDelay = 100 * 365 * 24 * time.Hour

// respond sends an acknowledgement of a message and waits for the response of
// the server. The methods of nats.go wait only for one kind.
func (q *Queue) respond(ctx context.Context, m *natsgo.Msg, what string) error {
	ctx, cancel := context.WithTimeout(ctx, q.limits.respond)
	defer cancel()
	// While the consumer has no leader, no server receives the acknowledgement,
	// so it is sent again. It is not sent again after a lost response, because
	// the message may be leased to another worker by then.
	for {
		_, err := q.engine.conn.RequestWithContext(ctx, m.Reply, []byte(what))
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, natsgo.ErrNoResponders) || backoff.Sleep(ctx, firstPause) != nil:
			return wrap("end or extend a lease", err)
		}
	}
}
