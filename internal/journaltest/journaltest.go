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
		"what was overtaken changes nothing":              overtakenChangesNothing,
		"only the id that is named is forgotten":          oneIDIsForgotten,
		"an id belongs to one key":                        anIDHasOneKey,
		"ids are compared without case":                   idsHaveNoCase,
		"a key that is not UTF-8 is refused":              onlyUTF8,
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

func again(resourceID string) once.Entry {
	entry := begun(resourceID)
	entry.Intent.Attempt++
	return entry
}

// forgetter is what both journals have beside the interface.
type forgetter interface {
	Forget(ctx context.Context, key, id string) error
}

// finish stores an intent and then its id.
func finish(t *testing.T, journal once.Journal, key, id string) {
	t.Helper()
	require.NoError(t, journal.Store(t.Context(), key, once.Entry{}, begun(key)))
	require.NoError(t, journal.Store(t.Context(), key, begun(key), done(key, id)))
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
	require.NoError(t, journal.Store(t.Context(), "a", begun("r"), once.Entry{}), "nothing to remove")
}

func storedIsKept(t *testing.T, place Place) {
	keys := []string{"", " ", "a", "A", "a ", "row\n2", `"quoted" 'key'; --`, "ключ", strings.Repeat("k", 255), "?", "%"}
	journal, end := place(t)
	for i, key := range keys {
		require.NoError(t, journal.Store(t.Context(), key, once.Entry{}, begun(fmt.Sprint("r", i))))
		assert.Empty(t, load(t, journal, key).ID)
		if i%2 == 0 {
			require.NoError(t, journal.Store(t.Context(), key, begun(fmt.Sprint("r", i)), done(fmt.Sprint("r", i), fmt.Sprint("id", i))))
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
	require.NoError(t, journal.Store(t.Context(), "a", once.Entry{}, begun("r")))
	require.NoError(t, journal.Store(t.Context(), "a", begun("r"), once.Entry{}))
	assert.True(t, load(t, journal, "a").IsZero())
	end()
	journal, end = place(t)
	defer end()
	assert.True(t, load(t, journal, "a").IsZero())
	require.NoError(t, journal.Store(t.Context(), "a", once.Entry{}, begun("again")))
	assert.Equal(t, begun("again"), load(t, journal, "a"))
}

func finishedStays(t *testing.T, place Place) {
	journal, end := place(t)
	finish(t, journal, "a", "1")
	require.ErrorIs(t, journal.Store(t.Context(), "a", begun("a"), once.Entry{}), once.ErrOvertaken)
	require.ErrorIs(t, journal.Store(t.Context(), "a", done("a", "1"), once.Entry{}), once.ErrOvertaken)
	require.ErrorIs(t, journal.Store(t.Context(), "a", once.Entry{}, begun("b")), once.ErrOvertaken)
	assert.Equal(t, done("a", "1"), load(t, journal, "a"))
	require.NoError(t, journal.(forgetter).Forget(t.Context(), "a", "1"))
	require.NoError(t, journal.(forgetter).Forget(t.Context(), "a", "1"), "nothing to forget")
	end()
	journal, end = place(t)
	defer end()
	assert.True(t, load(t, journal, "a").IsZero())
	finish(t, journal, "b", "1") // its id is free
}

// overtakenChangesNothing checks a holder that stood still while another one
// went on, with the same intent or with one of its own.
func overtakenChangesNothing(t *testing.T, place Place) {
	for name, successor := range map[string]once.Entry{"another attempt": again("r"), "another intent": begun("s")} {
		journal, end := place(t)
		require.NoError(t, journal.Store(t.Context(), name, once.Entry{}, begun("r")))
		require.NoError(t, journal.Store(t.Context(), name, begun("r"), successor))
		for what, late := range map[string]once.Entry{"removes nothing": {}, "begins nothing": begun("x"), "finishes nothing": done("r", name)} {
			require.ErrorIs(t, journal.Store(t.Context(), name, begun("r"), late), once.ErrOvertaken, what)
			assert.Equal(t, successor, load(t, journal, name), what)
		}
		require.ErrorIs(t, journal.Store(t.Context(), name, once.Entry{}, begun("x")), once.ErrOvertaken, "an intent replaces no other one")
		require.NoError(t, journal.Store(t.Context(), name, successor, done(successor.Intent.ResourceID, name)))
		end()
	}
}

func oneIDIsForgotten(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	finish(t, journal, "a", "first")
	require.NoError(t, journal.(forgetter).Forget(t.Context(), "a", "FIRST"))
	finish(t, journal, "a", "second")
	require.NoError(t, journal.(forgetter).Forget(t.Context(), "a", "first"), "the failure of the first is told again")
	require.NoError(t, journal.(forgetter).Forget(t.Context(), "another", "second"))
	assert.Equal(t, "second", load(t, journal, "a").ID)
	require.NoError(t, journal.Store(t.Context(), "b", once.Entry{}, begun("b")))
	require.ErrorIs(t, journal.(forgetter).Forget(t.Context(), "b", ""), once.ErrEmptyID)
	assert.Equal(t, begun("b"), load(t, journal, "b"))
}

func anIDHasOneKey(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	for _, key := range []string{"a", "b"} {
		require.NoError(t, journal.Store(t.Context(), key, once.Entry{}, begun(key)))
	}
	require.NoError(t, journal.Store(t.Context(), "a", begun("a"), done("a", "1")))
	require.NoError(t, journal.Store(t.Context(), "a", begun("a"), done("a", "1")), "twice is once")
	require.ErrorIs(t, journal.Store(t.Context(), "b", begun("b"), done("b", "1")), once.ErrClaimed)
	assert.Equal(t, begun("b"), load(t, journal, "b"), "a refusal changes nothing")
	assert.Equal(t, "a", ownerOf(t, journal, "1"))
	require.NoError(t, journal.Store(t.Context(), "b", begun("b"), done("b", "2")))
}

func idsHaveNoCase(t *testing.T, place Place) {
	journal, end := place(t)
	finish(t, journal, "a", "AB-cd")
	end()
	journal, end = place(t)
	defer end()
	assert.Equal(t, "a", ownerOf(t, journal, "ab-CD"))
	require.NoError(t, journal.Store(t.Context(), "b", once.Entry{}, begun("b")))
	require.ErrorIs(t, journal.Store(t.Context(), "b", begun("b"), done("b", "ab-cd")), once.ErrClaimed)
	require.NoError(t, journal.Store(t.Context(), "a", begun("a"), done("a", "ab-cd")), "twice is once")
	assert.Equal(t, "AB-cd", load(t, journal, "a").ID, "an id is kept as it came")
	_, err := once.Do(t.Context(), journal, "b", nil, func(context.Context, once.Intent) ([]string, error) { return []string{"ab-cd"}, nil }, once.SearchLimit(0))
	require.ErrorIs(t, err, once.ErrUnknown, "the record of another key")
	id, err := once.Do(t.Context(), journal, "b", nil, func(context.Context, once.Intent) ([]string, error) { return []string{"x", "X"}, nil }, once.SearchLimit(0))
	require.NoError(t, err)
	assert.Equal(t, "x", id, "one record")
}

func onlyUTF8(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	_, err := once.Do(t.Context(), journal, "M\xfcller", func(context.Context, once.Intent) (string, error) {
		t.Error("nothing is created")
		return "", nil
	}, nil)
	require.ErrorIs(t, err, once.ErrKey)
}

func manyAtOnce(t *testing.T, place Place) {
	journal, end := place(t)
	defer end()
	var stores sync.WaitGroup
	for i := range 24 {
		stores.Go(func() {
			key := fmt.Sprint("key", i)
			assert.NoError(t, journal.Store(t.Context(), key, once.Entry{}, begun(key)))
			assert.NoError(t, journal.Store(t.Context(), key, begun(key), done(key, "of "+key)))
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
	require.NoError(t, journal.Store(t.Context(), "a", once.Entry{}, begun("r")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := journal.Store(ctx, "a", begun("r"), done("r", "1"))
	want := begun("r")
	if err == nil {
		want.ID = "1"
	}
	assert.Equal(t, want, load(t, journal, "a"))
}

// CarriesOn tests a journal that an earlier version wrote: two finished
// entries, one of them with an id in upper case, one intent, and a key that is
// not ASCII.
func CarriesOn(t *testing.T, journal once.Journal) {
	t.Helper()
	never := func(context.Context, once.Intent) (string, error) { return "", errors.New("nothing is created again") }
	for key, want := range map[string]string{
		"invoice 4711, line 1": "A0E1B2C3-0000-4000-8000-00000000AB01",
		"invoice 4711, line 2": "a0e1b2c3-0000-4000-8000-00000000ab02",
		"invoice 4711, line 3": "a0e1b2c3-0000-4000-8000-00000000ab03",
		"Müller «1»":           "a0e1b2c3-0000-4000-8000-00000000ab06",
	} {
		id, err := once.Do(t.Context(), journal, key, never, func(_ context.Context, intent once.Intent) ([]string, error) {
			assert.Equal(t, "6f1c4f0e-3a6e-4a53-8f0c-2d1f9f6f7a03", intent.ResourceID)
			return []string{"a0e1b2c3-0000-4000-8000-00000000ab01", "a0e1b2c3-0000-4000-8000-00000000ab03"}, nil // the first one is of line 1
		})
		require.NoError(t, err, key)
		assert.Equal(t, want, id, key)
	}
	for _, gone := range []string{"removed", "forgotten"} {
		assert.True(t, load(t, journal, gone).IsZero(), gone)
	}
}
