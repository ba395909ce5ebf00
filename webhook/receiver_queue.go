package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// enqueue stores the delivery.
func (r *Receiver) enqueue(ctx context.Context, d *delivery) error {
	err := r.settings.queue.Put(ctx, Message{
		Identity: d.identity, Received: d.received, RequestID: d.requestID, Verified: d.verified.withoutSignature(),
		Body: d.body,
	})
	switch {
	case err == nil:
		r.count.queued.Add(1)
	case errors.Is(err, ErrQueueFull):
		r.count.queueFull.Add(1)
	}
	return storeError("queue", err)
}

// Run handles the messages of the queue (see [WithQueue]) until ctx ends or [Receiver.Shutdown] is called. It then
// waits for the handlers and returns nil. The context of the handlers ends with ctx, but not with Shutdown. A failed
// message is retried (see [WithRetryPolicy]) and finally becomes a dead letter; [WithErrorHook] reports both. Several
// machines that share a queue may call Run. Without a queue it is a [ConfigError].
func (r *Receiver) Run(ctx context.Context) error {
	if r.settings.queue == nil {
		return &ConfigError{"WithQueue", "is needed to run"}
	}
	r.running.begin()
	defer r.running.end()
	taking, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.stopping, cancel)()
	r.work(ctx, taking)
	return nil
}

// work runs the workers until taking ends or the queue is closed.
func (r *Receiver) work(ctx, taking context.Context) {
	var workers sync.WaitGroup
	for range r.settings.workers {
		workers.Go(func() {
			for r.next(ctx, taking) {
			}
		})
	}
	workers.Wait()
}

// storePause is the wait before a store that failed is asked again.
const storePause = time.Second

// next handles one message. It is false when there will be no more.
func (r *Receiver) next(ctx, taking context.Context) bool {
	job, err := r.settings.queue.Take(taking)
	switch {
	case err == nil:
		r.handleJob(ctx, job)
		return taking.Err() == nil
	case taking.Err() != nil, errors.Is(err, ErrQueueClosed):
		return false
	default:
		r.reportStore(ctx, &delivery{}, storeError("queue", err))
		return pause.Sleep(taking, storePause) == nil
	}
}

// handleJob handles a message and tells the queue how it went.
func (r *Receiver) handleJob(ctx context.Context, job Job) {
	m := job.Message()
	d := &delivery{
		verified: m.Verified, requestID: m.RequestID, body: m.Body, received: m.Received, attempt: job.Attempt(),
	}
	outcome := make(chan error, 1)
	go func() {
		err := errEndedGoroutine
		defer func() { outcome <- err }()
		err = protect(func() error { return r.attempt(ctx, d, job.ID()) })
	}()
	err := r.extendLease(ctx, d, job, outcome)
	r.conclude(ctx, d, job, err)
}

// extendLease extends the lease while the message is being handled.
func (r *Receiver) extendLease(ctx context.Context, d *delivery, job Job, outcome <-chan error) error {
	var ticks <-chan time.Time
	if lease := job.Lease(); lease > 0 {
		ticker := time.NewTicker(max(lease/3, 1))
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case err := <-outcome:
			return err
		case <-ticks:
			r.tell(ctx, d, job.Extend)
		}
	}
}

// attempt handles a message, and waits for stores that fail: they would fail for every other message too.
func (r *Receiver) attempt(ctx context.Context, d *delivery, id string) error {
	todo, err := r.open(d)
	if err != nil {
		return err
	}
	if d.attempt > r.settings.retry.Attempts {
		todo = []work{func(context.Context) error { return errNoOutcome }}
	}
	t := task{
		owner: id, lease: r.settings.handlerTimeout + settleLimit, limit: r.settings.storeTimeout,
		time: r.settings.handlerTimeout, patient: true,
	}
	for {
		err := r.process(ctx, d, todo, t)
		if !errors.Is(err, ErrStore) || errors.Is(err, ErrHandler) {
			return err
		}
		r.reportStore(ctx, d, err)
		if pause.Sleep(ctx, storePause) != nil {
			return fmt.Errorf("%w: %w", ErrUnfinished, ctx.Err())
		}
	}
}

// errNoOutcome is the reason of a dead letter that may be what ended the processes that tried to handle it.
var errNoOutcome = errors.New("the last attempt had no outcome")

// conclude tells the queue, and everybody else who wants to know, how the attempt went.
func (r *Receiver) conclude(ctx context.Context, d *delivery, job Job, err error) {
	again := func(wait time.Duration) {
		r.count.retries.Add(1)
		r.tell(ctx, d, func(ctx context.Context) error { return job.Retry(ctx, wait) })
	}
	switch {
	case err == nil:
		r.tell(ctx, d, job.Done)
	case ctx.Err() != nil:
		again(0) // Run was ended
	case errors.Is(err, ErrInProgress) && !errors.Is(err, ErrHandler):
		again(r.settings.retry.wait(d.attempt))
	case d.attempt < r.settings.retry.Attempts && !errors.Is(err, ErrMalformed):
		r.report(ctx, d, 0, err)
		again(r.settings.retry.wait(d.attempt))
	default:
		d.dead = true
		r.count.deadLetters.Add(1)
		r.report(ctx, d, 0, err)
		r.tell(ctx, d, func(ctx context.Context) error { return job.Bury(ctx, reason(err)) })
	}
}

// tell tells the queue something about a message, also when Run was ended.
func (r *Receiver) tell(ctx context.Context, d *delivery, what func(context.Context) error) {
	r.reportStore(ctx, d, r.told(context.WithoutCancel(ctx), "queue", settleLimit, what))
}

func reason(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), MaxReason)], "")
}
