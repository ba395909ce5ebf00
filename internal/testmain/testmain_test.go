package testmain

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOnlyADirectoryThatTakesFilesIsWritable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	assert.True(t, writable(dir))
	left, err := os.ReadDir(dir)
	assert.NoError(t, err)
	assert.Empty(t, left)
	assert.False(t, writable(filepath.Join(dir, "none")))
}

func TestWhatTheEnvironmentSetsStays(t *testing.T) {
	dir, before, limit := t.TempDir(), debug.SetGCPercent(77), debug.SetMemoryLimit(-1)
	defer debug.SetGCPercent(before)
	defer debug.SetMemoryLimit(limit)
	t.Setenv("GOGC", "77")
	t.Setenv("TMPDIR", dir)
	CollectLess()
	UseMemory()
	assert.Equal(t, 77, debug.SetGCPercent(77))
	assert.Equal(t, dir, os.Getenv("TMPDIR"))
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "2GiB")
	CollectLess()
	assert.Equal(t, limit, debug.SetMemoryLimit(-1))
	t.Setenv("GOMEMLIMIT", "")
	CollectLess()
	assert.Equal(t, gcPercent, debug.SetGCPercent(77))
}

func TestATemporaryDirectoryEndsWithItsTest(t *testing.T) {
	t.Parallel()
	var dir string
	t.Run("a test", func(t *testing.T) {
		dir = TempDir(t)
		assert.NoError(t, os.WriteFile(filepath.Join(dir, "a"), nil, 0o600))
	})
	assert.NoDirExists(t, dir)
}
