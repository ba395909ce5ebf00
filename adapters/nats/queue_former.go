package nats

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// former is the stream in which a former version of this package stored all
// messages, including those with a record. The current streams have taken over
// its subjects, so they also receive the messages that processes of that
// version put, and those processes receive no new ones. The messages in the
// former stream are handled before later ones of the same record, and then the
// stream is removed.
type former struct {
	name  string
	there atomic.Bool
}

// formerPause is the wait for an earlier message in the former stream.
const formerPause = 250 * time.Millisecond

// takeOver removes the shared subjects from the stream of the former version.
func (q *Queue) takeOver(ctx context.Context) error {
	old, err := q.js.Stream(ctx, q.former.name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err == nil {
		config := old.CachedInfo().Config
		config.Subjects = []string{q.former.name} // a subject to which nothing is published
		_, err = q.js.UpdateStream(ctx, config)
	}
	if err == nil {
		err = q.consumer(ctx, q.former.name)
	}
	if err != nil {
		return wrap("take over the stream of a former version", err)
	}
	q.former.there.Store(true)
	return nil
}

// waits reports whether a message must wait for an earlier one of its record.
func (f *former) waits(ctx context.Context, q *Queue, j *job) (bool, error) {
	record, ok := strings.CutPrefix(j.given.Subject, q.subject()+".")
	if !ok {
		return false, nil
	}
	first, err := f.first(ctx, q, record)
	return first < j.place, err
}

// first returns the sequence number of the first message of a record, or 0.
func (f *former) first(ctx context.Context, q *Queue, record string) (uint64, error) {
	if !f.there.Load() {
		return 0, nil
	}
	s, err := q.js.Stream(ctx, f.name)
	if err == nil {
		var m *jetstream.RawStreamMsg
		if m, err = s.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(q.subject()+"."+record)); err == nil {
			return m.Sequence, nil
		}
	}
	if errors.Is(err, jetstream.ErrMsgNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, nil
	}
	return 0, wrap("find a message of a former version", err)
}

// sweep removes the stream if it is empty. It receives no new messages.
func (f *former) sweep(ctx context.Context, q *Queue) error {
	if !f.there.Load() {
		return nil
	}
	s, err := q.js.Stream(ctx, f.name)
	if err == nil && s.CachedInfo().State.Msgs > 0 {
		return q.purge(ctx, f.name, s.CachedInfo().State.FirstSeq)
	}
	if err == nil {
		err = q.js.DeleteStream(ctx, f.name)
	}
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	f.there.Store(false)
	return nil
}
