// Package webhooktest holds the tests that an implementation of the stores and
// queues of package webhook must pass:
//
//	func TestDeduplicator(t *testing.T) {
//		webhooktest.Deduplicator(t, func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[webhook.Deduplicator] {
//			store := open(t, c.Retention)
//			return webhooktest.Instance[webhook.Deduplicator]{Store: store, Other: openAgain(t, store)}
//		})
//	}
//
// The function is called once for each test, and from several goroutines at
// once; what one call opens must be empty and nothing to the others. It closes
// what it opened with t.Cleanup. The tests wait for real time to pass, less
// than half a minute together, unless the instance has a clock of its own. How
// long a call takes changes no result: a busy machine passes as an idle one
// does.
package webhooktest

import (
	"math"
	"testing"
	"time"
)

// Conditions are the settings of the implementation under test.
type Conditions struct {
	// Retention is how long it keeps entries.
	Retention time.Duration
	// Capacity is the number of messages in a queue, without dead letters; 0
	// for no limit.
	Capacity int
	// Lease is how long a queue leases a message. A queue whose leases do not
	// end ignores it.
	Lease time.Duration
}

// Instance is an implementation, opened for one test.
type Instance[S any] struct {
	// Store is the implementation under test.
	Store S
	// Other is the same state as another process sees it. It is Store itself
	// when processes do not share the implementation.
	Other S
	// Wait advances the clock of the implementation. When it is nil, the tests
	// wait for real time.
	Wait func(time.Duration)
	// Reopen returns the same state after a restart of the process, in which
	// Store and Other ended without notice. Only queues use it; it is nil for a
	// queue that does not survive its process.
	Reopen func() S
}

// usual are the conditions of a test that has no others.
func usual() Conditions { return Conditions{Retention: time.Hour, Lease: time.Minute} }

// longest is a duration that stands for ever.
const longest time.Duration = math.MaxInt64

func forEver() Conditions { return Conditions{Retention: longest, Lease: time.Minute} }

// short is a time that may pass in reality.
const short = time.Second

// pass lets time pass.
func (i *Instance[S]) pass(d time.Duration) {
	if i.Wait != nil {
		i.Wait(d)
		return
	}
	<-time.After(d)
}

// patience bounds how long the tests wait for something that must happen in the
// end: servers are not exact when they forget, and machines are slow.
const patience = 2 * time.Minute

// unhurried is the lease of a message that a test ends itself. It is long
// enough for a slow machine, and short enough for a test to wait until it is
// over.
const unhurried = 10 * time.Second

// eventually lets time pass until the condition holds, and returns how much.
func (i *Instance[S]) eventually(t *testing.T, what string, condition func() bool) (passed time.Duration) {
	t.Helper()
	const step = 200 * time.Millisecond
	for ; passed < patience; passed += step {
		if condition() {
			return passed
		}
		i.pass(step)
	}
	t.Errorf("%s: not after %v", what, patience)
	return passed
}

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

func equal[V comparable](t *testing.T, want, got V, what string) {
	t.Helper()
	if want != got {
		t.Errorf("%s: want %v, got %v", what, want, got)
	}
}

// suite runs tests of instances in parallel.
type suite[S any] struct {
	t    *testing.T
	open func(*testing.T, Conditions) Instance[S]
}

func (s suite[S]) run(rule string, c Conditions, test func(*testing.T, Instance[S])) {
	s.t.Helper()
	s.t.Run(rule, func(t *testing.T) {
		t.Parallel()
		test(t, s.open(t, c))
	})
}

// key returns a text as the keys of stores are: 64 hexadecimal digits.
func key(n int) string {
	const digits = "0123456789abcdef"
	text := make([]byte, 64)
	for i := range text {
		text[len(text)-1-i] = digits[n&15]
		n >>= 4
	}
	return string(text)
}
