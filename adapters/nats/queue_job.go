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

	"github.com/practicesdk/practice-go/webhook"
)

// job is a message that is leased to a worker.
type job struct {
	queue   *Queue
	stored  jetstream.Msg
	message webhook.Message
	attempt int
	leave   func() // tells the engine not to wait for it any more

	mu    sync.Mutex
	until time.Time   // when the lease ends, at the earliest
	lapse *time.Timer // leaves when nobody has ended it until then
	ended bool
}

var errLeaseEnded = errors.New("nats: the lease of the message has ended")

// unreadablePause is how long a message waits that this version cannot read; a later one may.
const unreadablePause = time.Minute

// job makes a job of a message.
func (q *Queue) job(ctx context.Context, m jetstream.Msg) (*job, error) {
	j := &job{queue: q, stored: m, until: time.Now().Add(q.lease), leave: sync.OnceFunc(q.engine.busy.done)}
	meta, err := m.Metadata()
	if err == nil {
		j.attempt = int(meta.NumDelivered)
		err = j.message.UnmarshalBinary(m.Data())
	}
	if err != nil {
		return nil, errors.Join(wrap("read a message", err), q.later(context.WithoutCancel(ctx), m, unreadablePause))
	}
	j.lapse = time.AfterFunc(q.lease, j.leave)
	return j, nil
}

func (j *job) ID() string               { return messageID(j.stored.Headers()) }
func (j *job) Message() webhook.Message { return j.message }
func (j *job) Attempt() int             { return j.attempt }
func (j *job) Lease() time.Duration     { return j.queue.lease }

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
	return j.end(func() error {
		if j.over(time.Now()) {
			return errLeaseEnded
		}
		return j.queue.later(ctx, j.stored, after)
	})
}

// Bury makes the message a dead letter. A second burial of the same message replaces the first.
func (j *job) Bury(ctx context.Context, reason string) error {
	return j.end(func() error {
		if j.over(time.Now()) {
			return errLeaseEnded
		}
		header := natsgo.Header{}
		header.Set(headerAttempts, strconv.Itoa(j.attempt))
		header.Set(headerReason, url.PathEscape(reason)) // a header cannot hold every text
		header.Set(headerID, j.ID())
		id := j.ID() + "-" + strconv.Itoa(j.attempt)
		if err := j.queue.put(ctx, j.queue.deadSubject(j.ID()), id, header, j.stored.Data()); err != nil {
			return err
		}
		return j.queue.tell(ctx, j.stored, "+ACK")
	})
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

// later has the server give a message out again after a while.
func (q *Queue) later(ctx context.Context, m jetstream.Msg, after time.Duration) error {
	if after <= 0 {
		return q.tell(ctx, m, "-NAK")
	}
	return q.tell(ctx, m, fmt.Sprintf(`-NAK {"delay":%d}`, after.Nanoseconds()))
}

// tellLimit is the time for an answer of the server where the context has no limit.
const tellLimit = 5 * time.Second

// tell tells the server something about a message and waits until it has understood, which the methods of the message
// do for one of these texts only.
func (q *Queue) tell(ctx context.Context, m jetstream.Msg, what string) error {
	ctx, cancel := context.WithTimeout(ctx, tellLimit)
	defer cancel()
	if _, err := q.engine.conn.RequestWithContext(ctx, m.Reply(), []byte(what)); err != nil {
		return wrap("end or extend a lease", err)
	}
	return nil
}
