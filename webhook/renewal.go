package webhook

import (
	"context"
	"time"
)

// renewal renews the lease of a message or of a claim while the handlers run.
// If renewal fails, it calls lose after three quarters of the lease, before
// another worker may get the message or the event.
type renewal struct {
	lease time.Duration
	renew func(context.Context) (renewed, lost bool)
	lose  func()

	turn  chan struct{} // semaphore that guards the fields below; a renewal takes its value
	since time.Time     // start of the lease, or an earlier time
	over  bool
	next  *time.Timer // nil before begin
	lapse *time.Timer // nil while no renewal is pending
}

// leaseStart is the time just before a lease is requested. It is real time even
// if the package has another clock, because timers of this process end the
// lease.
type leaseStart struct{ at time.Time }

func startOfLease() leaseStart { return leaseStart{time.Now()} }

func newRenewal(lease time.Duration, since time.Time, renew func(context.Context) (renewed, lost bool), lose func()) *renewal {
	r := &renewal{lease: lease, renew: renew, lose: lose, since: since, turn: make(chan struct{}, 1)}
	r.turn <- struct{}{}
	return r
}

// begin starts renewing the lease. A lease of 0 does not expire.
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

// lapsed reports whether the lease may have expired. It also compares
// wall-clock times, because the monotonic clock may stop while the machine
// sleeps.
func (r *renewal) lapsed() bool {
	<-r.turn
	defer func() { r.turn <- struct{}{} }()
	now := time.Now()
	return r.lease > 0 && max(now.Sub(r.since), now.Round(0).Sub(r.since.Round(0))) >= r.lease
}

// end stops renewing the lease. When it returns, no renewal is in progress.
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
