package webhook

import (
	"context"
	"hash/maphash"
	"time"
)

// Deduplicator records handled events, so that a redelivered event is not
// handled again. An owner claims an event before handling it and then commits
// it, or releases it for another attempt. A [Receiver] does this with
// [WithDeduplicator].
//
// A key is the identity of an event (see [Event.Identity]): 64 hexadecimal
// digits. An owner is a short string of letters, digits and hyphens that
// identifies one attempt. An error means that the state is unknown. The rules
// for concurrent use are those of [Queue].
type Deduplicator interface {
	// Claim returns ClaimNew and starts a lease if the event is unclaimed, if
	// the last lease has expired, or if this owner already holds the lease.
	// Otherwise it returns ClaimInProgress or ClaimDone and changes nothing. If
	// several owners claim an event at the same time, exactly one gets
	// ClaimNew.
	Claim(ctx context.Context, key, owner string, lease time.Duration) (Claim, error)
	// Commit marks the event as done for the retention time, whoever holds the
	// claim.
	Commit(ctx context.Context, key string) error
	// Release ends the owner's claim, so that the event can be claimed again.
	// It returns nil even if there is no such claim.
	Release(ctx context.Context, key, owner string) error
}

// Claim is the result of [Deduplicator.Claim].
type Claim int

// Results of [Deduplicator.Claim]. The zero value is invalid.
const (
	ClaimNew        Claim = iota + 1 // the caller has claimed the event and handles it
	ClaimInProgress                  // another owner is handling the event, and may fail
	ClaimDone                        // the event has been handled
)

// String returns the name of the result.
func (c Claim) String() string {
	switch c {
	case ClaimNew:
		return "new"
	case ClaimInProgress:
		return "in progress"
	case ClaimDone:
		return "done"
	default:
		return "unknown"
	}
}

// holding records the owner of an event, as a hash, and whether the event is
// done.
type holding struct {
	owner uint64
	done  bool
}

// Claim implements [Deduplicator].
func (m *MemoryStore) Claim(_ context.Context, key, owner string, lease time.Duration) (Claim, error) {
	now, event, claimant := m.now(), keyDigest(key), maphash.String(m.seed, owner)
	m.events.Lock()
	defer m.events.Unlock()
	switch h, known := m.events.get(event, now); {
	case known && h.done:
		return ClaimDone, nil
	case known && h.owner != claimant:
		return ClaimInProgress, nil
	}
	m.events.put(event, holding{owner: claimant}, now, lease)
	return ClaimNew, nil
}

// Commit implements [Deduplicator].
func (m *MemoryStore) Commit(_ context.Context, key string) error {
	now, event := m.now(), keyDigest(key)
	m.events.Lock()
	defer m.events.Unlock()
	m.events.put(event, holding{done: true}, now, m.retention)
	return nil
}

// Release implements [Deduplicator].
func (m *MemoryStore) Release(_ context.Context, key, owner string) error {
	now, event, claimant := m.now(), keyDigest(key), maphash.String(m.seed, owner)
	m.events.Lock()
	defer m.events.Unlock()
	if h, known := m.events.get(event, now); known && !h.done && h.owner == claimant {
		m.events.remove(event)
	}
	return nil
}
