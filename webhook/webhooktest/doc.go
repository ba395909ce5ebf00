// Package webhooktest contains the tests that an implementation of a store or
// queue of package webhook must pass:
//
//	func TestDeduplicator(t *testing.T) {
//		webhooktest.Deduplicator(t, func(t *testing.T, c webhooktest.Conditions) webhooktest.Instance[webhook.Deduplicator] {
//			store := open(t, c.Retention)
//			return webhooktest.Instance[webhook.Deduplicator]{Store: store, Other: openAgain(t, store)}
//		})
//	}
//
// Your function is called once for each test, and by several goroutines
// concurrently. Each call must return an empty instance that is independent of
// the others, and close it with t.Cleanup. The tests wait in real time, less
// than a minute in total, unless the instance has its own clock. Their results
// do not depend on the machine's speed.
package webhooktest

import (
	"math"
	"testing"
	"time"
)

// Conditions are the settings for the implementation under test.
type Conditions struct {
	// Retention is the time for which it keeps entries.
	Retention time.Duration
	// Capacity is the maximum number of messages in a queue, without dead
	// letters; 0 means no limit.
	Capacity int
	// Lease is the duration of a lease of a message. Queues whose leases do not
	// expire ignore it.
	Lease time.Duration
}

// Instance is an implementation that is opened for one test.
type Instance[S any] struct {
	// Store is the implementation under test.
	Store S
	// Other is the same state as another process sees it. It equals Store if
	// processes cannot share the implementation.
	Other S
	// Wait advances the clock of the implementation. If it is nil, the tests
	// wait in real time.
	Wait func(time.Duration)
	// Reopen returns the same state after a crash of the process that held
	// Store and Other, or of the server that stores it. The tests of queues and
	// Deduplicators use it. It is nil for an implementation that does not
	// survive its process.
	Reopen func() S
}

// usual returns the conditions for tests without special ones.
func usual() Conditions { return Conditions{Retention: time.Hour, Lease: time.Minute} }

// longest is a duration that does not end during a test.
const longest time.Duration = math.MaxInt64

func forEver() Conditions { return Conditions{Retention: longest, Lease: time.Minute} }

// short is a duration for which a test can wait in real time.
const short = time.Second

// pass waits for a duration, on the clock of the instance if it has one.
func (i *Instance[S]) pass(d time.Duration) {
	if i.Wait != nil {
		i.Wait(d)
		return
	}
	<-time.After(d)
}

// patience limits how long the tests wait for something that must happen
// eventually: servers expire entries late, and machines are slow.
const patience = 2 * time.Minute

// unhurried is the lease of a message whose lease the test ends. It is long
// enough for a slow machine, and short enough that a test can wait for its
// expiry.
const unhurried = 10 * time.Second

// eventually lets time pass until the condition holds, and returns the time
// passed.
func (i *Instance[S]) eventually(t *testing.T, what string, condition func() bool) (passed time.Duration) {
	t.Helper()
	const step = 200 * time.Millisecond
	for ; passed < patience; passed += step {
		if condition() {
			return passed
		}
		i.pass(step)
	}
	t.Errorf("%s: not reached within %v", what, patience)
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

// key returns a key for a store: 64 hexadecimal digits.
func key(n int) string {
	const digits = "0123456789abcdef"
	text := make([]byte, 64)
	for i := range text {
		text[len(text)-1-i] = digits[n&15]
		n >>= 4
	}
	return string(text)
}
