package webhook

import (
	"errors"
	"sync/atomic"
)

const reasonCount = 13

// reasons are the sentinels that a delivery is refused for. What a handler returns may match any of them, so its own
// failure comes first.
func reasons() [reasonCount]error {
	return [...]error{
		ErrHandler, ErrUnfinished, ErrInProgress, ErrStore, ErrMethod, ErrBodyTooLarge, ErrBodyUnreadable, ErrMalformed,
		ErrNoSignature, ErrBadSignature, ErrBadTimestamp, ErrTooOld, ErrTooNew,
	}
}

// refusals counts by reason.
type refusals [reasonCount]atomic.Uint64

func (c *refusals) add(err error) {
	for i, reason := range reasons() {
		if errors.Is(err, reason) {
			c[i].Add(1)
			return
		}
	}
	c[0].Add(1) // a panic behind the receiver
}

func (c *refusals) total() (sum uint64) {
	for i := range c {
		sum += c[i].Load()
	}
	return sum
}

// Refusals gives what [Stats] counts as refused by its reason: a sentinel of this package, such as [ErrTooOld]. A
// reason that has not occurred is absent. Specification, Signature verification, Delivery rules.
func (r *Receiver) Refusals() map[error]uint64 {
	counts := make(map[error]uint64)
	for i, reason := range reasons() {
		if n := r.count.refusals[i].Load(); n > 0 {
			counts[reason] = n
		}
	}
	return counts
}
