// Package soak marks tests that run every night instead of with every change.
// Only tests import it.
package soak

import (
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

func running() bool { return os.Getenv(Variable) != "" }
