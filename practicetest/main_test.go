package practicetest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pass lets time go by, inside of a bubble.
func pass(d time.Duration) { <-time.After(d) }
