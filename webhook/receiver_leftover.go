package webhook

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/practicesdk/practice-go/internal/pause"
)

// errUnsettled gives a message back to the queue whose event was handled, and of which the stores do not know. When it
// comes again to this receiver, its handlers do not run again.
var errUnsettled = errors.New("webhook: the stores have yet to hear of an event that was handled")

// leftoverTime is how long a receiver remembers what is left to do for a message.
const leftoverTime = DefaultRetention

// giveBackUnsettled keeps the event claimed while its message waits, so that nobody else handles it meanwhile.
func (r *Receiver) giveBackUnsettled(ctx context.Context, h *held, wait time.Duration) {
	t := *h.task
	t.lease = pause.Sum(t.lease, wait)
	_, err := r.claim(context.WithoutCancel(ctx), h.delivery, &t)
	r.reportStore(ctx, h.delivery, err)
	r.giveBack(ctx, h, wait)
}

// settleAgain tells the stores of an event that was handled when its message came before.
func (r *Receiver) settleAgain(ctx context.Context, h *held) error {
	asked := pause.Start()
	claim, err := r.claim(ctx, h.delivery, h.task)
	r.reportStore(ctx, h.delivery, err)
	if err == nil && claim == ClaimNew {
		h.task.kept = r.keep(ctx, h.delivery, h.task, asked)
	}
	h.task.slot.leaveIn(r.settings.storeTimeout)
	return r.settleQueued(ctx, h.delivery, h.task, nil)
}

// burial is why a message was given up that is still in the queue.
type burial struct {
	reason error
	leases int // that had ended by then, without an attempt
}

// before tells whether the message has come back since. One that was replayed meanwhile begins anew.
func (b burial) before(job Job) bool { return job.Returned()+job.Lapsed() > b.leases }

// bury makes the message a dead letter. A queue that cannot do that has it back, and is asked again later.
func (r *Receiver) bury(ctx context.Context, h *held, err error) {
	id := h.job.ID()
	failure := r.told(context.WithoutCancel(ctx), "queue", settleLimit, func(ctx context.Context) error {
		return h.job.Bury(ctx, reason(err))
	})
	if failure == nil {
		r.unburied.remove(id)
		h.dead = true
		r.count.deadLetters.Add(1)
		r.report(ctx, h.delivery, 0, err)
		return
	}
	r.reportStore(ctx, h.delivery, failure)
	r.unburied.put(id, burial{err, h.job.Returned() + h.job.Lapsed()})
	r.giveBack(ctx, h, backWait(h.job.Returned()))
}

// memo remembers something of the latest messages or events for a time.
type memo[V any] struct {
	lasts time.Duration

	mu      sync.Mutex
	entries *bounded[V]
}

const memoEntries = 1 << 12

func newMemo[V any](lasts time.Duration) *memo[V] {
	return &memo[V]{lasts: lasts, entries: newBounded[V](memoEntries)}
}

func (m *memo[V]) put(id string, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries.put(keyDigest(id), value, time.Now(), m.lasts)
}

func (m *memo[V]) get(id string) (value V, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.entries.get(keyDigest(id), time.Now())
}

func (m *memo[V]) remove(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.entries.remove(keyDigest(id))
}
