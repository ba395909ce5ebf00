package practicetest

import (
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}

// pass waits for d in a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }
