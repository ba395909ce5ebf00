package once_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/filelock"
	"github.com/practicesdk/practice-go/internal/journaltest"
	"github.com/practicesdk/practice-go/once"
)

// TestAJournalIsOpenOnceByWhicheverName checks names of one file: links, hard
// links, and a lock file that somebody removed.
func TestAJournalIsOpenOnceByWhicheverName(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	for name, other := range map[string]func(t *testing.T, dir string) string{
		"a hard link": func(t *testing.T, dir string) string {
			require.NoError(t, os.Link(filepath.Join(dir, "journal"), filepath.Join(dir, "another")))
			return "another"
		},
		"a link": func(t *testing.T, dir string) string {
			require.NoError(t, os.Symlink("journal", filepath.Join(dir, "another")))
			return "another"
		},
		"a link below a linked directory": func(t *testing.T, dir string) string {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "deep", "inside"), 0o700))
			require.NoError(t, os.Symlink(filepath.Join("deep", "inside"), filepath.Join(dir, "short")))
			require.NoError(t, os.Symlink(filepath.Join("..", "..", "journal"), filepath.Join(dir, "deep", "inside", "another")))
			return filepath.Join("short", "another")
		},
		"its lock file was removed": func(t *testing.T, dir string) string {
			require.NoError(t, os.Remove(filepath.Join(dir, "journal.lock")))
			return "journal"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			f := open(t, filepath.Join(dir, "journal"))
			path := filepath.Join(dir, other(t, dir))
			_, err := once.Open(path)
			require.ErrorIs(t, err, once.ErrInUse)
			require.NoError(t, f.Close())
			require.NoError(t, open(t, path).Close())
		})
	}
}

// TestAnEarlierVersionKeepsAJournalOut checks a process of an earlier version,
// which locks only the lock file.
func TestAnEarlierVersionKeepsAJournalOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	lock, err := os.Create(path + ".lock")
	require.NoError(t, err)
	require.NoError(t, filelock.Lock(lock))
	_, err = once.Open(path)
	require.ErrorIs(t, err, once.ErrInUse)
	require.NoError(t, lock.Close())
	require.NoError(t, open(t, path).Close())
}

func TestAFileOfAnEarlierVersionIsCarriedOn(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "journal-1"))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "journal")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	for range 2 {
		f := open(t, path)
		journaltest.CarriesOn(t, f)
		require.NoError(t, f.Close())
	}
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(text), string(after[:len(text)]), "it is carried on, not written anew")
}
