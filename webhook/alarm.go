package webhook

import (
	"context"
	"crypto/sha256"
	"time"
)

// Alarm says that a good signature came before with another body. The signature does not cover the body, so this is
// what a forgery by somebody who has seen a delivery looks like, and either body may be the false one: read the
// records before acting on them. It is no proof: two events of one request that the service sends within the same
// tick look the same, therefore the delivery is not refused. A forgery that arrives before the true delivery shows
// only when the second of them comes. Specification, Signature verification.
type Alarm struct {
	// Verified is what both deliveries have in common. Specification, Signature verification.
	Verified Verified
	// FirstSeen is when the signature came first, by the clock of the receiver.
	FirstSeen time.Time
	// FirstBody is the SHA-256 of the body that came first.
	FirstBody [sha256.Size]byte
	// Body is the SHA-256 of the body that came now. Of a body that is too large it is that of the part that was
	// read.
	Body [sha256.Size]byte
}

// compare raises the alarm when the signature of the delivery came first with another body.
func (r *Receiver) compare(ctx context.Context, d *delivery) {
	if r.memory == nil {
		return
	}
	sent := d.verified.SentAt.Time()
	now := sighting{
		body: sha256.Sum256(d.body),
		seen: r.settings.verifier.now(),
		// A delivery that was just in time when it was verified may get here a little later.
		until: sent.Add(r.settings.verifier.tolerance + ServiceTimeout),
	}
	if first := r.memory.remember(d.verified.Signature.Reveal(), now); first.body != now.body {
		r.alarm(ctx, Alarm{Verified: d.verified, FirstSeen: first.seen, FirstBody: first.body, Body: now.body})
	}
}

// alarm calls the hook. A panic of the hook is dropped, as one of the error hook is.
func (r *Receiver) alarm(ctx context.Context, a Alarm) {
	r.count.alarms.Add(1)
	defer func() { _ = recover() }()
	r.settings.onAlarm(context.WithoutCancel(ctx), a)
}
