package nats

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/webhook"
)

// Queue is a [webhook.Queue] on a stream that several processes may share. Each
// message is leased to one worker at a time. An acknowledged message survives
// the process; the messages of a worker that died are leased again when their
// leases end.
//
// The server inside the process stores attempts with a short delay, so an
// attempt that ends with the process within a tenth of a second may not count.
// Put refuses a message over the limit of the server: some 8 MiB inside the
// process, and usually 1 MiB elsewhere, which holds a body of three quarters of
// that. Set [webhook.WithMaxBody] accordingly.
type Queue struct {
	engine  *Engine
	js      jetstream.JetStream
	work    jetstream.StreamConfig
	dead    jetstream.StreamConfig
	stream  jetstream.Stream // of work
	letters jetstream.Stream // of dead
	tallies bucket           // by the id of a message that was given back
	lease   time.Duration
	limits  limits
	takers  takers
}

func newQueue(ctx context.Context, e *Engine, js jetstream.JetStream, s settings) (*Queue, error) {
	q := &Queue{engine: e, js: js, lease: s.lease, limits: s.limits}
	q.work = jetstream.StreamConfig{
		Name: s.name + "-queue", Subjects: []string{s.name + ".queue", s.name + ".queue.*"}, // the latter by record
		Retention: jetstream.WorkQueuePolicy, Discard: jetstream.DiscardNew, MaxMsgs: int64(s.capacity),
		Storage: jetstream.FileStorage, Replicas: s.replicas, Duplicates: markersKept,
	}
	q.dead = jetstream.StreamConfig{
		Name: s.name + "-dead", Subjects: []string{s.name + ".dead.*"},
		Discard: jetstream.DiscardNew, MaxMsgs: int64(s.deadLetters), MaxMsgsPerSubject: 1,
		Storage: jetstream.FileStorage, Replicas: s.replicas, Duplicates: markersKept,
	}
	var err error
	if q.letters, err = js.CreateOrUpdateStream(ctx, q.dead); err != nil {
		return nil, wrap("make the stream of dead letters", err)
	}
	if _, err := q.consumer(ctx); err != nil {
		return nil, err
	}
	if q.stream, err = js.Stream(ctx, q.work.Name); err != nil {
		return nil, wrap("find the stream of the queue", err)
	}
	return q, nil
}

// workers names the consumer.
const workers = "workers"

// consumer makes the stream and its consumer, or finds those of other
// processes.
func (q *Queue) consumer(ctx context.Context) (jetstream.Consumer, error) {
	if _, err := q.js.CreateOrUpdateStream(ctx, q.work); err != nil {
		return nil, wrap("make the stream of the queue", err)
	}
	consumer, err := q.js.CreateOrUpdateConsumer(ctx, q.work.Name, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.lease,
		MaxDeliver: -1, MaxAckPending: -1, // a message that waits for its next attempt holds up nobody
	})
	if err != nil {
		return nil, wrap("make the consumer of the queue", err)
	}
	return consumer, nil
}

// again makes the streams again that somebody removed.
func (q *Queue) again(ctx context.Context) error {
	_, err := q.consumer(ctx)
	_, dead := q.js.CreateOrUpdateStream(ctx, q.dead)
	return errors.Join(err, dead)
}

// Put implements [webhook.Queue]. While a cluster chooses a leader it tries
// again until ctx ends; the message is stored once.
func (q *Queue) Put(ctx context.Context, m webhook.Message) error {
	data, err := m.MarshalBinary()
	if err != nil {
		return wrap("put a message", err)
	}
	if !q.engine.busy.begin() {
		return webhook.ErrQueueClosed
	}
	defer q.engine.busy.done()
	return q.put(ctx, q.subject(m.Record), rand.Text(), nil, data)
}

// subject is that of the messages of a record, or of those without one.
func (q *Queue) subject(record string) string {
	if record == "" {
		return q.work.Subjects[0]
	}
	return q.work.Subjects[0] + "." + record
}

// put stores data as a message with this id; a second message with the id is
// dropped.
func (q *Queue) put(ctx context.Context, subject, id string, header natsgo.Header, data []byte) error {
	_, err := insist(ctx, q.again, func(ctx context.Context) (*jetstream.PubAck, error) {
		m := &natsgo.Msg{Subject: subject, Header: maps.Clone(header), Data: data}
		return q.js.PublishMsg(ctx, m, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	})
	switch {
	case err == nil:
		return nil
	case isFull(err):
		return fmt.Errorf("%w: %w", webhook.ErrQueueFull, err)
	default:
		return wrap("put a message", err)
	}
}

// Len returns the number of messages in the queue, leased and waiting for a
// retry included, dead letters not.
func (q *Queue) Len(ctx context.Context) (int, error) {
	messages, _, err := q.count(ctx)
	if err != nil {
		return 0, wrap("count messages", err)
	}
	return messages, nil
}

// Backlog implements [webhook.Measurer], by the clock of the server.
func (q *Queue) Backlog(ctx context.Context) (webhook.Backlog, error) {
	messages, stored, err := q.count(ctx)
	if err == nil && messages > 0 {
		var swept bool
		if swept, err = q.sweep(ctx, stored.FirstSeq); swept && err == nil {
			messages, stored, err = q.count(ctx)
		}
	}
	switch {
	case err != nil:
		return webhook.Backlog{}, wrap("find the oldest message", err)
	case messages == 0:
		return webhook.Backlog{}, nil
	default:
		return webhook.Backlog{Messages: messages, Oldest: stored.FirstTime}, nil
	}
}

// count counts the messages that are not done, and gives the state of their
// stream. Neither of the server's own counts will do: its consumer hears of a
// message after the sender has its answer, and its stream may hold one that was
// done, see sweep. So a message counts if it is with a worker, or behind the
// last one that a worker got, and there are never more than the stream holds.
// The consumer is asked first, so that a message that comes meanwhile counts.
func (q *Queue) count(ctx context.Context) (int, jetstream.StreamState, error) {
	consumer, err := q.js.Consumer(ctx, q.work.Name, workers) // asks the server
	if err != nil {
		return 0, jetstream.StreamState{}, err
	}
	stream, err := q.stream.Info(ctx)
	if err != nil {
		return 0, jetstream.StreamState{}, err
	}
	info, stored := consumer.CachedInfo(), stream.State
	waiting := stored.LastSeq - min(info.Delivered.Stream, stored.LastSeq)
	return int(min(uint64(info.NumAckPending)+waiting, stored.Msgs)), stored, nil
}

// first finds the first message of a record in the stream.
func (q *Queue) first(ctx context.Context, record string) (*jetstream.RawStreamMsg, error) {
	return insist(ctx, q.again, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return q.stream.GetMsg(ctx, 1, jetstream.WithGetMsgSubject(q.subject(record)))
	})
}

// sweep removes all that was done if the message at this place was, and tells
// whether it did. A server that is killed between the end of a message and its
// removal keeps it for good, and gives it to nobody.
func (q *Queue) sweep(ctx context.Context, place uint64) (bool, error) {
	return insist(ctx, q.again, func(ctx context.Context) (bool, error) {
		consumer, err := q.js.Consumer(ctx, q.work.Name, workers) // asks the server
		if err != nil {
			return false, err
		}
		done := consumer.CachedInfo().AckFloor.Stream
		if place > done {
			return false, nil
		}
		return true, q.stream.Purge(ctx, jetstream.WithPurgeSequence(done+1))
	})
}

// isFull tells whether a stream, the account or the disk has no room.
func isFull(err error) bool {
	failure, ok := errors.AsType[*jetstream.APIError](err)
	if !ok {
		return false
	}
	switch failure.ErrorCode {
	case 10002, 10023, 10047: // the resources of the account, the server or the storage are used up
		return true
	case 10077: // a stream does not take it, for this reason
		return strings.HasPrefix(failure.Description, "maximum ")
	default:
		return false
	}
}

// messageID is the id that put gave it.
func messageID(header natsgo.Header) string { return header.Get(natsgo.MsgIdHdr) }
