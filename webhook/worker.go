package webhook

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// trackWait limits the time that an error event waits for the Tracker on its
// way into the queue.
const trackWait = 50 * time.Millisecond

// enqueue stores the delivery in the queue. The Tracker should hear of a failed
// write even if its event waits behind others, so it is told here, and again by
// the worker.
func (r *Receiver) enqueue(ctx context.Context, d *delivery) error {
	m := Message{
		Identity: d.identity, Received: d.received, RequestID: d.requestID, Verified: d.verified.withoutSignature(),
		Body: d.body, Carried: r.inject(ctx, d),
	}
	r.report(ctx, d, 0, r.track(ctx, d, min(trackWait, r.storeLimit())))
	if r.settings.serial {
		m.Record = d.record
	}
	err := protect(func() error { return r.settings.queue.Put(ctx, m) })
	switch {
	case err == nil:
		r.count.queued.Add(1)
	case errors.Is(err, ErrQueueFull):
		r.count.queueFull.Add(1)
	}
	return storeError("queue", err)
}

// worker handles the messages of a queue. Its state outlives a call of Run,
// because a message may return until the queue has recorded its end.
type worker struct {
	*Receiver

	gate    gate
	pace    pace
	busy    chan struct{}      // semaphore of WithWorkers, which Run and Shutdown share
	freed   chan struct{}      // limits the messages that wait for stores while their workers continue
	unheard *bounded[struct{}] // handled events of which the Deduplicator has not heard
}

// mostFreed is the maximum number of messages that wait for stores while their
// workers continue.
const mostFreed = 1 << 10

func newWorker(r *Receiver) *worker {
	return &worker{
		Receiver: r, busy: make(chan struct{}, r.settings.workers), freed: make(chan struct{}, mostFreed),
		unheard: newBounded[struct{}](maxUnheard),
	}
}

// Run handles the messages of the queue (see [WithQueue]) until ctx ends or
// [Receiver.Shutdown] is called. It then waits for the handlers and returns
// nil. The context of the handlers ends with ctx, but not with Shutdown. If the
// Deduplicator fails at that point, Run waits for it for up to 15 seconds more.
// A failed message is retried (see [WithRetryPolicy]) and eventually becomes a
// dead letter; [WithErrorHook] reports both. Several machines that share a
// queue may call Run. Without a queue it is a [ConfigError].
func (r *Receiver) Run(ctx context.Context) error {
	if r.settings.queue == nil {
		return &ConfigError{"WithQueue", "is required by Run"}
	}
	r.running.Begin()
	defer r.running.End()
	taking, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.stopping, cancel)()
	r.worker.work(ctx, taking)
	return nil
}

// work runs the workers until taking ends or the queue closes, and waits for
// them.
func (w *worker) work(ctx, taking context.Context) {
	var workers, messages sync.WaitGroup
	for range w.settings.workers {
		workers.Go(func() {
			for w.next(ctx, taking, &messages) {
			}
		})
	}
	workers.Wait()
	messages.Wait()
}

// next handles one message. It returns false if there will be no more.
func (w *worker) next(ctx, taking context.Context, messages *sync.WaitGroup) bool {
	select {
	case w.busy <- struct{}{}:
		defer func() { <-w.busy }()
	case <-taking.Done():
		return false
	}
	if w.gate.open(taking) != nil || w.pace.wait(taking) != nil {
		return false
	}
	job, err := w.takeJob(taking)
	switch {
	case err == nil:
		s := &slot{freed: w.freed, free: make(chan struct{})}
		messages.Go(func() {
			defer s.end()
			w.handleJob(ctx, job, s)
		})
		<-s.free
		return taking.Err() == nil
	case taking.Err() != nil, errors.Is(err, ErrQueueClosed):
		return false
	default:
		w.report(ctx, &delivery{}, 0, err)
		return backoff.Sleep(taking, storePause) == nil
	}
}

// takeJob takes a message. If the queue cannot return its values, it returns
// the message to the queue.
func (w *worker) takeJob(ctx context.Context) (*jobSnapshot, error) {
	var taken Job
	a := <-apart(&w.running, func() (*jobSnapshot, error) {
		job, err := w.settings.queue.Take(ctx)
		if err != nil {
			return nil, err
		}
		taken = job
		return snapshotOf(job), nil
	})
	if a.err != nil && taken != nil {
		w.callQueue(ctx, &delivery{}, func(ctx context.Context) error { return taken.Return(ctx, storePause) })
	}
	return a.value, storeError("queue", a.err)
}

// jobSnapshot is a job with the values that the queue returned when it was taken.
type jobSnapshot struct {
	Job
	id                        string
	message                   Message
	attempt, returned, lapsed int
	lease                     time.Duration
	asked                     time.Time // time just before the lease was requested
}

func snapshotOf(job Job) *jobSnapshot {
	asked := time.Now()
	return &jobSnapshot{job, job.ID(), job.Message(), job.Attempt(), job.Returned(), job.Lapsed(), job.Lease(), asked}
}

func (k *jobSnapshot) ID() string           { return k.id }
func (k *jobSnapshot) Message() Message     { return k.message }
func (k *jobSnapshot) Attempt() int         { return k.attempt }
func (k *jobSnapshot) Returned() int        { return k.returned }
func (k *jobSnapshot) Lapsed() int          { return k.lapsed }
func (k *jobSnapshot) Lease() time.Duration { return k.lease }

// slot tracks one message of a worker. While the message only waits for stores,
// the worker may take another one, within the limit of freed.
type slot struct {
	freed chan struct{} // limits the messages that wait for stores while their workers continue
	free  chan struct{} // closed when the worker may continue

	mu    sync.Mutex
	left  bool // the worker has continued
	over  bool
	timer *time.Timer // nil until the handlers have returned
}

// leaveIn frees the worker after d, unless the message has ended by then.
func (s *slot) leaveIn(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil {
		s.timer = time.AfterFunc(d, s.leave)
	}
}

// leave frees the worker if the limit allows it. It is called once.
func (s *slot) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left || s.over {
		return
	}
	select {
	case s.freed <- struct{}{}:
		s.left = true
		close(s.free)
	default:
	}
}

func (s *slot) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	if s.timer != nil {
		s.timer.Stop()
	}
	if s.left {
		<-s.freed
		return
	}
	close(s.free)
}

// Waits of messages that are returned to the queue because a store failed.
const (
	storePause    = time.Second // also the wait before a failed queue is called again
	storePauseMax = time.Minute
)

// backWait returns the wait of a message that was returned the given number of
// times.
func backWait(returned int) time.Duration {
	return RetryPolicy{First: storePause, Max: storePauseMax}.wait(returned + 1)
}

// pace delays the workers while stores fail for many messages in a row. A store
// that fails only for some messages must not delay the others.
type pace struct{ inARow atomic.Int64 }

// manyInARow is the number of consecutive failures after which the workers slow
// down.
const manyInARow = 10

func (p *pace) failed() { p.inARow.Add(1) }
func (p *pace) ok()     { p.inARow.Store(0) }

func (p *pace) wait(ctx context.Context) error {
	if p.inARow.Load() < manyInARow {
		return nil
	}
	return backoff.Sleep(ctx, storePause)
}
