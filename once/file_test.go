package once_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/journaltest"
	"github.com/practicesdk/practice-go/once"
)

func open(t *testing.T, path string) *once.File {
	t.Helper()
	f, err := once.Open(path)
	require.NoError(t, err)
	return f
}

func TestAFileIsAJournal(t *testing.T) {
	t.Parallel()
	journaltest.Run(t, func(t *testing.T) journaltest.Place {
		path := filepath.Join(t.TempDir(), "journal")
		return func(t *testing.T) (once.Journal, func()) {
			f := open(t, path)
			return f, func() { require.NoError(t, f.Close()) }
		}
	})
}

func entryOf(t *testing.T, f *once.File, key string) once.Entry {
	t.Helper()
	entry, err := f.Load(t.Context(), key)
	require.NoError(t, err)
	return entry
}

func TestAFileKeepsItsEntries(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	f := open(t, path)
	begun := once.Entry{Intent: once.Intent{ResourceID: "r", At: time.Unix(1, 0).UTC()}}
	done := once.Entry{Intent: begun.Intent, ID: "1"}
	none := once.Entry{}
	require.NoError(t, f.Store(t.Context(), "a\n\"b", none, begun))
	require.NoError(t, f.Store(t.Context(), "c", none, begun))
	require.NoError(t, f.Store(t.Context(), "c", begun, done))
	require.NoError(t, f.Store(t.Context(), "d", none, begun))
	require.NoError(t, f.Store(t.Context(), "d", begun, none))
	require.ErrorIs(t, f.Store(t.Context(), "e", none, done), once.ErrClaimed)
	require.NoError(t, f.Close())

	f = open(t, path)
	assert.Equal(t, begun, entryOf(t, f, "a\n\"b"))
	assert.Equal(t, done, entryOf(t, f, "c"))
	assert.True(t, entryOf(t, f, "d").IsZero())
	assert.True(t, entryOf(t, f, "e").IsZero())
	owner, err := f.Owner(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, "c", owner)
	require.NoError(t, f.Close())
}

// TestAFileThatEndsAnywhereOpens truncates the file at every byte, as a kill
// may do.
func TestAFileThatEndsAnywhereOpens(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	f := open(t, path)
	first, second := once.Entry{ID: "1"}, once.Entry{ID: "2"}
	require.NoError(t, f.Store(t.Context(), "a", once.Entry{}, first))
	before, err := os.Stat(path)
	require.NoError(t, err)
	require.NoError(t, f.Store(t.Context(), "b", once.Entry{}, second))
	require.NoError(t, f.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)

	for size := range text {
		require.NoError(t, os.WriteFile(path, text[:size], 0o600))
		f := open(t, path)
		if size >= int(before.Size()) {
			assert.Equal(t, first, entryOf(t, f, "a"), "cut at %d", size)
		}
		assert.True(t, entryOf(t, f, "b").IsZero(), "cut at %d", size)
		require.NoError(t, f.Store(t.Context(), "c", once.Entry{}, once.Entry{ID: "3"}))
		require.NoError(t, f.Close())
		f = open(t, path)
		assert.Equal(t, "3", entryOf(t, f, "c").ID, "what is appended stands on a line of its own")
		require.NoError(t, f.Close())
	}
}

func TestAFileOfSomethingElseIsRefusedAndStays(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a table":                  "key,id\n",
		"a text":                   "notes",
		"a later version":          `{"journal":"practice.once","version":2}` + "\n",
		"a line that lies":         `{"journal":"practice.once","version":1}` + "\nx\n",
		"a key whose text is lost": `{"journal":"practice.once","version":1}` + "\n" + `{"key":"M\ufffdller","intent":{"resourceId":"r","at":"2026-01-01T00:00:00Z"}}` + "\n",
		"one record of two keys": `{"journal":"practice.once","version":1}` + "\n" + `{"key":"a","intent":{"resourceId":"r","at":"2026-01-01T00:00:00Z"},"id":"AB"}` + "\n" +
			`{"key":"b","intent":{"resourceId":"s","at":"2026-01-01T00:00:00Z"},"id":"ab"}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "journal")
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			_, err := once.Open(path)
			require.ErrorIs(t, err, once.ErrFormat)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, text, string(after))
		})
	}
}

func TestAFileIsOpenOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	f := open(t, path)
	_, err := once.Open(path)
	require.ErrorIs(t, err, once.ErrInUse)
	require.NoError(t, f.Close())
	require.NoError(t, open(t, path).Close())
	require.Error(t, f.Store(t.Context(), "a", once.Entry{}, once.Entry{ID: "1"}), "a write that fails")
	assert.True(t, entryOf(t, f, "a").IsZero(), "… changes nothing")
}

func TestOneCallAtATimeWorksOnAKey(t *testing.T) {
	t.Parallel()
	f := open(t, filepath.Join(t.TempDir(), "journal"))
	var creates atomic.Int64
	var calls sync.WaitGroup
	for range 16 {
		calls.Go(func() {
			id, err := once.Do(t.Context(), f, "key", func(context.Context, once.Intent) (string, error) {
				creates.Add(1)
				return "1", nil
			}, func(context.Context, once.Intent) ([]string, error) { return nil, errors.New("nobody looks") })
			assert.NoError(t, err)
			assert.Equal(t, "1", id)
		})
	}
	calls.Wait()
	assert.Equal(t, int64(1), creates.Load())

	release, err := f.Hold(t.Context(), "key")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.Hold(ctx, "key")
	require.ErrorIs(t, err, context.Canceled)
	release()
	require.NoError(t, f.Close())
}

// TestAFileHoldsLittleForEachRecord measures what an open journal keeps in
// memory. Its keys have 24 characters.
func TestAFileHoldsLittleForEachRecord(t *testing.T) {
	const n = 2000
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	path := filepath.Join(t.TempDir(), "journal")
	text := strings.Builder{}
	text.WriteString(`{"journal":"practice.once","version":1}` + "\n")
	for i := range n {
		fmt.Fprintf(&text, `{"key":"c:%022d","intent":{"resourceId":"6a0f5b1e-0000-4000-8000-%012d","at":"2026-01-02T03:04:05Z"},"id":"%012d"}`+"\n", i, i, i)
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	before := heap()
	f := open(t, path)
	held := (heap() - before) / n
	assert.Less(t, held, int64(220), "bytes for each record")
	assert.Equal(t, "000000000007", entryOf(t, f, "c:0000000000000000000007").ID)
	require.NoError(t, f.Close())
}
