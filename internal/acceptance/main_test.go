package acceptance_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	testmain.WaitTogether()
	goleak.VerifyTestMain(m)
}
