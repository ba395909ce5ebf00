package nats

import (
	"context"
	"time"

	"github.com/practicesdk/practice-go/webhook"
)

// holding is the state of an event.
type holding struct {
	Done  bool          `json:"done,omitempty"`
	Owner string        `json:"owner,omitempty"` // empty after a release
	Lease time.Duration `json:"lease,omitempty"` // in nanoseconds from the time of storing
}

// Claim implements [webhook.Deduplicator].
func (s *Store) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	var e entry[holding] // most events are new, so try to write first
	for {
		claim, err := s.judge(ctx, e, owner)
		if err != nil || claim != webhook.ClaimNew {
			return claim, err
		}
		e.value = holding{Owner: owner, Lease: lease}
		written, err := put(ctx, &s.events, key, e)
		switch {
		case err != nil:
			return 0, wrap("claim an event", err)
		case written:
			return webhook.ClaimNew, nil
		}
		if e, err = get[holding](ctx, &s.events, key); err != nil {
			return 0, wrap("claim an event", err)
		}
	}
}

// judge returns the result of a claim by owner.
func (s *Store) judge(ctx context.Context, e entry[holding], owner string) (webhook.Claim, error) {
	switch {
	case e.value.Done:
		return webhook.ClaimDone, nil
	case e.value.Owner == "" || e.value.Owner == owner:
		return webhook.ClaimNew, nil
	}
	now, err := s.events.now(ctx)
	switch {
	case err != nil:
		return 0, wrap("read the server's clock", err)
	case now.Sub(e.stored) < e.value.Lease:
		return webhook.ClaimInProgress, nil
	default:
		return webhook.ClaimNew, nil
	}
}

// Commit implements [webhook.Deduplicator].
func (s *Store) Commit(ctx context.Context, key string) error {
	return wrap("commit an event", set(ctx, &s.events, key, `{"done":true}`))
}

// Release implements [webhook.Deduplicator].
func (s *Store) Release(ctx context.Context, key, owner string) error {
	return wrap("release an event", change(ctx, &s.events, key, func(e *entry[holding]) bool {
		held := !e.value.Done && e.value.Owner == owner
		e.value = holding{}
		return held
	}))
}
