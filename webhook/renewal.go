package webhook

import (
	"context"
	"time"
)

// renewal renews a lease, of a message or of the claim of an event, beside the
// handlers. When it cannot be renewed, lose is called after three quarters of
// the lease, before somebody else may have the message or the event.
type renewal struct {
	lease time.Duration
	renew func(context.Context) (renewed, lost bool)
	lose  func()

	turn  chan struct{} // holds a value while nobody renews the lease, and guards the rest
	since time.Time     // the lease began, or earlier
	over  bool
	next  *time.Timer // nil before begin
	lapse *time.Timer // nil until the lease is to be renewed, as it seldom is
}

// leaseStart is the earliest time at which a lease that is asked for may begin.
// The timers of this process end it, whatever clock the package was given.
type leaseStart struct{ at time.Time }

func startOfLease() leaseStart { return leaseStart{time.Now()} }

func newRenewal(lease time.Duration, since time.Time, renew func(context.Context) (renewed, lost bool), lose func()) *renewal {
	r := &renewal{lease: lease, renew: renew, lose: lose, since: since, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

// begin renews the lease from now on. A lease of 0 never ends.
func (r *renewal) begin(ctx context.Context) {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	if !r.over && r.lease > 0 {
		r.next = time.AfterFunc(max(r.lease/3-time.Since(r.since), 1), func() { r.run(ctx) })
	}
}

func (r *renewal) run(ctx context.Context) {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	if r.over {
		return
	}
	if r.lapse == nil {
		r.lapse = time.AfterFunc(r.lease-r.lease/4-time.Since(r.since), r.lose)
	}
	now := time.Now()
	switch renewed, lost := r.renew(ctx); {
	case lost:
		r.lose()
	case renewed:
		r.lapse.Stop()
		r.lapse, r.since = nil, now
	}
	r.next.Reset(max(r.lease/3-time.Since(now), 1))
}

// lapsed reports whether the lease may have ended. The clock on the wall goes
// on while a machine sleeps.
func (r *renewal) lapsed() bool {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	now := time.Now()
	return r.lease > 0 && max(now.Sub(r.since), now.Round(0).Sub(r.since.Round(0))) >= r.lease
}

// end stops renewing the lease. No call is under way when it returns.
func (r *renewal) end() {
	if r == nil {
		return
	}
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	r.over = true
	for _, timer := range []*time.Timer{r.next, r.lapse} {
		if timer != nil {
			timer.Stop()
		}
	}
}
