package nats

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/webhook"
)

// takers are iterators over the messages of the queue that nobody uses at the
// moment. One that is in use asks the server for one message; one that is idle
// has asked for none, so none lies here while others wait for work.
type takers struct {
	mu   sync.Mutex
	idle []jetstream.MessagesContext
}

const pullExpiry = 30 * time.Second // how long a request for a message stands

// taker gives an iterator. A new one makes the consumer again if somebody
// removed it.
func (q *Queue) taker(ctx context.Context) (jetstream.MessagesContext, error) {
	if t := q.takers.pop(); t != nil {
		return t, nil
	}
	asking, cancel := context.WithTimeout(ctx, q.limits.look)
	defer cancel()
	consumer, err := q.consumer(asking)
	if err != nil {
		return nil, err
	}
	return consumer.Messages(jetstream.PullMaxMessages(1), jetstream.PullExpiry(pullExpiry),
		jetstream.PullHeartbeat(q.limits.heartbeat))
}

func (t *takers) pop() jetstream.MessagesContext {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.idle) - 1
	if last < 0 {
		return nil
	}
	taker := t.idle[last]
	t.idle = t.idle[:last]
	return taker
}

func (t *takers) push(taker jetstream.MessagesContext) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.idle = append(t.idle, taker)
}

func (t *takers) stop() {
	for taker := t.pop(); taker != nil; taker = t.pop() {
		taker.Stop()
	}
}

// Take implements [webhook.Queue].
func (q *Queue) Take(ctx context.Context) (webhook.Job, error) {
	if !q.engine.busy.begin() {
		return nil, webhook.ErrQueueClosed
	}
	j, err := q.take(ctx)
	if err != nil {
		q.engine.busy.done()
		return nil, err
	}
	return j, nil // which is busy until it ends
}

func (q *Queue) take(ctx context.Context) (*job, error) {
	ctx, cancel := q.engine.busy.with(ctx)
	defer cancel()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	m, err := q.next(ctx)
	switch {
	case m != nil:
		return q.job(ctx, m)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	default:
		return nil, wrap("take a message", err)
	}
}

// next gives a message, or the reason why there is none.
func (q *Queue) next(ctx context.Context) (jetstream.Msg, error) {
	t, err := q.taker(ctx)
	if err != nil {
		return nil, err
	}
	m, err := t.Next(jetstream.NextContext(ctx))
	if err != nil {
		return q.drain(t), err
	}
	q.takers.push(t)
	return m, nil
}

// drain ends an iterator. It gives the message that was on its way, because the
// server counts it as given out.
func (q *Queue) drain(t jetstream.MessagesContext) jetstream.Msg {
	ctx, cancel := context.WithTimeout(context.Background(), q.limits.look)
	defer cancel()
	t.Drain()
	var found jetstream.Msg
	for {
		m, err := t.Next(jetstream.NextContext(ctx))
		switch {
		case err == nil:
			found = m
		case errors.Is(err, jetstream.ErrMsgIteratorClosed), ctx.Err() != nil:
			return found
		}
	}
}
