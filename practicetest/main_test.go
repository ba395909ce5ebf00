package practicetest_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}
