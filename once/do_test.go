package once_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/once"
)

func emptyWorld(creates ...int) *world {
	return &world{creates: creates, records: map[string]time.Time{}, entries: map[string]once.Entry{}}
}

// TestAnEmptyIDIsNoRecord checks a record that find returns without an id: it
// may be the one, so nothing is created again.
func TestAnEmptyIDIsNoRecord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := emptyWorld(wins)
		empty := func(context.Context, once.Intent) ([]string, error) { return []string{""}, nil }
		for range 2 {
			id, err := once.Do(t.Context(), w, "key", w.create, empty, once.CreateAgain())
			require.ErrorIs(t, err, once.ErrUnknown)
			require.ErrorIs(t, err, once.ErrEmptyID)
			assert.Empty(t, id)
		}
		assert.Len(t, w.records, 1)
		id, err := once.Do(t.Context(), w, "key", w.create, w.find)
		require.NoError(t, err)
		assert.Equal(t, "1", id)
	})
}

func TestDoReturnsTheErrorOfARefusedCreateUnchanged(t *testing.T) {
	t.Parallel()
	refused := &practice.Error{StatusCode: 400}
	w := emptyWorld()
	_, err := once.Do(t.Context(), w, "key", func(context.Context, once.Intent) (string, error) { return "", refused }, w.find)
	assert.Same(t, refused, err)
	assert.True(t, w.entries["key"].IsZero())
}

// TestACreateAgainIsStoredFirst checks the attempts of an intent: an earlier
// holder that comes back can tell that its attempt is over.
func TestACreateAgainIsStoredFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := emptyWorld(loses, loses, succeeds)
		var intents []once.Intent
		create := func(ctx context.Context, intent once.Intent) (string, error) {
			assert.Equal(t, intent, w.entries["key"].Intent)
			intents = append(intents, intent)
			return w.create(ctx, intent)
		}
		_, err := once.Do(t.Context(), w, "key", create, w.find, once.CreateAgain())
		require.ErrorIs(t, err, once.ErrUnknown)
		id, err := once.Do(t.Context(), w, "key", create, w.find, once.CreateAgain())
		require.NoError(t, err)
		assert.Equal(t, "1", id)
		require.Len(t, intents, 3)
		for i, intent := range intents {
			assert.Equal(t, i, intent.Attempt)
			assert.Equal(t, intents[0].ResourceID, intent.ResourceID)
		}
	})
}

// TestACreateThatWasOvertakenIsNotSent checks an intent that its first holder
// removes while another one looks for the record.
func TestACreateThatWasOvertakenIsNotSent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := emptyWorld()
		w.entries["key"] = once.Entry{Intent: once.Intent{ResourceID: "r", At: time.Now()}}
		_, err := once.Do(t.Context(), w, "key", w.create, func(context.Context, once.Intent) ([]string, error) {
			delete(w.entries, "key")
			return nil, nil
		}, once.CreateAgain())
		require.ErrorIs(t, err, once.ErrOvertaken)
		assert.Empty(t, w.records)
		_, err = once.Do(t.Context(), w, "key", w.create, w.find)
		require.NoError(t, err)
		assert.Len(t, w.records, 1)
	})
}

// TestDoneMeansThatItCanBeSeen checks Await with a record that is visible after
// a lag, or never.
func TestDoneMeansThatItCanBeSeen(t *testing.T) {
	t.Parallel()
	for _, lag := range []time.Duration{0, 20 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			w := emptyWorld()
			w.lag = lag
			broken := errors.New("broken")
			see := once.Await(func(_ context.Context, id string) error {
				if visible := w.records[id]; time.Now().Before(visible) {
					return &practice.Error{StatusCode: 404}
				}
				return nil
			})
			id, err := once.Do(t.Context(), w, "key", w.create, w.find, see)
			assert.Equal(t, "1", id, "the id is known in any case")
			assert.Equal(t, "1", w.entries["key"].ID)
			if lag > once.DefaultSearchLimit {
				require.ErrorIs(t, err, practice.ErrNotYet)
				require.NoError(t, backoff.Sleep(t.Context(), lag))
				id, err = once.Do(t.Context(), w, "key", w.create, w.find, see)
				assert.Equal(t, "1", id)
			}
			require.NoError(t, err)
			assert.Len(t, w.records, 1)
			began := time.Now()
			_, err = once.Do(t.Context(), w, "key", w.create, w.find, once.Await(func(context.Context, string) error { return broken }))
			require.ErrorIs(t, err, broken)
			assert.Zero(t, time.Since(began), "only what is not found is waited for")
		})
	}
}
