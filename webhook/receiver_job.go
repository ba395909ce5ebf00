package webhook

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// held is a message of the queue that this process handles.
type held struct {
	*delivery
	job  Job
	task *task
	lose context.CancelCauseFunc // ends the context of the handlers
}

// handleJob handles a message and tells the queue how it went.
func (r *Receiver) handleJob(ctx context.Context, job Job, s *slot) {
	m := job.Message()
	d := &delivery{
		verified: m.Verified, requestID: m.RequestID, body: m.Body, received: m.Received, attempt: job.Attempt(),
	}
	if !r.gate.enter(job.ID()) {
		r.tell(ctx, d, func(ctx context.Context) error { return job.Return(ctx, backWait(job.Returned())) })
		return
	}
	working, lose := context.WithCancelCause(r.extract(ctx, d, m.Carried))
	defer lose(nil)
	h := &held{delivery: d, job: job, lose: lose, task: r.taskOf(job)}
	h.task.slot, h.task.over = s, ctx.Done()
	h.task.alone = func(ctx context.Context) (func(), error) { return r.alone(ctx, h) }
	outcome := make(chan error, 1)
	go func() {
		err := errEndedGoroutine
		defer func() { outcome <- err }()
		err = protectHandlers(func() error { return r.attempt(working, h) })
	}()
	err := r.keepLease(ctx, h, outcome)
	r.gate.leave(job.ID()) // before the queue hears of it, which may give the message out again at once
	s.leaveIn(r.settings.storeTimeout)
	r.conclude(ctx, h, err)
	r.ends.announce(d.record)
}

// taskOf is how a message of the queue is handled. A claim lasts as long as the lease, so that a worker that died
// leaves the event to nobody else. The owner is the same when this receiver has the message again, whose claim may have
// been stored although the answer was lost; but not after a release without an answer, which may yet be carried out.
func (r *Receiver) taskOf(job Job) *task {
	t := &task{
		owner: r.name + "-" + job.ID(), lease: job.Lease(), limit: r.settings.storeTimeout, time: r.settings.handlerTimeout,
		patient: true, id: job.ID(),
	}
	if n, again := r.released.get(t.id); again {
		t.owner += "-" + strconv.Itoa(n)
	}
	if t.lease <= 0 {
		t.lease = pause.Sum(r.settings.handlerTimeout, settleLimit)
	}
	return t
}

// errLeaseLost is the cause of the end of the context of handlers whose message may soon be given to another worker.
var errLeaseLost = errors.New("webhook: the lease of the message could not be extended")

// keepLease extends the lease while the message is being handled. When the lease cannot be extended, the
// handlers' context ends after three quarters of it, before the queue gives the message to another worker.
func (r *Receiver) keepLease(ctx context.Context, h *held, outcome <-chan error) error {
	lease := h.job.Lease()
	if lease <= 0 {
		return <-outcome
	}
	ticker := time.NewTicker(max(lease/3, 1))
	defer ticker.Stop()
	lapseLater := func() *time.Timer { return time.AfterFunc(lease-lease/4, func() { h.lose(errLeaseLost) }) }
	lapse := lapseLater()
	defer func() { lapse.Stop() }()
	for {
		select {
		case err := <-outcome:
			return err
		case <-ticker.C:
			extended := lapseLater() // counted from before the queue extends it
			err := r.told(context.WithoutCancel(ctx), "queue", max(lease/6, 1), h.job.Extend)
			r.reportStore(ctx, h.delivery, err)
			if err == nil {
				lapse, extended = extended, lapse
			}
			extended.Stop()
		}
	}
}

// attempt handles a message.
func (r *Receiver) attempt(ctx context.Context, h *held) error {
	if b, left := r.unburied.get(h.job.ID()); left && b.before(h.job) {
		return b.reason
	}
	if err := r.decode(ctx, h.delivery); err != nil {
		return err
	}
	if _, left := r.unsettled.get(h.identity); left {
		return r.settleAgain(context.WithoutCancel(ctx), h)
	}
	if err := r.inOrder(ctx, h); err != nil {
		return err
	}
	h.task.bindings = r.handlers.of(h.notification.kind)
	return r.process(ctx, h.delivery, h.task)
}

// lost tells a failure of handlers from the end that a lost lease or claim made of them.
func lost(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if err == nil || !errors.Is(cause, errLeaseLost) && !errors.Is(cause, errClaimLost) {
		return err
	}
	return fmt.Errorf("%w: %w: %v", ErrStore, cause, err) //nolint:errorlint // it is no failure of a handler
}

// conclude tells the queue, and everybody else who wants to know, how the attempt went.
func (r *Receiver) conclude(ctx context.Context, h *held, err error) {
	if err == nil {
		r.pace.ok()
		r.tell(ctx, h.delivery, h.job.Done)
		return
	}
	c := classify(err)
	if c.reason == ErrStore { //nolint:errorlint // the sentinel itself
		r.pace.failed()
		r.reportStore(ctx, h.delivery, err)
	} else {
		r.pace.ok()
	}
	switch {
	case c.fate == fateDead:
		r.bury(ctx, h, err)
	case ctx.Err() != nil && c.wait < 0: // Run was ended, which the handler may have failed of
		r.giveBack(ctx, h, 0)
	case errors.Is(err, errBehind): // all wait alike, so that they come back in their order
		r.giveBack(ctx, h, pause.Doubled(orderPause, orderMax, h.job.Returned()))
	case errors.Is(err, errUnsettled):
		r.giveBackUnsettled(ctx, h, backWait(h.job.Returned()))
	case c.fate == fateBack:
		r.giveBack(ctx, h, backWait(h.job.Returned()))
	case h.attempt < r.settings.retry.Attempts:
		r.report(ctx, h.delivery, 0, err)
		if c.wait < 0 {
			c.wait = r.settings.retry.wait(h.attempt)
		}
		r.count.retries.Add(1)
		r.tell(ctx, h.delivery, func(ctx context.Context) error { return h.job.Retry(ctx, c.wait) })
	default:
		r.bury(ctx, h, err)
	}
}

func (r *Receiver) giveBack(ctx context.Context, h *held, wait time.Duration) {
	r.count.retries.Add(1)
	r.tell(ctx, h.delivery, func(ctx context.Context) error { return h.job.Return(ctx, wait) })
}

// tell tells the queue something about a message, also when Run was ended.
func (r *Receiver) tell(ctx context.Context, d *delivery, what func(context.Context) error) {
	r.reportStore(ctx, d, r.told(context.WithoutCancel(ctx), "queue", settleLimit, what))
}

func reason(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), MaxReason)], "")
}
