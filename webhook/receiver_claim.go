package webhook

import (
	"context"
	"errors"
)

// errClaimLost ends handlers whose event another worker may soon claim.
var errClaimLost = errors.New("webhook: the claim of the event could not be extended")

// keep renews the claim of a delivery, which was asked for at a time. One of a
// request lasts longer than that: it is renewed only when the handlers outlive
// the answer, whose context has ended then.
func (r *Receiver) keep(ctx context.Context, d *delivery, t *task, asked leaseStart) *renewal {
	if r.settings.deduplicator == nil {
		return nil
	}
	own := *t
	own.limit = min(t.limit, max(t.lease/6, 1))
	renew := func(ctx context.Context) (renewed, lost bool) {
		d := &delivery{identity: d.identity, requestID: d.requestID, attempt: d.attempt} // outside the share of stores
		claim, err := r.claim(ctx, d, &own)
		r.report(ctx, d, 0, err)
		return err == nil, err == nil && claim == ClaimInProgress // an event that somebody else has is no longer ours
	}
	k := newRenewal(t.lease, asked.at, renew, func() {
		if own.lose != nil {
			own.lose(errClaimLost)
		}
	})
	begin := func() { k.begin(context.WithoutCancel(ctx)) }
	if d.share == nil {
		begin()
	} else {
		d.share.whenLate(begin)
	}
	return k
}
