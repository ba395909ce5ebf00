package webhook

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// Alarm reports a valid signature that came before with another body. A forgery
// from captured headers looks like this, and either body may be the false one;
// one that arrives first is detected only when the true delivery comes. An
// alarm is no proof: two events of one request that the service sends within
// the same tick look the same, so the delivery is refused only with
// [RefuseSecondBody].
type Alarm struct {
	// Verified is the same for both deliveries.
	Verified Verified
	// FirstSeen is when the signature first came, by the clock of the receiver.
	FirstSeen time.Time
	// FirstBody is the SHA-256 of the first body.
	FirstBody [sha256.Size]byte
	// Body is the SHA-256 of the new body, as far as that was read.
	Body [sha256.Size]byte
}

// compare reports whether the signature of the delivery came first with another
// body, and then raises the alarm.
func (r *Receiver) compare(ctx context.Context, d *delivery) (second bool) {
	if r.sightings == nil {
		return false
	}
	v, now := &r.settings.verifier, sighting{body: sha256.Sum256(d.body), seen: r.settings.verifier.now()}
	// A delivery that was just in time gets here a little later.
	good := d.verified.SentAt.Time().Add(backoff.SaturatingAdd(v.tolerance, ServiceTimeout)).Sub(now.seen)
	first := firstSighting(r.sightings, d.verified.Signature.Reveal(), now, max(good, 0))
	if first.body == now.body {
		return false
	}
	r.alarm(ctx, Alarm{Verified: d.verified, FirstSeen: first.seen, FirstBody: first.body, Body: now.body})
	return true
}

// alarm calls the hook, whose panic is dropped.
func (r *Receiver) alarm(ctx context.Context, a Alarm) {
	r.count.alarms.Add(1)
	if r.settings.onAlarm == nil {
		return
	}
	defer func() { _ = recover() }()
	r.settings.onAlarm(context.WithoutCancel(ctx), a)
}

// maxSightings bounds the signatures that a receiver holds, at some 150 bytes
// each. Only holders of a key can fill it.
const maxSightings = 1 << 16

// sighting is the body with which a signature came first, while that is good.
type sighting struct {
	body digest
	seen time.Time
}

// firstSighting returns the first sighting of the signature, which is this one
// when it is new. The signature is good for a while.
func firstSighting(known *bounded[sighting], signature string, s sighting, good time.Duration) sighting {
	key := sha256.Sum256([]byte(signature))
	known.Lock()
	defer known.Unlock()
	if first, again := known.get(key, s.seen); again {
		return first
	}
	known.put(key, s, s.seen, good)
	return s
}
