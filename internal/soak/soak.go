// Package soak marks tests that run every night instead of with every change.
// Only tests import it.
package soak

import (
	"hash/crc32"
	"os"
	"testing"
)

// Variable is the environment variable that .ci/soak sets.
const Variable = "PRACTICE_SOAK"

// Only skips the test unless .ci/soak runs it. Use it for tests that depend on
// the wall clock, on the load of the machine or on luck, and for those that
// take minutes; why gives the reason.
func Only(t testing.TB, why string) {
	t.Helper()
	if !running() {
		t.Skipf("only .ci/soak runs this: %s", why)
	}
}

// Times returns short in .ci/run, and long in .ci/soak. It may be used as the
// default of a flag.
func Times(short, long int) int {
	if running() {
		return long
	}
	return short
}

// Slice returns about every nth of the cases in .ci/run, a quarter of these with
// the race detector, which makes them slow and needs few of a kind, and all of
// them in .ci/soak. The hash of its name decides about a case, so that a new one
// does not move the others into or out of the slice. It logs how many remain, and
// fails the test if there are none.
func Slice[T any](t testing.TB, n uint32, cases []T, name func(T) string) []T {
	t.Helper()
	if running() {
		return cases
	}
	if raceDetector {
		n *= 4
	}
	var some []T
	for _, one := range cases {
		if crc32.ChecksumIEEE([]byte(name(one)))%n == 0 {
			some = append(some, one)
		}
	}
	if len(some) == 0 {
		t.Errorf("none of %d cases is in the slice: choose a smaller n, or test all", len(cases))
	}
	t.Logf("%d of %d cases; .ci/soak tests all", len(some), len(cases))
	return some
}

// Least returns the number of cases that a test makes in .ci/run, or that a test of
// slices must have judged: n, or an eighth with the race detector, at least one. It
// makes each case slow and needs few of a kind.
func Least(n int) int {
	if raceDetector {
		return max(n/8, 1)
	}
	return n
}

// NotWithRaceDetector skips the test where the race detector is on. Use it for tests
// that count allocations, and for long ones that make one call at a time; why gives
// the reason.
func NotWithRaceDetector(t testing.TB, why string) {
	t.Helper()
	if raceDetector {
		t.Skipf("not with the race detector: %s", why)
	}
}

func running() bool { return os.Getenv(Variable) != "" }
