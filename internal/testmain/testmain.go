// Package testmain sets up processes that run tests. Only functions TestMain
// call it.
package testmain

import (
	"os"
	"runtime/debug"
)

// gcPercent makes the collector run less often than by default: tests hold
// little memory at a time, but allocate much in sum.
const gcPercent = 200

// memory is a directory in memory, where the system has one.
const memory = "/dev/shm"

// CollectLess makes the garbage collector run less often, unless GOGC is set.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
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

func writable(dir string) bool {
	probe, err := os.MkdirTemp(dir, "testmain")
	return err == nil && os.Remove(probe) == nil
}
