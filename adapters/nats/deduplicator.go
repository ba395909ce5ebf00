package nats

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// Deduplicator is a [webhook.Deduplicator] for several processes. Only the
// clock of the server ends leases.
//
// When the server cannot be reached every method fails. A [webhook.Receiver]
// then handles an event within its request anyway, because handling it twice is
// better than losing it; an event from a queue waits.
type Deduplicator struct{ bucket bucket }

// holding is the state of an event.
type holding struct {
	Done  bool          `json:"done,omitempty"`
	Owner string        `json:"owner,omitempty"` // empty when it was released
	Lease time.Duration `json:"lease,omitempty"` // in nanoseconds, since it was stored
}

// Claim implements [webhook.Deduplicator].
func (d *Deduplicator) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	var e entry[holding] // most events are new: write first
	for {
		claim, err := d.judge(ctx, e, owner)
		if err != nil || claim != webhook.ClaimNew {
			return claim, err
		}
		e.value = holding{Owner: owner, Lease: lease}
		written, err := put(ctx, &d.bucket, key, e)
		switch {
		case err != nil:
			return 0, wrap("claim an event", err)
		case written:
			return webhook.ClaimNew, nil
		}
		if e, err = get[holding](ctx, &d.bucket, key); err != nil {
			return 0, wrap("claim an event", err)
		}
	}
}

// judge returns the result of a claim by owner.
func (d *Deduplicator) judge(ctx context.Context, e entry[holding], owner string) (webhook.Claim, error) {
	switch {
	case e.value.Done:
		return webhook.ClaimDone, nil
	case e.value.Owner == "" || e.value.Owner == owner:
		return webhook.ClaimNew, nil
	}
	now, err := d.bucket.now(ctx)
	switch {
	case err != nil:
		return 0, wrap("ask for the time", err)
	case now.Sub(e.stored) < e.value.Lease:
		return webhook.ClaimInProgress, nil
	default:
		return webhook.ClaimNew, nil
	}
}

// Commit implements [webhook.Deduplicator].
func (d *Deduplicator) Commit(ctx context.Context, key string) error {
	if err := set(ctx, &d.bucket, key, `{"done":true}`); err != nil {
		return wrap("commit an event", err)
	}
	return nil
}

// Release implements [webhook.Deduplicator].
func (d *Deduplicator) Release(ctx context.Context, key, owner string) error {
	err := change(ctx, &d.bucket, key, func(e *entry[holding]) bool {
		if e.value.Done || e.value.Owner != owner {
			return false
		}
		e.value = holding{}
		return true
	})
	if err != nil {
		return wrap("release an event", err)
	}
	return nil
}
