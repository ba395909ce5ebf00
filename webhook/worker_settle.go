package webhook

import (
	"context"
	"errors"
	"time"
)

// overLimit limits how long a worker repeats a call of a store after Run has
// ended.
const overLimit = 15 * time.Second

// insist repeats a call of a store until it is done, because its message holds
// the only memory of the result. The message stays leased and its event claimed
// meanwhile. After the end of Run, insist gives up when the lease would have
// ended.
func (w *worker) insist(t *task, call func() (done bool)) {
	t.slot.leaveIn(w.settings.storeTimeout)
	var late <-chan time.Time
	for over := t.over; !call(); {
		select {
		case <-time.After(storePause):
		case <-over:
			over, late = nil, time.After(min(t.lease, overLimit))
		case <-late:
			return
		}
	}
}

// settleQueued records the result of an attempt in the Deduplicator. The
// success of the handlers is recorded until the Deduplicator confirms it:
// otherwise a repeated delivery would be handled again. The claim is renewed
// until the queue has answered, see handleJob.
func (w *worker) settleQueued(ctx context.Context, d *delivery, t *task, err error) error {
	if err != nil {
		t.kept.end()
		_ = w.release(ctx, d, t) // release reports the error
		return err
	}
	var failure error
	w.insist(t, func() (done bool) {
		failure = w.commit(ctx, d, t)
		w.setUnheard(d.identity, failure != nil)
		w.report(ctx, d, 0, failure)
		return failure == nil
	})
	return failure
}

// maxUnheard limits the events that were handled and that the Deduplicator has
// not heard of.
const maxUnheard = 1 << 12

// isUnheard reports whether this receiver has handled an event and the
// Deduplicator has not heard of it.
func (w *worker) isUnheard(identity string) bool {
	w.unheard.Lock()
	defer w.unheard.Unlock()
	_, known := w.unheard.get(keyDigest(identity), w.settings.now())
	return known
}

func (w *worker) setUnheard(identity string, unheard bool) {
	w.unheard.Lock()
	defer w.unheard.Unlock()
	if unheard {
		w.unheard.put(keyDigest(identity), struct{}{}, w.settings.now(), DefaultRetention)
	} else {
		w.unheard.remove(keyDigest(identity))
	}
}

// deadLetter makes the message a dead letter. If there is no room for it, or
// the lease has been lost, the message is returned and attempted again.
func (w *worker) deadLetter(ctx context.Context, h *held, err error) {
	var failure error
	w.insist(h.task, func() (done bool) {
		failure = w.callStore(context.WithoutCancel(ctx), "queue", settleLimit, func(ctx context.Context) error {
			return h.job.DeadLetter(ctx, reason(err))
		})
		w.report(ctx, h.delivery, 0, failure)
		return failure == nil || errors.Is(failure, ErrQueueFull) || h.lease.lapsed()
	})
	if failure != nil {
		w.giveBack(ctx, h, backWait(h.job.Returned()))
		return
	}
	h.lease.end()
	w.gate.leave(h.job.ID())
	h.mu.Lock() // a report of overdue handlers may read it
	h.dead = true
	h.mu.Unlock()
	w.count.deadLetters.Add(1)
	w.report(ctx, h.delivery, 0, err)
}
