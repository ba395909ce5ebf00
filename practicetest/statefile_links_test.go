//go:build !windows

package practicetest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestALinkToAStateFileIsThatFile opens a state file through a symbolic link.
// The service uses the lock of the file, and a reset replaces the file, not the
// link.
func TestALinkToAStateFileIsThatFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "firm.state"), filepath.Join(t.TempDir(), "link.state")
	require.NoError(t, os.Symlink(file, link))
	s := keeping(t, link)
	_, err := practicetest.Start(practicetest.WithStateFile(file), practicetest.WithControl(), practicetest.WithRandomSecrets())
	require.ErrorContains(t, err, "locked by another process")
	command(t, s, "POST", "/reset", "").want(204)
	command(t, s, "POST", "/records", `{"path":"/activitycodes","record":{"code":"KEPT"}}`).want(201)
	before := everything(t, s)
	require.NoError(t, s.Close())

	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, os.ModeSymlink, info.Mode().Type())
	assertSame(t, before, everything(t, keeping(t, file)))
}
