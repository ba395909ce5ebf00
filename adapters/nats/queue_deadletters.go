package nats

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/webhook"
)

// Headers of a dead letter. Its data is the data of the message.
const (
	headerID       = "Practice-Id"
	headerAttempts = "Practice-Attempts"
	headerReason   = "Practice-Reason"
)

func (q *Queue) deadSubject(id string) string {
	return strings.TrimSuffix(q.dead.config.Subjects[0], "*") + id
}

// DeadLetters implements [webhook.Queue]. It lists the dead letters present
// when the iteration begins.
func (q *Queue) DeadLetters(ctx context.Context) iter.Seq2[webhook.DeadLetter, error] {
	return func(yield func(webhook.DeadLetter, error) bool) {
		info, err := q.dead.info(ctx)
		if err != nil {
			yield(webhook.DeadLetter{}, wrap("list dead letters", err))
			return
		}
		for next := uint64(1); next <= info.State.LastSeq; {
			m, err := q.dead.GetMsg(ctx, next, jetstream.WithGetMsgSubject(q.dead.config.Subjects[0]))
			if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && m.Sequence > info.State.LastSeq {
				return
			}
			letter, err := letterOf(m, err)
			if !yield(letter, err) || err != nil {
				return
			}
			next = m.Sequence + 1
		}
	}
}

func letterOf(m *jetstream.RawStreamMsg, err error) (webhook.DeadLetter, error) {
	if err != nil {
		return webhook.DeadLetter{}, wrap("read a dead letter", err)
	}
	letter := webhook.DeadLetter{ID: m.Header.Get(headerID), At: m.Time}
	letter.Attempts, err = strconv.Atoi(m.Header.Get(headerAttempts))
	reason, notEscaped := url.PathUnescape(m.Header.Get(headerReason))
	letter.Reason = reason
	if err = errors.Join(err, notEscaped); err != nil {
		return letter, wrap("read a dead letter", err)
	}
	_ = letter.Message.UnmarshalBinary(m.Data) // an unreadable one is yielded empty and does not stop the iteration
	return letter, nil
}

// Replay implements [webhook.Queue]. A full queue returns
// [webhook.ErrQueueFull] and keeps the dead letter.
func (q *Queue) Replay(ctx context.Context, id string) error {
	m, err := q.findLetter(ctx, id)
	if err != nil {
		return err
	}
	// The id is derived from the dead letter, so that repeating an interrupted
	// replay does not store two messages.
	sum := sha256.Sum256([]byte(id + "-" + strconv.FormatUint(m.Sequence, 10)))
	var stored webhook.Message
	_ = stored.UnmarshalBinary(m.Data) // an unreadable message has no record
	if err := q.store(ctx, stored.Record, hex.EncodeToString(sum[:16]), m.Data); err != nil {
		return err
	}
	return q.dead.remove(ctx, m.Sequence)
}

// Discard implements [webhook.Queue].
func (q *Queue) Discard(ctx context.Context, id string) error {
	m, err := q.findLetter(ctx, id)
	if err != nil {
		return err
	}
	return q.dead.remove(ctx, m.Sequence)
}

var validID = regexp.MustCompile(`^[A-Za-z0-9-]+$`) // other characters could be wildcards

func (q *Queue) findLetter(ctx context.Context, id string) (*jetstream.RawStreamMsg, error) {
	if !validID.MatchString(id) {
		return nil, webhook.ErrNoDeadLetter
	}
	m, err := retry(ctx, q.recreate, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return q.dead.GetLastMsgForSubject(ctx, q.deadSubject(id))
	})
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return nil, webhook.ErrNoDeadLetter
	case err != nil:
		return nil, wrap("find a dead letter", err)
	}
	return m, nil
}
