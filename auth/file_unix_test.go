//go:build !windows

package auth_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/auth"
)

// TestALinkToAFileOfTokensIsThatFile checks that programs share the file and
// its lock, whether they use it by a symbolic link or by its own path.
func TestALinkToAFileOfTokensIsThatFile(t *testing.T) {
	t.Parallel()
	for name, exists := range map[string]bool{"that is there": true, "that is not there yet": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, home := t.TempDir(), t.TempDir()
			file := auth.TokenFile{Path: filepath.Join(dir, "tokens.json")}
			link := auth.TokenFile{Path: filepath.Join(home, "tokens.json")}
			require.NoError(t, os.Symlink(filepath.Join("..", filepath.Base(home), "again"), link.Path))
			require.NoError(t, os.Symlink(file.Path, filepath.Join(home, "again")))
			if exists {
				save(t, file, someTokens("0"))
			}
			unlock, err := link.Lock(t.Context())
			require.NoError(t, err)
			soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err = file.Lock(soon)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.NoError(t, link.Save(t.Context(), someTokens("1")))
			unlock()
			held, err := file.Load(t.Context())
			require.NoError(t, err)
			assert.Equal(t, someTokens("1").Reveal(), held.Reveal())
			held, err = link.Load(t.Context())
			require.NoError(t, err)
			assert.Equal(t, someTokens("1").Reveal(), held.Reveal())
		})
	}
}

// TestTokensAreSavedInTheFileThatALinkLeadsTo checks a link that lies below a
// linked directory and leads to the directory above it.
func TestTokensAreSavedInTheFileThatALinkLeadsTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "deep", "inside"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join("deep", "inside"), filepath.Join(dir, "short")))
	require.NoError(t, os.Symlink(filepath.Join("..", "tokens.json"), filepath.Join(dir, "deep", "inside", "link")))
	file := auth.TokenFile{Path: filepath.Join(dir, "deep", "tokens.json")}
	save(t, file, someTokens("0"))
	save(t, auth.TokenFile{Path: filepath.Join(dir, "short", "link")}, someTokens("1"))
	held, err := file.Load(t.Context())
	require.NoError(t, err)
	assert.Equal(t, someTokens("1").Reveal(), held.Reveal())
	require.NoFileExists(t, filepath.Join(dir, "tokens.json"))
}

// TestALinkToItselfIsNoFileOfTokens checks that circular links are an error.
func TestALinkToItselfIsNoFileOfTokens(t *testing.T) {
	t.Parallel()
	file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
	require.NoError(t, os.Symlink("tokens.json", file.Path))
	_, err := file.Load(t.Context())
	require.Error(t, err)
}

func TestAFileOfTokensIsForItsOwnerOnly(t *testing.T) {
	t.Parallel()
	file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "a", "b", "tokens.json")}
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
