package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// errClaimLost is the cause of the end of the context of handlers whose event
// may soon be claimed by somebody else.
var errClaimLost = errors.New("webhook: the claim of the event could not be extended")

// keeper renews a claim by its own lease, beside whatever else the event waits
// for. When it cannot be renewed, the handlers' context ends after three
// quarters of the lease, before somebody else may claim the event.
type keeper struct {
	receiver *Receiver
	delivery *delivery
	task     task

	turn    chan struct{}     // taken out while the claim is renewed
	asked   backoff.Stopwatch // since the last claim was, at the latest
	over    bool
	renewal *time.Timer // nil before the claim is to be renewed
	lapse   *time.Timer // nil until a renewal is due, as it seldom is
}

// keep renews the claim of a delivery, which was asked for when the watch was
// started. One of a request lasts longer than that: it is renewed only when the
// handlers outlive the answer, whose context has ended then.
func (r *Receiver) keep(ctx context.Context, d *delivery, t *task, asked backoff.Stopwatch) *keeper {
	if r.settings.deduplicator == nil {
		return nil
	}
	k := &keeper{receiver: r, delivery: d, task: *t, asked: asked, turn: make(chan struct{}, 1)}
	k.task.limit = min(t.limit, max(t.lease/6, 1))
	k.turn <- struct{}{}
	begin := func() { k.begin(context.WithoutCancel(ctx)) }
	if d.share == nil {
		begin()
	} else {
		d.share.whenLate(begin)
	}
	return k
}

// begin has the claim renewed from now on.
func (k *keeper) begin(ctx context.Context) {
	<-k.turn
	defer func() { k.turn <- struct{}{} }()
	if !k.over {
		k.renewal = time.AfterFunc(max(k.task.lease/3-k.asked.Passed(), 1), func() { k.renew(ctx) })
	}
}

func (k *keeper) renew(ctx context.Context) {
	<-k.turn
	defer func() { k.turn <- struct{}{} }()
	if k.over {
		return
	}
	if k.lapse == nil {
		k.lapse = time.AfterFunc(k.task.lease-k.task.lease/4-k.asked.Passed(), k.lose)
	}
	asked := backoff.Start()
	d := &delivery{identity: k.delivery.identity, requestID: k.delivery.requestID, attempt: k.delivery.attempt} // outside the share of stores
	claim, err := k.receiver.claim(ctx, d, &k.task)
	k.receiver.reportStore(ctx, d, err)
	switch {
	case err == nil && claim == ClaimInProgress: // an event that somebody else has is no longer ours to handle
		k.lose()
	case err == nil:
		k.lapse.Stop()
		k.lapse, k.asked = nil, asked
	}
	k.renewal.Reset(max(k.task.lease/3-asked.Passed(), 1))
}

func (k *keeper) lose() {
	if k.task.lose != nil {
		k.task.lose(errClaimLost)
	}
}

// end stops renewing the claim. None is being renewed any more when it returns.
func (k *keeper) end() {
	if k == nil {
		return
	}
	<-k.turn
	defer func() { k.turn <- struct{}{} }()
	k.over = true
	if k.renewal != nil {
		k.renewal.Stop()
	}
	if k.lapse != nil {
		k.lapse.Stop()
	}
}
