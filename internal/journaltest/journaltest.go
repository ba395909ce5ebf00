// Package journaltest holds tests for implementations of the journal of package
// once.
package journaltest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/once"
)

// Place opens the journal at one location repeatedly. Each journal is closed
// before the next one is opened.
type Place func(t *testing.T) (journal once.Journal, end func())

// Run tests an implementation of a journal. Each call of place must return an
// empty, independent location.
func Run(t *testing.T, place func(t *testing.T) Place) {
	t.Helper()
	for rule, test := range map[string]func(*testing.T, Place){
		"a key without an entry has the zero one":         nothingIsThere,
		"what was stored is there after a restart":        storedIsKept,
		"a removed intent is gone":                        removedIsGone,
		"a finished entry stays until it is forgotten":    finishedStays,
		"an id belongs to one key":                        anIDHasOneKey,
		"many keys are stored at once":                    manyAtOnce,
		"one call at a time works on a key":               oneCallAtATime,
		"a wait for a key ends with its context":          aWaitEnds,
		"a context that has ended stores nothing by half": cancelledIsWhole,
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			test(t, place(t))
		})
	}
}

// at has a fraction that a float, or a clock with microseconds, would lose.
var at = time.Date(2026, 3, 1, 9, 30, 0, 123456789, time.UTC)

func begun(resourceID string) once.Entry {
	return once.Entry{Intent: once.Intent{ResourceID: resourceID, At: at}}
}

func done(resourceID, id string) once.Entry {
	entry := begun(resourceID)
	entry.ID = id
	return entry
}

func load(t *testing.T, journal once.Journal, key string) once.Entry {
	t.Helper()
	entry, err := journal.Load(t.Context(), key)
	require.NoError(t, err)
	return entry
}

func ownerOf(t *testing.T, journal once.Journal, id string) string {
	t.Helper()
	key, err := journal.Owner(t.Context(), id)
	require.NoError(t, err)
	return key
}

func nothingIsThere(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	assert.True(t, load(t, journal, "a").IsZero())
	assert.Empty(t, ownerOf(t, journal, "1"))
	require.NoError(t, journal.Store(t.Context(), "a", once.Entry{}), "nothing to remove")
}

func storedIsKept(t *testing.T, place Place) {
	keys := []string{"", " ", "a", "A", "a ", "row\n2", `"quoted" 'key'; --`, "ключ", strings.Repeat("k", 255), "?", "%"}
	journal, end := place(t)
	for i, key := range keys {
		require.NoError(t, journal.Store(t.Context(), key, begun(fmt.Sprint("r", i))))
		assert.Empty(t, load(t, journal, key).ID)
		if i%2 == 0 {
			require.NoError(t, journal.Store(t.Context(), key, done(fmt.Sprint("r", i), fmt.Sprint("id", i))))
		}
	}
	end()
	journal, end = place(t)
	defer end()
	for i, key := range keys {
		want := begun(fmt.Sprint("r", i))
		if i%2 == 0 {
			want.ID = fmt.Sprint("id", i)
			assert.Equal(t, key, ownerOf(t, journal, want.ID))
		}
		assert.Equal(t, want, load(t, journal, key), "%q", key)
	}
}

func removedIsGone(t *testing.T, place Place) {
	journal, end := place(t)
	require.NoError(t, journal.Store(t.Context(), "a", begun("r")))
	require.NoError(t, journal.Store(t.Context(), "a", once.Entry{}))
	assert.True(t, load(t, journal, "a").IsZero())
	end()
	journal, end = place(t)
	defer end()
	assert.True(t, load(t, journal, "a").IsZero())
	require.NoError(t, journal.Store(t.Context(), "a", begun("again")))
	assert.Equal(t, begun("again"), load(t, journal, "a"))
}

func finishedStays(t *testing.T, place Place) {
	journal, end := place(t)
	forgetter, ok := journal.(interface {
		Forget(ctx context.Context, key string) error
	})
	require.True(t, ok)
	require.NoError(t, journal.Store(t.Context(), "a", begun("a")))
	require.NoError(t, journal.Store(t.Context(), "a", done("a", "1")))
	require.NoError(t, journal.Store(t.Context(), "a", once.Entry{}), "of a caller that is late")
	assert.Equal(t, done("a", "1"), load(t, journal, "a"))
	require.NoError(t, forgetter.Forget(t.Context(), "a"))
	require.NoError(t, forgetter.Forget(t.Context(), "a"), "nothing to forget")
	end()
	journal, end = place(t)
	defer end()
	assert.True(t, load(t, journal, "a").IsZero())
	require.NoError(t, journal.Store(t.Context(), "b", begun("b")))
	require.NoError(t, journal.Store(t.Context(), "b", done("b", "1")), "its id is free")
}

func anIDHasOneKey(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	for _, key := range []string{"a", "b"} {
		require.NoError(t, journal.Store(t.Context(), key, begun(key)))
	}
	require.NoError(t, journal.Store(t.Context(), "a", done("a", "1")))
	require.NoError(t, journal.Store(t.Context(), "a", done("a", "1")), "twice is once")
	require.ErrorIs(t, journal.Store(t.Context(), "b", done("b", "1")), once.ErrClaimed)
	assert.Equal(t, begun("b"), load(t, journal, "b"), "a refusal changes nothing")
	assert.Equal(t, "a", ownerOf(t, journal, "1"))
	require.NoError(t, journal.Store(t.Context(), "b", done("b", "2")))
}

func manyAtOnce(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	var stores sync.WaitGroup
	for i := range 24 {
		stores.Go(func() {
			key := fmt.Sprint("key", i)
			assert.NoError(t, journal.Store(t.Context(), key, begun(key)))
			assert.NoError(t, journal.Store(t.Context(), key, done(key, "of "+key)))
		})
	}
	stores.Wait()
	for i := range 24 {
		key := fmt.Sprint("key", i)
		assert.Equal(t, done(key, "of "+key), load(t, journal, key))
	}
}

func oneCallAtATime(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	var calls sync.WaitGroup
	var creates atomic.Int64
	for range 8 {
		calls.Go(func() {
			id, err := once.Do(t.Context(), journal, "key", func(context.Context, once.Intent) (string, error) {
				return strconv.FormatInt(creates.Add(1), 10), nil
			}, func(context.Context, once.Intent) ([]string, error) { return nil, errors.New("nobody looks") })
			assert.NoError(t, err)
			assert.Equal(t, "1", id)
		})
	}
	calls.Wait()
	assert.Equal(t, int64(1), creates.Load())
}

func aWaitEnds(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	holder, ok := journal.(once.Holder)
	if !ok {
		t.Skip("the journal lends no keys")
	}
	release, err := holder.Hold(t.Context(), "key")
	require.NoError(t, err)
	other, err := holder.Hold(t.Context(), "another key")
	require.NoError(t, err)
	other()
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	cancel(stopped)
	_, err = holder.Hold(ctx, "key")
	require.ErrorIs(t, err, context.Cause(ctx))
	release()
	release, err = holder.Hold(t.Context(), "key")
	require.NoError(t, err, "what was released can be held")
	release()
}

func cancelledIsWhole(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	require.NoError(t, journal.Store(t.Context(), "a", begun("r")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := journal.Store(ctx, "a", done("r", "1"))
	want := begun("r")
	if err == nil {
		want.ID = "1"
	}
	assert.Equal(t, want, load(t, journal, "a"))
}
