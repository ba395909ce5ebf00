package browser_test

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "3") // each test has a browser
	os.Exit(m.Run())
}
