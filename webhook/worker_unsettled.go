package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// errUnsettled returns a message to the queue whose event was handled but not
// recorded in the stores. This receiver does not handle the event again.
var errUnsettled = errors.New("webhook: the stores have yet to hear of an event that was handled")

// unsettledTime is the time for which a receiver remembers unrecorded results.
const unsettledTime = DefaultRetention

// releaseUnsettled extends the claim for as long as its message waits, so that
// no other worker handles the event meanwhile.
func (w *worker) releaseUnsettled(ctx context.Context, h *held, wait time.Duration) {
	t := *h.task
	t.lease = backoff.SaturatingAdd(t.lease, wait)
	_, err := w.claim(context.WithoutCancel(ctx), h.delivery, &t)
	w.report(ctx, h.delivery, 0, err)
	w.releaseJob(ctx, h, wait)
}

// settleQueued records the result in the stores and retries until it succeeds:
// otherwise a redelivery of the event would be handled again. It returns early
// when Run ends, or when too many messages wait for stores.
func (w *worker) settleQueued(ctx context.Context, d *delivery, t *task, err error) error {
	defer t.kept.end()
	if err != nil {
		t.kept.end()
		if w.release(ctx, d, t) != nil {
			n, _ := w.released.get(t.id)
			w.released.put(t.id, n+1)
		}
		return err
	}
	for { // the claim is renewed meanwhile
		failure := w.commit(ctx, d, t)
		if failure == nil {
			w.unsettled.remove(d.identity)
			w.noteOrder(ctx, d, t)
			return nil
		}
		w.unsettled.put(d.identity, struct{}{})
		w.report(ctx, d, 0, failure)
		select {
		case <-time.After(storePause):
		case <-t.slot.blocked:
			return fmt.Errorf("%w: %w", errUnsettled, failure)
		case <-t.over:
			return failure
		}
	}
}

// settleAgain records the result of an event that was handled in an earlier
// lease of its message.
func (w *worker) settleAgain(ctx context.Context, h *held) error {
	asked := startOfLease()
	claim, err := w.claim(ctx, h.delivery, h.task)
	w.report(ctx, h.delivery, 0, err)
	if err == nil && claim == ClaimNew {
		h.task.kept = w.keep(ctx, h.delivery, h.task, asked)
	}
	h.task.slot.leaveIn(w.settings.storeTimeout)
	return w.settleQueued(ctx, h.delivery, h.task, nil)
}

// pendingDeadLetter is a message that the queue has not dead-lettered yet.
type pendingDeadLetter struct {
	reason error
	leases int // number of leases without an attempt at that time
}

// before reports whether the message was leased again since. A replay resets
// the count.
func (p pendingDeadLetter) before(job Job) bool { return job.Returned()+job.Lapsed() > p.leases }

// deadLetter makes the message a dead letter. If the queue fails, the message
// is returned and dead-lettered in its next lease.
func (w *worker) deadLetter(ctx context.Context, h *held, err error) {
	id := h.job.ID()
	failure := w.callStore(context.WithoutCancel(ctx), "queue", settleLimit, func(ctx context.Context) error {
		return h.job.DeadLetter(ctx, reason(err))
	})
	if failure == nil {
		w.pendingDead.remove(id)
		h.mu.Lock() // a report of overdue handlers may read it
		h.dead = true
		h.mu.Unlock()
		w.count.deadLetters.Add(1)
		w.report(ctx, h.delivery, 0, err)
		return
	}
	w.report(ctx, h.delivery, 0, failure)
	w.pendingDead.put(id, pendingDeadLetter{err, h.job.Returned() + h.job.Lapsed()})
	w.releaseJob(ctx, h, backWait(h.job.Returned()))
}

// memo holds values for recent messages or events, for unsettledTime.
type memo[V any] struct{ *bounded[V] }

const memoEntries = 1 << 12

func newMemo[V any]() memo[V] { return memo[V]{newBounded[V](memoEntries)} }

func (m memo[V]) put(id string, value V) {
	m.Lock()
	defer m.Unlock()
	m.bounded.put(keyDigest(id), value, time.Now(), unsettledTime)
}

func (m memo[V]) get(id string) (value V, known bool) {
	m.Lock()
	defer m.Unlock()
	return m.bounded.get(keyDigest(id), time.Now())
}

func (m memo[V]) remove(id string) {
	m.Lock()
	defer m.Unlock()
	m.bounded.remove(keyDigest(id))
}
