package webhook

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/practicesdk/practice-go/internal/backoff"
)

// Alarm reports a valid signature that has already arrived with a different
// body. A forgery made from captured headers looks like this. Either body may
// be the forged one: if the forgery arrives first, it is detected only when the
// genuine delivery arrives. An alarm does not prove a forgery, because two
// events of one request that the service sends within the same tick have the
// same signature. So the hook of [WithAlarmHook] decides whether the delivery
// is rejected.
type Alarm struct {
	// Verified is the same for both deliveries.
	Verified Verified
	// FirstSeen is the time at which the signature first arrived, by the clock
	// of the receiver.
	FirstSeen time.Time
	// FirstBody is the SHA-256 of the first body.
	FirstBody [sha256.Size]byte
	// Body is the SHA-256 of the new body, as far as it was read.
	Body [sha256.Size]byte
}

// compare raises an alarm if the signature has already arrived with a different
// body, and reports whether the delivery must be refused.
func (r *Receiver) compare(ctx context.Context, d *delivery) (refuse bool) {
	if r.sightings == nil {
		return false
	}
	now := sighting{body: sha256.Sum256(d.body), seen: r.settings.now()}
	// The signature is remembered longer than the tolerance, because the body
	// of a delivery may arrive up to ServiceTimeout after its headers.
	good := d.verified.SentAt.Time().Add(backoff.SaturatingAdd(r.settings.tolerance, ServiceTimeout)).Sub(now.seen)
	first := firstSighting(r.sightings, d.verified.Signature.Reveal(), now, max(good, 0))
	if first.body == now.body {
		return false
	}
	r.count.alarms.Add(1)
	defer func() { _ = recover() }() // a panic of the hook refuses nothing
	return r.settings.onAlarm(context.WithoutCancel(ctx), Alarm{
		Verified: d.verified, FirstSeen: first.seen, FirstBody: first.body, Body: now.body,
	})
}

// maxSightings limits the signatures that a receiver remembers, at about 150
// bytes each. Only holders of a key can fill the limit.
const maxSightings = 1 << 16

// sighting records the first body that arrived with a signature.
type sighting struct {
	body digest
	seen time.Time
}

// firstSighting returns the first sighting of the signature. For a new
// signature that is s, which it remembers for the time good.
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
