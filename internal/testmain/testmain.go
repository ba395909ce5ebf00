// Package testmain sets up processes that run tests. Only tests import it.
package testmain

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"
)

// The collector runs less often than by default: tests hold little memory at a
// time, but allocate much in sum.
const (
	gcPercent = 400
	gcLimit   = 1 << 30 // bytes of memory above which it runs more often
)

// waiting is the number of tests that WaitTogether allows for each processor.
const waiting = 4

// memory is a directory in memory, where the system has one.
const memory = "/dev/shm"

// CollectLess makes the garbage collector run less often, unless GOGC or
// GOMEMLIMIT is set.
func CollectLess() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(gcLimit)
	}
}

// UseMemory puts temporary directories into memory where possible, unless TMPDIR
// is set. It is for tests of many small files, which take longer to write to a
// disk than to test. The directory may hold as little as 64 MiB.
func UseMemory() {
	if os.Getenv("TMPDIR") == "" && writable(memory) {
		_ = os.Setenv("TMPDIR", memory) // fails for malformed names only
	}
}

// WaitTogether runs more tests at once than there are processors, unless the
// flag -parallel is given. It is for tests that wait, such as for a connection.
func WaitTogether() {
	_ = flag.Set("test.parallel", strconv.Itoa(waiting*runtime.GOMAXPROCS(0))) // the flag exists in every test
}

// TempDir is t.TempDir, in memory where possible, for a test of a few small
// files whose package also writes large ones.
func TempDir(t testing.TB) string {
	if !writable(memory) {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(memory, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func writable(dir string) bool {
	probe, err := os.MkdirTemp(dir, "testmain")
	return err == nil && os.Remove(probe) == nil
}
