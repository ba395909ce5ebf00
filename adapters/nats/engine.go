package nats

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	natsgo "github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/practicesdk/practice-go/internal/underway"
	"github.com/practicesdk/practice-go/webhook"
)

// Engine is a connection to NATS with its queue and stores, for concurrent use.
type Engine struct {
	server *embedded // nil when the server runs elsewhere
	conn   *natsgo.Conn
	busy   *busy

	queue *Queue
	store Store
}

// Store is a [webhook.Deduplicator] and a [webhook.TrackerStore] for several
// processes. Leases and retention end by the clock of the server. If the server
// is unavailable, the methods fail; package redis documents how a
// [webhook.Receiver] then behaves.
type Store struct{ events, writes bucket }

// Open starts a server inside the process with the given data directory, which
// it creates if necessary. With [WithServers] it connects to a server instead,
// and the directory may be empty. It creates missing streams and buckets. A
// larger [WithCapacity] than the stored one is applied; a smaller one, which
// would delete messages, and another [WithLease] or [WithReplicas] are a
// [webhook.ConfigError] with both values. If nothing else is stored in the
// account, the queue reserves seven eighths of the storage, so that the rest is
// left to the stores when it is full. A directory that another process has open
// is [ErrStoreInUse]; an invalid option is a [webhook.ConfigError]. ctx limits
// only Open.
func Open(ctx context.Context, storeDir string, options ...Option) (*Engine, error) {
	s, err := settingsOf(options)
	if err != nil {
		return nil, err
	}
	e := &Engine{busy: newBusy()}
	if s.servers == "" {
		if e.server, err = startServer(storeDir, s.logger, s.limits.start); err != nil {
			return nil, err
		}
	}
	if err := e.connect(ctx, s); err != nil {
		return nil, errors.Join(err, e.stop())
	}
	return e, nil
}

func (e *Engine) connect(ctx context.Context, s settings) error {
	options := append([]natsgo.Option{
		natsgo.Name(s.name), natsgo.MaxReconnects(-1), natsgo.ErrorHandler(logError(s.logger)),
	}, s.connection...)
	if e.server != nil {
		options = append(options, natsgo.InProcessServer(e.server), natsgo.Timeout(s.limits.start))
	}
	dial := &dialer{ctx: ctx}
	options = append(options, func(o *natsgo.Options) error {
		dial.timeout = o.Timeout
		if o.CustomDialer == nil {
			o.CustomDialer = dial
		}
		return nil
	})
	var err error
	if e.conn, err = natsgo.Connect(s.servers, options...); err != nil {
		return wrap("connect", errors.Join(context.Cause(ctx), err))
	}
	dial.opened.Store(true)
	js, err := jetstream.New(e.conn, jetstream.WithDefaultTimeout(s.limits.start))
	if err != nil {
		return wrap("use JetStream", err)
	}
	return e.prepare(ctx, js, s)
}

// dialer dials until its context ends, which also closes its connections unless
// the engine was opened before.
type dialer struct {
	ctx     context.Context
	timeout time.Duration
	opened  atomic.Bool
}

// Dial implements [natsgo.CustomDialer].
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	if d.opened.Load() {
		return net.DialTimeout(network, address, d.timeout)
	}
	conn, err := (&net.Dialer{Timeout: d.timeout}).DialContext(d.ctx, network, address)
	if err == nil {
		context.AfterFunc(d.ctx, func() {
			if !d.opened.Load() {
				_ = conn.Close()
			}
		})
	}
	return conn, err
}

// prepare creates the streams and buckets.
func (e *Engine) prepare(ctx context.Context, js jetstream.JetStream, s settings) error {
	var err error
	if e.queue, err = newQueue(ctx, e, js, s); err != nil {
		return err
	}
	if e.queue.tallies, err = newBucket(ctx, js, s, "attempts", max(s.retention, tallyRetention)); err != nil {
		return err
	}
	for name, b := range map[string]*bucket{"events": &e.store.events, "writes": &e.store.writes} {
		if *b, err = newBucket(ctx, js, s, name, s.retention); err != nil {
			return err
		}
	}
	if err := e.keepRoom(ctx, js, s); err != nil {
		return wrap("reserve storage for the buckets", err)
	}
	go e.queue.sweeper.run(e.queue)
	return nil
}

// logError returns a handler for asynchronous errors, which nats.go would
// otherwise print.
func logError(logger *slog.Logger) natsgo.ErrHandler {
	return func(_ *natsgo.Conn, _ *natsgo.Subscription, err error) {
		logger.Warn("nats: the connection reported an error", "error", err)
	}
}

// Queue returns the queue.
func (e *Engine) Queue() *Queue { return e.queue }

// Store returns the store of the engine, which implements the store interfaces
// of package webhook.
func (e *Engine) Store() *Store { return &e.store }

// Close closes the engine. From then on Put and Take return
// [webhook.ErrQueueClosed]. Close waits until workers have finished their
// messages, or the leases have expired, and then closes the connection and the
// server inside the process. If ctx ends first, Close stops waiting and returns
// its error; the queue leases those messages again later. Call it after the
// Shutdown of the receiver. A second call does nothing.
func (e *Engine) Close(ctx context.Context) error {
	select {
	case <-e.busy.closing.Done():
		return nil
	default:
	}
	e.busy.end(webhook.ErrQueueClosed)
	err := wrap("messages are still being handled", e.busy.Wait(ctx))
	<-e.queue.sweeper.ended
	return errors.Join(err, e.stop())
}

func (e *Engine) stop() error {
	if e.conn != nil {
		e.conn.Close() // nothing waits for a response, and pending writes are flushed
	}
	return e.server.stop()
}

// busy counts the operations that must end before the engine closes.
type busy struct {
	underway.Count

	closing context.Context // ends when no operation may begin any more
	end     context.CancelCauseFunc
}

func newBusy() *busy {
	b := &busy{}
	b.closing, b.end = context.WithCancelCause(context.Background())
	return b
}

// begin reports whether an operation may begin. If so, End must follow.
func (b *busy) begin() bool {
	b.Begin()
	if b.closing.Err() == nil {
		return true
	}
	b.End()
	return false
}

// with returns a context that also ends with the engine, and a function that
// releases it.
func (b *busy) with(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(b.closing, func() { cancel(context.Cause(b.closing)) })
	return ctx, func() { stop(); cancel(nil) }
}
