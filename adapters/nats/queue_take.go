package nats

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	natsgo "github.com/nats-io/nats.go"

	"github.com/practicesdk/practice-go/webhook"
)

// taker requests messages for a worker, one at a time. It records the time of
// the request. A lease counts from then, because the process or the network may
// have paused before the message was read.
type taker struct {
	*natsgo.Subscription
	asked time.Time
}

// longestAsk limits the duration of a request. A fraction of the lease limits
// it as well.
const (
	longestAsk = 30 * time.Second
	askShare   = 3
)

// errSilent reports a request whose heartbeats are missing.
var errSilent = errors.New("the server did not respond")

// taker returns an idle or a new taker. A new one recreates a removed consumer.
func (q *Queue) taker(ctx context.Context) (*taker, error) {
	select {
	case t := <-q.idle:
		return t, nil
	default:
	}
	asking, cancel := context.WithTimeout(ctx, q.limits.look)
	defer cancel()
	if q.consumer(asking) != nil {
		if err := q.recreate(asking); err != nil {
			return nil, err
		}
	}
	sub, err := q.engine.conn.SubscribeSync(q.engine.conn.NewInbox())
	return &taker{Subscription: sub}, err
}

// Take implements [webhook.Queue].
func (q *Queue) Take(ctx context.Context) (webhook.Job, error) {
	if ctx.Err() == nil && q.engine.busy.closing.Err() == nil {
		if j := q.takeKept(); j != nil {
			return j, nil
		}
	}
	if !q.engine.busy.begin() {
		return nil, webhook.ErrQueueClosed
	}
	j, err := q.take(ctx)
	if err != nil {
		q.engine.busy.End()
		return nil, err
	}
	return j, nil // busy until the job ends
}

func (q *Queue) take(ctx context.Context) (*job, error) {
	ctx, cancel := q.engine.busy.with(ctx)
	defer cancel()
	for ctx.Err() == nil {
		l, err := q.next(ctx)
		switch {
		case l != nil:
			if j, err := q.open(context.WithoutCancel(ctx), *l); j != nil || err != nil {
				return j, err
			}
		case ctx.Err() == nil && err != nil:
			return nil, wrap("take a message", err)
		}
	}
	return nil, context.Cause(ctx)
}

// open returns the job of a lease. It returns nil if there is nothing to
// handle: the record has no messages, or its message must wait.
func (q *Queue) open(ctx context.Context, l lease) (*job, error) {
	meta, err := l.given.Metadata()
	if err != nil {
		return nil, wrap("read a message", err)
	}
	if l.over(time.Now()) {
		return nil, nil // another worker has leased it meanwhile
	}
	l.number = meta.NumDelivered
	var j *job
	if record, ok := strings.CutPrefix(l.given.Subject, q.tokenSubject("")); ok {
		l.record, l.number = record, meta.Sequence.Stream
		if meta.NumDelivered > 1 {
			return nil, q.lapsed(ctx, l)
		}
		j, err = q.lead(ctx, l, history(l.given.Header.Get(headerHistory)))
	} else {
		j = q.plainJob(ctx, l, meta)
	}
	if j == nil || err != nil {
		return nil, err
	}
	if err := j.start(ctx); err != nil {
		return nil, err
	}
	return j, nil
}

// next returns the next lease of this process, or an error. It returns neither
// if the request for a message was lost.
func (q *Queue) next(ctx context.Context) (*lease, error) {
	t, err := q.taker(ctx)
	if err != nil {
		return nil, err
	}
	for ctx.Err() == nil && err == nil {
		var m *natsgo.Msg
		if m, err = q.request(ctx, t); m != nil {
			l := &lease{given: m, until: t.asked.Add(q.lease)}
			select {
			case q.idle <- t: // afterwards another worker may use it
			default:
				_ = t.Unsubscribe()
			}
			return l, nil
		}
	}
	if m := q.drain(t); m != nil {
		return &lease{given: m, until: t.asked.Add(q.lease)}, nil
	}
	if errors.Is(err, errSilent) && q.engine.conn.FlushTimeout(q.limits.look) == nil {
		return nil, nil // the request was lost with a connection or a leader
	}
	return nil, err
}

// pullRequest is a request for messages of a consumer.
type pullRequest struct {
	Batch     int           `json:"batch"`
	Expires   time.Duration `json:"expires,omitempty"`
	Heartbeat time.Duration `json:"idle_heartbeat,omitempty"`
}

// request requests a message. It returns nil if none arrives in time.
func (q *Queue) request(ctx context.Context, t *taker) (*natsgo.Msg, error) {
	stands := min(q.lease/askShare, longestAsk)
	r := pullRequest{Batch: 1, Expires: stands, Heartbeat: min(q.limits.heartbeat, stands/askShare)}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	t.asked = time.Now()
	if err := q.engine.conn.PublishRequest("$JS.API.CONSUMER.MSG.NEXT."+q.work.config.Name+"."+workers, t.Subject, text); err != nil {
		return nil, err
	}
	for {
		waiting, cancel := context.WithTimeout(ctx, 2*max(r.Heartbeat, q.limits.heartbeat))
		m, err := t.NextMsgWithContext(waiting)
		cancel()
		switch status := statusOf(m); {
		case ctx.Err() != nil && err != nil:
			return nil, err
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, natsgo.ErrTimeout):
			return nil, errSilent
		case err != nil:
			return nil, err
		case status == "":
			return m, nil
		case status == "404", status == "408": // there was no message
			return nil, nil
		case status != "100": // 100 is a heartbeat of the pending request
			return nil, fmt.Errorf("the server rejected a request for a message: %s %s", status, m.Header.Get("Description"))
		}
	}
}

// statusOf returns the status of a message without content.
func statusOf(m *natsgo.Msg) string {
	if m == nil || len(m.Data) > 0 || strings.HasPrefix(m.Reply, "$JS.ACK.") {
		return ""
	}
	return m.Header.Get("Status")
}

// drain closes a taker and returns a message that was already in transit.
func (q *Queue) drain(t *taker) (found *natsgo.Msg) {
	ctx, cancel := context.WithTimeout(context.Background(), q.limits.look)
	defer cancel()
	if t.Drain() != nil {
		return nil
	}
	for {
		m, err := t.NextMsgWithContext(ctx)
		switch {
		case err != nil:
			return found
		case statusOf(m) == "":
			found = m
		}
	}
}

// mostIdle limits the number of idle takers, and of reserved jobs.
const mostIdle = 1 << 10

// keptTime is the time for which a job is reserved for workers of this process.
const keptTime = 20 * time.Millisecond

// keep reserves the next message of a record, whose token this process holds,
// for its own workers, because a worker that has finished a message requests
// another at once. If no worker takes it, the token is exchanged.
func (q *Queue) keep(j *job) error {
	ctx := context.Background()
	if err := j.start(ctx); err != nil {
		q.engine.busy.End()
		return err
	}
	j.unclaimed = time.AfterFunc(keptTime, func() {
		defer j.leave()
		ctx, cancel := context.WithTimeout(ctx, q.limits.respond)
		defer cancel()
		if !j.over(time.Now()) {
			_ = q.exchange(ctx, j.lease, fresh) // if this fails, its lease expires
		}
	})
	select {
	case q.kept <- j:
	default: // too many jobs are reserved already
	}
	return nil
}

// takeKept returns a reserved job, or nil.
func (q *Queue) takeKept() *job {
	for {
		select {
		case j := <-q.kept:
			if !j.unclaimed.Stop() {
				continue // keep exchanges its token
			}
			if !j.over(time.Now()) {
				return j
			}
			j.leave()
		default:
			return nil
		}
	}
}
