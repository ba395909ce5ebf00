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
	dir, before := t.TempDir(), debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "77")
	t.Setenv("TMPDIR", dir)
	CollectLess()
	UseMemory()
	assert.Equal(t, 77, debug.SetGCPercent(77))
	assert.Equal(t, dir, os.Getenv("TMPDIR"))
	t.Setenv("GOGC", "")
	CollectLess()
	assert.Equal(t, gcPercent, debug.SetGCPercent(77))
}
