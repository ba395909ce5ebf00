package webhook

import (
	"context"
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
