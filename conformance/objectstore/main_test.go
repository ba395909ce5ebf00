package objectstore_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // the tests mostly wait for time to pass
	goleak.VerifyTestMain(m)
}
