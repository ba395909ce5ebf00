package webhook

import (
	"context"
	"errors"
)

// errClaimLost cancels handlers whose event another worker may soon claim.
var errClaimLost = errors.New("webhook: the claim of the event could not be extended")

// keep renews the claim of a delivery. asked is the time just before the claim
// was requested. The claim of a request outlasts the request, so it is renewed
// only if the handlers outlive the response; ctx has ended by then.
func (r *Receiver) keep(ctx context.Context, d *delivery, t *task, asked leaseStart) *renewal {
	if r.settings.deduplicator == nil {
		return nil
	}
	own := *t
	own.limit = min(t.limit, max(t.lease/6, 1))
	renew := func(ctx context.Context) (renewed, lost bool) {
		d := &delivery{identity: d.identity, requestID: d.requestID, attempt: d.attempt} // without share: a renewal does not use up the time of stores
		claim, err := r.claim(ctx, d, &own)
		r.report(ctx, d, 0, err)
		return err == nil, err == nil && claim == ClaimInProgress // the claim is lost when another owner holds it
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
