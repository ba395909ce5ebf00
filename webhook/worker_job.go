package webhook

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// held is a leased message that this process is handling.
type held struct {
	*delivery
	job  *jobSnapshot
	task *task

	lease *renewal
	lose  context.CancelCauseFunc // cancels the context of the handlers
}

// handleJob handles a message and ends its lease.
func (w *worker) handleJob(ctx context.Context, job *jobSnapshot, s *slot) {
	m := job.Message()
	d := &delivery{
		verified: m.Verified, requestID: m.RequestID, body: m.Body, received: m.Received, attempt: job.Attempt(),
		last: job.Attempt()+job.Lapsed() >= w.settings.retry.Attempts,
	}
	if !w.gate.enter(job.ID()) {
		w.callQueue(ctx, d, func(ctx context.Context) error { return job.Return(ctx, backWait(job.Returned())) })
		return
	}
	working, lose := context.WithCancelCause(w.extract(ctx, d, m.Carried))
	defer lose(nil)
	h := &held{delivery: d, job: job, lose: lose, task: w.taskOf(job)}
	h.lease = w.leaseOf(h)
	h.task.slot, h.task.over = s, ctx.Done()
	h.task.begin = func(ctx context.Context) (func(), error) { return w.begin(ctx, h) }
	attempt := apart(&w.running, func() (struct{}, error) { return struct{}{}, w.attempt(working, h) })
	h.lease.begin(context.WithoutCancel(ctx))
	err := ofHandlers((<-attempt).err)
	s.leaveIn(w.settings.storeTimeout)
	w.conclude(ctx, h, err)
	h.task.kept.end() // not earlier: if the queue does not answer, the message may be leased again before its event is known to be handled
}

// taskOf returns the task for a message from a queue. The claim lasts as long
// as the lease, so that no other message can claim the event of a worker that
// died. Each lease has its own owner, because the release of an earlier one
// that got no response may still take effect.
func (w *worker) taskOf(job Job) *task {
	t := &task{
		owner: w.name + "-" + job.ID() + "-" + strconv.Itoa(job.Attempt()+job.Returned()+job.Lapsed()), lease: job.Lease(), limit: w.settings.storeTimeout, time: w.settings.handlerTimeout,
		patient: true,
	}
	if t.lease <= 0 {
		t.lease = backoff.SaturatingAdd(w.settings.handlerTimeout, settleLimit)
	}
	return t
}

// errLeaseLost cancels handlers whose message another worker may soon lease.
var errLeaseLost = errors.New("webhook: the lease of the message could not be extended")

// begin starts the handlers of a message, unless its lease has expired: the
// process may have been suspended.
func (w *worker) begin(ctx context.Context, h *held) (join func(), err error) {
	join, err = w.alone(ctx, h)
	if err == nil && h.lease.lapsed() {
		join()
		return nil, fmt.Errorf("%w: %w", ErrStore, errLeaseLost)
	}
	return join, err
}

// leaseOf returns a renewal for the lease of a message.
func (w *worker) leaseOf(h *held) *renewal {
	lease := h.job.Lease()
	extend := func(ctx context.Context) (renewed, lost bool) {
		err := w.callStore(ctx, "queue", max(lease/6, 1), h.job.Extend)
		w.report(ctx, h.delivery, 0, err)
		return err == nil, false
	}
	return newRenewal(lease, h.job.asked, extend, func() { h.lose(errLeaseLost) })
}

// attempt makes one attempt to handle a message.
func (w *worker) attempt(ctx context.Context, h *held) error {
	if err := w.decode(h.delivery); err != nil {
		return err
	}
	h.task.bindings = w.handlers.of(h.notification.kind)
	return w.process(ctx, h.delivery, h.task)
}

// lost returns ErrStore if a lost lease or claim cancelled the handlers, and
// err otherwise.
func lost(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if err == nil || !errors.Is(cause, errLeaseLost) && !errors.Is(cause, errClaimLost) {
		return err
	}
	return fmt.Errorf("%w: %w: %v", ErrStore, cause, err) //nolint:errorlint // it is no failure of a handler
}

// conclude ends the lease according to the result of the attempt, counts the
// result and reports it.
func (w *worker) conclude(ctx context.Context, h *held, err error) {
	if err == nil {
		w.pace.ok()
		w.end(ctx, h, h.job.Done)
		return
	}
	c := classify(err)
	if c.reason == ErrStore { //nolint:errorlint // the sentinel itself
		w.pace.failed()
		w.report(ctx, h.delivery, 0, err)
	} else {
		w.pace.ok()
	}
	switch {
	case c.fate == fateDead:
		w.deadLetter(ctx, h, err)
	case ctx.Err() != nil && c.wait < 0: // the end of Run may have caused the failure
		w.giveBack(ctx, h, 0)
	case c.fate == fateBack:
		w.giveBack(ctx, h, backWait(h.job.Returned()))
	case !h.last:
		w.report(ctx, h.delivery, 0, err)
		if c.wait < 0 {
			c.wait = w.settings.retry.wait(h.attempt)
		}
		w.count.retries.Add(1)
		w.end(ctx, h, func(ctx context.Context) error { return h.job.Retry(ctx, c.wait) })
	default:
		w.deadLetter(ctx, h, err)
	}
}

// giveBack returns a message to the queue without counting an attempt.
func (w *worker) giveBack(ctx context.Context, h *held, wait time.Duration) {
	w.count.retries.Add(1)
	w.end(ctx, h, func(ctx context.Context) error { return h.job.Return(ctx, wait) })
}

// end ends the lease of a message. The message leaves the gate first, because
// it may be leased again at once.
func (w *worker) end(ctx context.Context, h *held, how func(context.Context) error) {
	h.lease.end()
	w.gate.leave(h.job.ID())
	w.callQueue(ctx, h.delivery, how)
}

// callQueue calls a method of a leased message, even after the end of Run.
func (w *worker) callQueue(ctx context.Context, d *delivery, what func(context.Context) error) {
	w.report(ctx, d, 0, w.callStore(context.WithoutCancel(ctx), "queue", settleLimit, what))
}

func reason(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), MaxReason)], "")
}
