package practicetest

import (
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pass waits for d in a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }
