package mirror

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/practicesdk/practice-go/internal/soak"
)

// All histories of two changes, with or without a round in between, in either
// order: no content is lost or duplicated, and both sides converge to one tree.
func TestEverySmallHistoryOfAMirrorLosesNothing(t *testing.T) {
	t.Parallel()
	eachPair(t, soak.Times(43, 1), func(t *testing.T, first, second change, count func()) {
		for variant := range 8 {
			one(t, variant&1 == 0, func(h *history) {
				h.do(first)
				if variant&2 != 0 {
					h.sync(variant&4 != 0, 0)
				}
				h.do(second)
				h.sync(variant&4 == 0, 0)
				h.rest()
			})
			count()
		}
	})
}

// All histories of three changes with one push or pull between the first and
// the second, or between the second and the third. Adjacent changes on
// different sides are tried in one order only. A history with an impossible
// change equals a shorter one.
func TestEveryHistoryOfThreeChangesLosesNothing(t *testing.T) {
	t.Parallel()
	eachPair(t, soak.Times(1409, 1), func(t *testing.T, first, second change, count func()) {
		for _, third := range changes() {
			for variant := range 16 {
				late := variant&2 != 0 // the round comes after the second change
				if late && swapped(first, second) || !late && swapped(second, third) {
					continue
				}
				one(t, variant&1 == 0, func(h *history) {
					whole := h.do(first)
					if !late {
						h.sync(variant&4 != 0, 0)
					}
					if whole = h.do(second) && whole; late {
						h.sync(variant&4 != 0, 0)
					}
					if whole = h.do(third) && whole; whole {
						h.sync(variant&8 != 0, 0)
						h.rest()
						count()
					}
				})
			}
		}
	})
}

// swapped reports whether a pair of changes can be skipped: the changes are on
// different sides, and another history has them in the other order.
func swapped(a, b change) bool {
	return strings.HasPrefix(a.name, "there") && strings.HasPrefix(b.name, "here")
}

// The same with a fault at each request in turn: it is refused, its response is
// lost, the context ends, or another user stores a version.
func TestASmallHistoryWithAFaultAtEachRequestLosesNothing(t *testing.T) {
	t.Parallel()
	eachPair(t, soak.Times(661, 1), func(t *testing.T, first, second change, count func()) {
		for variant := range 16 {
			for fault, more := 1, true; more; fault++ {
				one(t, variant&1 == 0, func(h *history) {
					h.do(first)
					h.do(second)
					more = h.syncWith(variant&2 == 0, fault, variant>>2)
					h.rest()
				})
				count()
			}
		}
	})
}

// Kinds of faults.
const (
	refused = iota
	lost
	cancelled
	colleague
)

// syncWith pushes or pulls with a fault, and reports whether the fault
// occurred.
func (h *history) syncWith(push bool, number, kind int) bool {
	h.told = append(h.told, fmt.Sprintf("fault %d at request %d", kind, number))
	switch kind {
	case lost:
		h.service.lost = true
	case cancelled:
		h.service.cancel = func() {}
	case colleague:
		h.service.meanwhile = func() {
			for _, r := range h.service.sorted() {
				if !r.dir && !r.deleted && len(r.versions) > 0 {
					delete(h.alive, r.versions[len(r.versions)-1])
					r.versions = append(r.versions, h.text()+strings.Repeat("+", h.written))
					h.alive[r.versions[len(r.versions)-1]] = true
					h.between[r.versions[len(r.versions)-1]] = true
					delete(h.alive, fmt.Sprintf("%06d", h.written))
					return
				}
			}
		}
	}
	h.sync(push, number)
	h.service.cancel, h.service.lost, h.service.meanwhile = nil, false, nil
	return h.service.requests >= number
}

// eachPair calls try for each pair of changes; stride skips some pairs.
func eachPair(t *testing.T, stride int, try func(t *testing.T, first, second change, count func())) {
	t.Helper()
	var tried atomic.Int64
	t.Cleanup(func() { t.Logf("%d histories were tried", tried.Load()) })
	number := 0
	for _, first := range changes() {
		for _, second := range changes() {
			if number++; number%stride == 0 {
				t.Run(first.name+", "+second.name, func(t *testing.T) {
					t.Parallel()
					try(t, first, second, func() { tried.Add(1) })
				})
			}
		}
	}
}

// one tries one history, on a virtual clock.
func one(t *testing.T, remove bool, try func(h *history)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := begin(t, t.TempDir(), remove)
		h.told = nil
		try(h)
		if h.bad != "" {
			t.Error(h.report())
		}
	})
}

// do makes a change, and reports whether it changed anything.
func (h *history) do(c change) bool {
	done := c.do(h)
	h.told = append(h.told, fmt.Sprintf("%s: %t", c.name, done))
	return done
}
