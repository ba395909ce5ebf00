package once_test

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/once"
)

// room limits the size of files that this process writes, which simulates a
// nearly full disk: a longer write is truncated.
func room(t *testing.T, path string, bytes int64) {
	t.Helper()
	there, err := os.Stat(path)
	require.NoError(t, err)
	var limit syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	limit.Cur = uint64(there.Size() + bytes)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
}

// TestAFullDiskLosesNothing runs in its own process, because the limit applies
// to all files of a process.
func TestAFullDiskLosesNothing(t *testing.T) {
	if !inAnotherProcess(t, filepath.Join(t.TempDir(), "journal")) {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	path := os.Getenv(childPath)
	created := 0
	create := func(context.Context, once.Intent) (string, error) { created++; return "1", nil }
	find := func(context.Context, once.Intent) ([]string, error) { return []string{"1"}, nil }
	f := open(t, path)
	kept := once.Entry{ID: "0"}
	require.NoError(t, f.Store(t.Context(), "kept", once.Entry{}, kept))

	for cut := range int64(60) { // the intent does not fit: nothing is sent
		room(t, path, cut)
		_, err := once.Do(t.Context(), f, "key", create, find)
		require.ErrorIs(t, err, syscall.EFBIG)
		require.Zero(t, created)
		require.True(t, entryOf(t, f, "key").IsZero())
	}
	room(t, path, 160) // the id does not fit: the record exists and its id is known
	id, err := once.Do(t.Context(), f, "key", create, find)
	require.ErrorIs(t, err, syscall.EFBIG)
	assert.Equal(t, "1", id)
	require.NoError(t, f.Close())

	f = open(t, path)
	assert.Equal(t, kept, entryOf(t, f, "kept"))
	assert.False(t, entryOf(t, f, "key").IsZero())
	room(t, path, 4096)
	id, err = once.Do(t.Context(), f, "key", func(context.Context, once.Intent) (string, error) {
		return "", errors.New("nothing is created again")
	}, find)
	require.NoError(t, err)
	assert.Equal(t, "1", id)
	assert.Equal(t, 1, created)
	require.NoError(t, f.Close())
	assert.Equal(t, "1", entryOf(t, open(t, path), "key").ID)
}
