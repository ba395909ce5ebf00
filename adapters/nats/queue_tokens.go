package nats

import (
	"context"
	"errors"
	"strings"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// The holder of a record's token handles its messages. A token is an empty
// message, and the work stream has at most one for each record. The holder
// reads the first message of the record, handles and removes it, and continues
// with the next one. A message that fails delays the token, and with it the
// later messages of the record. The following rules keep this correct if a
// process dies between any two calls; token_model_test.go tries all such cases:
//
//   - A message is stored before its token is put. The token is refused if the
//     record has one.
//   - A token is removed when its record has no message. Then the record is
//     read again, because a message may have been put whose token was refused.
//   - A token that is leased a second time is exchanged for a new one before
//     anything is handled: its first holder may not know that its lease has
//     expired, and has no effect on the new token.
//   - The holder of an expired lease begins nothing and changes no token.
//   - The sweeper puts a token for a record that has messages but no token,
//     because a process died in between.

// history records whether the first message was leased before.
type history string

const (
	fresh history = ""      // not leased before
	tried history = "tried" // leased before, so its tally must be read
)

// headerHistory is the header with the history of a token.
const headerHistory = "Practice-History"

// tokenBudget is the number of messages after which a token moves behind the
// others.
const tokenBudget = 64

func (q *Queue) tokenSubject(record string) string {
	return strings.TrimSuffix(q.work.config.Subjects[1], "*") + record
}

// putToken puts a token for a record, unless it has one.
func (q *Queue) putToken(ctx context.Context, record string, h history) error {
	return q.publishToken(ctx, record, h, 0)
}

// publishToken atomically replaces the token with the given number. It does
// nothing if that token no longer exists.
func (q *Queue) publishToken(ctx context.Context, record string, h history, number uint64) error {
	_, err := retry(ctx, q.recreate, func(ctx context.Context) (*jetstream.PubAck, error) {
		m := natsgo.NewMsg(q.tokenSubject(record))
		m.Header.Set(headerHistory, string(h))
		if number > 0 {
			m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
		}
		return q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(number), jetstream.WithRetryAttempts(0))
	})
	if isOther(err) {
		return nil
	}
	return wrap("put a token", err)
}

// lease is a message or a token that the server leased to this process.
type lease struct {
	given   *natsgo.Msg
	until   time.Time // earliest end of the lease
	number  uint64    // sequence number of the token, or delivery count of the message
	record  string    // record of the token
	handled int       // number of messages handled under the token
}

// over reports whether the server may have leased it to another worker. It also
// compares wall-clock times, because the monotonic clock may stop while the
// machine sleeps.
func (l *lease) over(now time.Time) bool {
	return !now.Before(l.until) || !now.Round(0).Before(l.until.Round(0))
}

// lead returns the first message of the record whose token this process holds.
// If there is none, it removes the token and returns nil.
func (q *Queue) lead(ctx context.Context, l lease, h history) (*job, error) {
	head, err := q.events.first(ctx, q.subject()+"."+l.record)
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, q.endToken(ctx, l)
	case err != nil:
		return nil, errors.Join(wrap("find the first message of a record", err), q.exchange(ctx, l, tried))
	}
	j := &job{queue: q, lease: l, id: messageID(head.Header), place: head.Sequence, since: head.Time, data: head.Data}
	if h == tried {
		j.tally = q.tallyOf(ctx, j)
	}
	j.leases = 1 + j.tally.Failed + j.tally.Returned + j.tally.Lapsed
	return j, nil
}

// follow continues with the next message of the record after a job was removed.
// It is reserved for a worker of this process.
func (q *Queue) follow(ctx context.Context, l lease) error {
	now := time.Now()
	if l.over(now) {
		return nil // the new holder of the token continues
	}
	l.handled++
	if l.handled >= tokenBudget {
		return q.exchange(ctx, l, fresh)
	}
	if l.until.Sub(now) < q.lease/2 {
		if err := q.respond(ctx, l.given, "+WPI"); err != nil {
			return err
		}
		l.until = now.Add(q.lease)
	}
	next, err := q.lead(ctx, l, fresh)
	if next == nil || err != nil {
		return err
	}
	if !q.engine.busy.begin() {
		return q.exchange(ctx, l, fresh)
	}
	return q.keep(next)
}

// endToken removes the token of a record without messages.
func (q *Queue) endToken(ctx context.Context, l lease) error {
	if err := q.work.remove(ctx, l.number); err != nil {
		return err
	}
	_ = l.given.Respond([]byte("+ACK")) // so that the server does not redeliver it
	_, err := q.events.first(ctx, q.subject()+"."+l.record)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	return errors.Join(err, q.putToken(ctx, l.record, fresh))
}

// exchange replaces the token with a new one behind the other tokens.
func (q *Queue) exchange(ctx context.Context, l lease, h history) error {
	if err := q.publishToken(ctx, l.record, h, l.number); err != nil {
		return err
	}
	return l.given.Respond([]byte("+ACK")) // so that the server does not redeliver it
}

// lapsed counts the expired lease of a token, unless the first message was
// released, and exchanges the token.
func (q *Queue) lapsed(ctx context.Context, l lease) error {
	counting, cancel := context.WithTimeout(ctx, q.limits.look)
	defer cancel()
	if head, err := q.events.first(counting, q.subject()+"."+l.record); err == nil {
		j := job{queue: q, lease: l, id: messageID(head.Header), place: head.Sequence}
		_ = j.count(counting, tally{Lapsed: 1}) // a lease that cannot be counted is ignored
	}
	return q.exchange(ctx, l, tried)
}

// sweeper puts missing tokens, at the start and periodically.
type sweeper struct {
	early chan struct{} // holds an element when a missing token is known
	ended chan struct{} // closed when the sweeper has stopped
}

// sweepPause is the time between two sweeps. A sweep may take 1/sweepShare of
// the time.
const (
	sweepPause = 5 * time.Second
	sweepShare = 20
)

func (s *sweeper) wake() {
	select {
	case s.early <- struct{}{}:
	default:
	}
}

// run sweeps until the engine closes.
func (s *sweeper) run(q *Queue) {
	defer close(s.ended)
	ctx, cancel := q.engine.busy.with(context.Background())
	defer cancel()
	for ctx.Err() == nil {
		began, pause := time.Now(), longestPause
		if err := q.sweep(ctx); err == nil {
			pause = max(sweepPause, sweepShare*time.Since(began))
		} else if ctx.Err() == nil {
			q.logger.Warn("nats: outdated tokens could not be removed", "error", err)
		}
		select {
		case <-time.After(pause):
		case <-s.early:
			_ = backoff.Sleep(ctx, firstPause)
		case <-ctx.Done():
		}
	}
}

// sweep puts a token for each record that has messages but no token.
func (q *Queue) sweep(ctx context.Context) error {
	events, err := q.events.info(ctx, jetstream.WithSubjectFilter(q.events.config.Subjects[0]))
	if err != nil {
		return err
	}
	work, err := q.work.info(ctx, jetstream.WithSubjectFilter(q.work.config.Subjects[1]))
	if err != nil {
		return err
	}
	for subject := range events.State.Subjects {
		record := strings.TrimPrefix(subject, q.subject()+".")
		if work.State.Subjects[q.tokenSubject(record)] > 0 {
			continue
		}
		if err := q.putToken(ctx, record, tried); err != nil {
			return err
		}
	}
	if work.State.Msgs > 0 {
		return q.purge(ctx, work.State.FirstSeq)
	}
	return nil
}

// purge removes messages that were handled but are still in the stream, if the
// first message is one of them: a server that is killed between an
// acknowledgement and the removal of the message keeps the message forever
// without leasing it.
func (q *Queue) purge(ctx context.Context, first uint64) error {
	consumer, err := q.js.Consumer(ctx, q.work.config.Name, workers) // requests the state from the server
	if err != nil {
		return err
	}
	done := consumer.CachedInfo().AckFloor.Stream
	if first > done {
		return nil
	}
	return q.work.Purge(ctx, jetstream.WithPurgeSequence(done+1))
}
