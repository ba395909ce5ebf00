//go:build !windows

package practice_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

func TestAFileOfTokensIsForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	file := practice.TokenFile{Path: filepath.Join(t.TempDir(), "a", "b", "tokens.json")}
	for range 2 {
		save(t, file, someTokens("1"))
		for name, want := range map[string]os.FileMode{file.Path: 0o600, file.Path + ".lock": 0o600, filepath.Dir(file.Path): 0o700} {
			info, err := os.Stat(name)
			require.NoError(t, err)
			assert.Equal(t, want, info.Mode().Perm(), name)
		}
		require.NoError(t, os.WriteFile(file.Path+".new", []byte("half of"), 0o644), "left by a process that was killed")
		require.NoError(t, os.Chmod(file.Path, 0o644))
	}
	save(t, file, someTokens("2"))
	entries, err := os.ReadDir(filepath.Dir(file.Path))
	require.NoError(t, err)
	assert.Len(t, entries, 2, "the file and its lock")
}
