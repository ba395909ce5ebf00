package nats

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/webhook"
)

// Queue is a [webhook.Queue] on streams that several processes can share. Each
// message, and each record, is leased to one worker at a time. Acknowledged
// messages survive the process; the messages of a worker that died are leased
// again when their leases expire. The server inside the process stores attempts
// with a short delay, so an attempt that ends with the process within a tenth
// of a second may not count. Put refuses a message above the limit of the
// server: about 8 MiB for the server inside the process, and usually 1 MiB for
// others, which is enough for a body of three quarters of that. Set
// [webhook.WithMaxBody] accordingly.
type Queue struct {
	engine  *Engine
	js      jetstream.JetStream
	events  stream // messages with a record; the subject identifies the record
	work    stream // messages without a record, and at most one token for each record, see queue_tokens.go
	dead    stream // dead letters
	tallies bucket // tallies by id of the message
	lease   time.Duration
	limits  limits
	logger  *slog.Logger
	idle    chan *taker // takers without a pending request
	kept    chan *job   // leased messages reserved for workers of this process
	sweeper sweeper
}

func newQueue(ctx context.Context, e *Engine, js jetstream.JetStream, s settings) (*Queue, error) {
	q := &Queue{
		engine: e, js: js, lease: s.lease, limits: s.limits, logger: s.logger,
		idle: make(chan *taker, mostIdle), kept: make(chan *job, mostIdle),
	}
	configure := func(name string, c jetstream.StreamConfig) stream {
		c.Name, c.Discard, c.Storage = s.name+"-"+name, jetstream.DiscardNew, jetstream.FileStorage
		c.Replicas, c.Duplicates = s.replicas, markersKept
		return stream{config: c, recreate: q.recreate}
	}
	q.events = configure("events", jetstream.StreamConfig{Subjects: []string{s.name + ".queue.*"}, MaxMsgs: int64(s.capacity)})
	q.work = configure("work", jetstream.StreamConfig{
		Subjects: []string{s.name + ".queue", s.name + ".token.*"}, Retention: jetstream.WorkQueuePolicy,
		MaxMsgsPerSubject: int64(s.capacity), DiscardNewPerSubject: true, AllowRollup: true,
	})
	q.dead = configure("dead", jetstream.StreamConfig{
		Subjects: []string{s.name + ".dead.*"}, MaxMsgs: int64(s.deadLetters), MaxMsgsPerSubject: 1,
	})
	q.sweeper = sweeper{early: make(chan struct{}, 1), ended: make(chan struct{})}
	return q, q.prepare(ctx, s)
}

// prepare creates the streams and the consumer. It refuses settings that other
// processes do not have or that would delete messages, before it changes
// anything.
func (q *Queue) prepare(ctx context.Context, s settings) error {
	for _, own := range q.streams() {
		found, err := q.js.Stream(ctx, own.config.Name)
		switch {
		case errors.Is(err, jetstream.ErrStreamNotFound):
			continue
		case err != nil:
			return wrap("read the stream "+own.config.Name, err)
		}
		if err := q.compare(ctx, s, own, found.CachedInfo().Config); err != nil {
			return err
		}
		own.config.MaxBytes = found.CachedInfo().Config.MaxBytes
	}
	for _, own := range q.streams() {
		var err error
		if own.Stream, err = ensure(ctx, q.js, own.config); err != nil {
			return wrap("create the stream "+own.config.Name, err)
		}
	}
	return q.consumer(ctx)
}

func (q *Queue) streams() []*stream { return []*stream{&q.events, &q.work, &q.dead} }

// compare refuses a setting that differs from the stored one. The server
// enforces a smaller capacity by deleting messages, and processes with
// different leases take messages from each other.
func (q *Queue) compare(ctx context.Context, s settings, own *stream, stored jetstream.StreamConfig) error {
	if stored.Replicas != own.config.Replicas {
		return differs("WithReplicas", own.config.Replicas, stored.Replicas)
	}
	if own == &q.dead {
		return nil
	}
	given := max(own.config.MaxMsgs, own.config.MaxMsgsPerSubject)
	if known := max(stored.MaxMsgs, stored.MaxMsgsPerSubject); known > given {
		return differs("WithCapacity", given, known)
	}
	if own != &q.work {
		return nil
	}
	consumer, err := q.js.Consumer(ctx, own.config.Name, workers)
	switch {
	case errors.Is(err, jetstream.ErrConsumerNotFound):
		return nil
	case err != nil:
		return wrap("read the consumer of the queue", err)
	case consumer.CachedInfo().Config.AckWait != s.lease:
		return differs("WithLease", s.lease, consumer.CachedInfo().Config.AckWait)
	}
	return nil
}

// differs refuses a setting of a queue that exists.
func differs(name string, given, stored any) error {
	return refuse(name, fmt.Sprintf("is %v, but the existing queue has %v: use that value, or use another WithName and handle the remaining messages of this queue, or remove the streams of this queue when it is empty", given, stored))
}

// workers is the name of the consumer.
const workers = "workers"

// consumer creates the consumer of the work stream, or updates an existing one.
func (q *Queue) consumer(ctx context.Context) error {
	_, err := q.js.CreateOrUpdateConsumer(ctx, q.work.config.Name, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.lease,
		MaxDeliver: -1, MaxAckPending: -1, // a message that waits for a retry does not block others
	})
	return wrap("create the consumer of the queue", err)
}

// recreate creates removed streams again. It does not change existing ones,
// whose capacity another process may have increased.
func (q *Queue) recreate(ctx context.Context) error {
	var all error
	for _, own := range q.streams() {
		if _, err := q.js.CreateStream(ctx, own.config); !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			all = errors.Join(all, err)
		}
	}
	return errors.Join(all, q.consumer(ctx))
}

// headerRoom is the size of the headers of a dead letter, which are added to
// the data of its message: the reason takes three times its length.
const headerRoom = 4 << 10

// Put implements [webhook.Queue]. While a cluster elects a leader it retries
// until ctx ends; the message is stored once.
func (q *Queue) Put(ctx context.Context, m webhook.Message) error {
	data, err := m.MarshalBinary()
	if err != nil {
		return wrap("put a message", err)
	}
	if !q.engine.busy.begin() {
		return webhook.ErrQueueClosed
	}
	defer q.engine.busy.End()
	if int64(len(data)) > q.engine.conn.MaxPayload()-headerRoom {
		return wrap("put a message", natsgo.ErrMaxPayload)
	}
	return q.store(ctx, m.Record, rand.Text(), data)
}

// store puts a message and a token for its record. If putting the token fails,
// the message is still stored, and the sweeper puts the token later.
func (q *Queue) store(ctx context.Context, record, id string, data []byte) error {
	if record == "" {
		return q.put(ctx, q.subject(), id, nil, data)
	}
	if err := q.put(ctx, q.subject()+"."+record, id, nil, data); err != nil {
		return err
	}
	if err := q.putToken(ctx, record, fresh); err != nil {
		q.sweeper.wake()
	}
	return nil
}

// subject returns the subject of messages without a record.
func (q *Queue) subject() string { return q.work.config.Subjects[0] }

// put stores data as a message. A second message with the same id is dropped.
func (q *Queue) put(ctx context.Context, subject, id string, header natsgo.Header, data []byte) error {
	_, err := retry(ctx, q.recreate, func(ctx context.Context) (*jetstream.PubAck, error) {
		m := &natsgo.Msg{Subject: subject, Header: maps.Clone(header), Data: data}
		return q.js.PublishMsg(ctx, m, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	})
	if isFull(err) {
		return fmt.Errorf("%w: %w", webhook.ErrQueueFull, err)
	}
	return wrap("put a message", err)
}

// Len returns the number of messages in the queue, including leased ones and
// those waiting for a retry, but without dead letters.
func (q *Queue) Len(ctx context.Context) (int, error) {
	b, err := q.Backlog(ctx)
	return b.Messages, err
}

// Drain implements [webhook.Queue]: the queue survives the process.
func (q *Queue) Drain() (draining bool) { return false }

// Backlog implements [webhook.Queue], using the clock of the server.
func (q *Queue) Backlog(ctx context.Context) (webhook.Backlog, error) {
	var b webhook.Backlog
	add := func(messages uint64, oldest time.Time) {
		b.Messages += int(messages)
		if messages > 0 && (b.Oldest.IsZero() || oldest.Before(b.Oldest)) {
			b.Oldest = oldest
		}
	}
	events, err := q.events.info(ctx)
	if err != nil {
		return b, wrap("count messages", err)
	}
	add(events.State.Msgs, events.State.FirstTime)
	work, err := q.work.info(ctx, jetstream.WithSubjectFilter(q.subject()))
	if err != nil {
		return b, wrap("count messages", err)
	}
	if lone := work.State.Subjects[q.subject()]; lone > 0 {
		first, err := q.work.first(ctx, q.subject())
		switch {
		case err == nil:
			add(lone, first.Time)
		case !errors.Is(err, jetstream.ErrMsgNotFound): // or the message was removed meanwhile
			return b, wrap("find the oldest message", err)
		}
	}
	return b, nil
}

// isFull reports whether a stream, the account or the disk is full.
func isFull(err error) bool {
	failure, ok := errors.AsType[*jetstream.APIError](err)
	if !ok {
		return false
	}
	switch failure.ErrorCode {
	case 10002, 10023, 10047: // resources of the account, the server or the storage are exhausted
		return true
	case 10077: // a stream does not accept it, with the reason in the text
		return strings.HasPrefix(failure.Description, "maximum ")
	default:
		return false
	}
}

// messageID returns the id that put assigned.
func messageID(header natsgo.Header) string { return header.Get(natsgo.MsgIdHdr) }
