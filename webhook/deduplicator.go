package webhook

import (
	"context"
	"hash/maphash"
	"sync"
	"time"
)

// Deduplicator remembers which events were handled, so that an event that comes again is not handled again. It works
// in two steps: who claims an event may handle it, and then commits it, or releases it for another try. [Receiver]
// does all that when it is given one, see [WithDeduplicator].
//
// A key is the identity of an event, see [Event.Identity], and an owner names who handles it: both are short texts of
// letters, digits and hyphens, the key 64 hexadecimal digits. All methods may be used by many goroutines and, for a
// shared implementation, processes at once. An error means that the answer is not known.
//
// No Deduplicator can make a handler run exactly once: a process can die between the effect of the handler and the
// commit. Where that matters the handler stores the identity in the transaction that writes its effect.
// Package webhooktest holds the tests an implementation must pass. Specification, Delivery rules.
type Deduplicator interface {
	// Claim tells whether the event may be handled by the owner: ClaimNew when nobody has claimed it, when the lease
	// of the last claim is over, and when this owner holds it already; its lease then begins anew. Otherwise it is
	// ClaimInProgress or ClaimDone and nothing changes. Exactly one of several owners that claim at once gets
	// ClaimNew. Specification, Delivery rules.
	Claim(ctx context.Context, key, owner string, lease time.Duration) (Claim, error)
	// Commit makes the event done for as long as the implementation remembers, whoever holds it: what took effect has
	// taken effect. Specification, Delivery rules.
	Commit(ctx context.Context, key string) error
	// Release ends the claim of the owner, so that the event may be claimed again. It changes nothing, and is no
	// error, when the event is done, claimed by another owner or not known. Specification, Delivery rules.
	Release(ctx context.Context, key, owner string) error
}

// Claim is the answer to an attempt to claim an event. Specification, Delivery rules.
type Claim int

// The answers of [Deduplicator.Claim]. The zero value is none of them. Specification, Delivery rules.
const (
	ClaimNew        Claim = iota + 1 // the event is the claimant's to handle
	ClaimInProgress                  // somebody else is handling it, who may yet fail
	ClaimDone                        // it was handled
)

// String names the answer.
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

// MemoryDeduplicator is the [Deduplicator] of one process. It does not survive the process: after a restart an event
// that comes again is handled again. It never fails. Specification, Delivery rules.
type MemoryDeduplicator struct {
	settings memorySettings
	seed     maphash.Seed

	mu     sync.Mutex
	events *bounded[holding]
}

// holding is who holds an event. Of the owner it keeps a hash that no other owner has by chance.
type holding struct {
	owner uint64
	done  bool
}

// NewMemoryDeduplicator gives an empty store. An option that cannot be used is a [ConfigError].
func NewMemoryDeduplicator(options ...MemoryOption) (*MemoryDeduplicator, error) {
	s, err := memorySettingsOf(options)
	if err != nil {
		return nil, err
	}
	return &MemoryDeduplicator{settings: s, seed: maphash.MakeSeed(), events: newBounded[holding](s.capacity)}, nil
}

// Claim is as in [Deduplicator].
func (m *MemoryDeduplicator) Claim(_ context.Context, key, owner string, lease time.Duration) (Claim, error) {
	now, event, claimant := m.settings.now(), keyDigest(key), maphash.String(m.seed, owner)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch h, known := m.events.get(event, now); {
	case known && h.done:
		return ClaimDone, nil
	case known && h.owner != claimant:
		return ClaimInProgress, nil
	}
	m.events.put(event, holding{owner: claimant}, now, now.Add(lease))
	return ClaimNew, nil
}

// Commit is as in [Deduplicator].
func (m *MemoryDeduplicator) Commit(_ context.Context, key string) error {
	now, event := m.settings.now(), keyDigest(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.events.put(event, holding{done: true}, now, now.Add(m.settings.retention))
	return nil
}

// Release is as in [Deduplicator].
func (m *MemoryDeduplicator) Release(_ context.Context, key, owner string) error {
	now, event, claimant := m.settings.now(), keyDigest(key), maphash.String(m.seed, owner)
	m.mu.Lock()
	defer m.mu.Unlock()
	if h, known := m.events.get(event, now); known && !h.done && h.owner == claimant {
		m.events.remove(event)
	}
	return nil
}
