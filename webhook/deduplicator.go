package webhook

import (
	"context"
	"hash/maphash"
	"time"
)

// Deduplicator remembers handled events, so that a repeated event is not
// handled again. It works in two steps: an owner claims an event to handle it,
// then commits it, or releases it for another attempt. A [Receiver] does this
// with [WithDeduplicator].
//
// A key is the identity of an event (see [Event.Identity]): 64 hexadecimal
// digits. An owner names one attempt: a short text of letters, digits and
// hyphens. An error means that the state is unknown. For safe concurrent use,
// see [Queue].
type Deduplicator interface {
	// Claim returns ClaimNew, and starts the lease, when nobody has claimed the
	// event, when the last lease has ended, or when this owner already holds
	// it. Otherwise it returns ClaimInProgress or ClaimDone and changes
	// nothing. Of several owners that claim at once, exactly one gets ClaimNew.
	Claim(ctx context.Context, key, owner string, lease time.Duration) (Claim, error)
	// Commit marks the event as done for the retention time, of any owner.
	Commit(ctx context.Context, key string) error
	// Release ends the claim of the owner, so that the event may be claimed
	// again, and returns no error when there is none.
	Release(ctx context.Context, key, owner string) error
}

// Claim is the result of [Deduplicator.Claim].
type Claim int

// The answers of [Deduplicator.Claim]. The zero value is none of them.
const (
	ClaimNew        Claim = iota + 1 // the event is the claimant's to handle
	ClaimInProgress                  // another owner is handling it, and may yet fail
	ClaimDone                        // it was handled
)

// String returns the name of the result.
func (c Claim) String() string { return nameOf(int(c)-1, "new", "in progress", "done") }

// holding holds a hash of the owner of an event; no two owners share one.
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
