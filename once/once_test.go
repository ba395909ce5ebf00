package once_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testmain"
	"github.com/practicesdk/practice-go/once"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	testmain.UseMemory()
	goleak.VerifyTestMain(m)
}

// Outcomes of a create. The last two end the process.
const (
	succeeds = iota
	answersNothing
	loses   // no effect, and the response is lost
	wins    // the record is created, and the response is lost
	refuses // the service responds 400
	killedBefore
	killedAfter
	outcomes
)

// killed is the panic value that simulates the end of the process.
type killed struct{}

// world is a service that creates records, and a journal. A record becomes
// visible after the lag.
type world struct {
	lag      time.Duration
	creates  []int // outcome of each create; further ones succeed
	records  map[string]time.Time
	kill     int // number of the Store that ends the process, from 1; negative: after its effect
	stores   int
	entries  map[string]once.Entry
	attempts int
}

func (w *world) Load(_ context.Context, key string) (once.Entry, error) { return w.entries[key], nil }

func (w *world) Owner(_ context.Context, id string) (string, error) {
	for key, entry := range w.entries {
		if entry.ID == id {
			return key, nil
		}
	}
	return "", nil
}

func (w *world) Store(ctx context.Context, key string, old, entry once.Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w.stores++
	if w.stores == w.kill {
		panic(killed{})
	}
	if owner, _ := w.Owner(ctx, entry.ID); entry.ID != "" && owner != "" && owner != key {
		return once.ErrClaimed
	}
	if !w.entries[key].Equal(old) {
		return once.ErrOvertaken
	}
	w.entries[key] = entry
	if w.stores == -w.kill {
		panic(killed{})
	}
	return nil
}

func (w *world) create(context.Context, once.Intent) (string, error) {
	outcome := succeeds
	if w.attempts < len(w.creates) {
		outcome = w.creates[w.attempts]
	}
	w.attempts++
	id := ""
	switch outcome {
	case succeeds, answersNothing, wins, killedAfter:
		id = strconv.Itoa(len(w.records) + 1)
		w.records[id] = time.Now().Add(w.lag)
	}
	switch outcome {
	case succeeds:
		return id, nil
	case answersNothing:
		return "", nil
	case refuses:
		return "", &practice.Error{StatusCode: 400}
	case killedBefore, killedAfter:
		panic(killed{})
	}
	return "", &practice.AmbiguousWriteError{Err: errors.New("no answer")}
}

func (w *world) find(context.Context, once.Intent) (ids []string, err error) {
	for id, visible := range w.records {
		if !time.Now().Before(visible) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// do calls Do in a new process.
func (w *world) do(key string, opts ...once.Option) (id string, err error, died bool) { //nolint:revive // died is no error
	defer func() {
		if reason := recover(); reason != nil {
			if _, ok := reason.(killed); !ok {
				panic(reason)
			}
			died = true
		}
	}()
	id, err = once.Do(context.Background(), w, key, w.create, w.find, opts...)
	return id, err, false
}

// TestEverySmallHistoryCreatesOneRecord tries histories of up to three
// creates with a process that ends at one of the stores of the journal, with
// three delays and with both kinds of callers.
func TestEverySmallHistoryCreatesOneRecord(t *testing.T) {
	soak.NotWithRaceDetector(t, "one create at a time")
	t.Parallel()
	type story struct {
		creates [3]int
		kill    int
		lag     time.Duration
		again   bool
	}
	var all []story
	for code := range outcomes * outcomes * outcomes {
		for kill := -3; kill <= 3; kill++ {
			for _, lag := range []time.Duration{0, 20 * time.Second, 3 * once.DefaultSearchLimit} {
				creates := [3]int{code % outcomes, code / outcomes % outcomes, code / outcomes / outcomes}
				all = append(all, story{creates, kill, lag, false}, story{creates, kill, lag, true})
			}
		}
	}
	for _, one := range soak.Slice(t, 4, all, func(s story) string { return fmt.Sprintf("%+v", s) }) {
		synctest.Test(t, func(t *testing.T) { historyOf(t, one.creates[:], one.kill, one.lag, one.again) })
		require.False(t, t.Failed(), "%+v", one)
	}
}

func historyOf(t *testing.T, creates []int, kill int, lag time.Duration, again bool) {
	t.Helper()
	w := &world{lag: lag, creates: creates, kill: kill, records: map[string]time.Time{}, entries: map[string]once.Entry{}}
	var opts []once.Option
	if again {
		opts = append(opts, once.CreateAgain())
	}
	for range 6 {
		id, err, died := w.do("key", opts...)
		unknown, isUnknown := errors.AsType[*once.UnknownError](err)
		switch {
		case died:
		case err == nil:
			assert.Contains(t, w.records, id)
			assert.Equal(t, id, w.entries["key"].ID)
			attempts := w.attempts
			same, err, _ := w.do("key", opts...)
			require.NoError(t, err)
			assert.Equal(t, id, same)
			assert.Equal(t, attempts, w.attempts, "nothing is created again")
		case isUnknown:
			assert.Equal(t, "key", unknown.Key)
			assert.False(t, w.entries["key"].IsZero(), "what is unknown stays in the journal")
		default:
			assert.ErrorIs(t, err, practice.ErrBadRequest)
			assert.Empty(t, w.records, "a refusal is certain")
			assert.True(t, w.entries["key"].IsZero())
		}
		if !again || lag < once.DefaultSearchLimit {
			assert.LessOrEqual(t, len(w.records), 1)
		}
		if !isUnknown && !died && err == nil {
			break
		}
	}
	if lag < once.DefaultSearchLimit && again {
		assert.NotEmpty(t, w.entries["key"].ID, "a caller that allows another create comes to an end")
	}
}

// TestRecordsThatLookAlikeAreNotMistaken creates indistinguishable records for
// two keys.
func TestRecordsThatLookAlikeAreNotMistaken(t *testing.T) {
	t.Parallel()
	for code := range outcomes * outcomes {
		creates := []int{code % outcomes, code / outcomes}
		t.Run(fmt.Sprint(creates), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &world{creates: creates, records: map[string]time.Time{}, entries: map[string]once.Entry{}}
				for _, key := range []string{"a", "b", "a", "b", "a", "b"} {
					_, err, _ := w.do(key, once.CreateAgain())
					if err != nil {
						assert.True(t, errors.Is(err, once.ErrUnknown) || errors.Is(err, practice.ErrBadRequest), "%v", err)
					}
				}
				if a, b := w.entries["a"].ID, w.entries["b"].ID; a != "" && b != "" {
					assert.NotEqual(t, a, b)
				}
				assert.LessOrEqual(t, len(w.records), 2)
			})
		})
	}
}

func TestARefusalIsReturnedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, refusal := range []error{
			&practice.Error{StatusCode: 400}, &practice.ArgumentError{}, &practice.ConfigError{}, &practice.NoAnswerError{Err: errors.New("no route")},
		} {
			w := &world{records: map[string]time.Time{}, entries: map[string]once.Entry{}}
			_, err := once.Do(t.Context(), w, "key", func(context.Context, once.Intent) (string, error) { return "", refusal }, w.find)
			require.ErrorIs(t, err, refusal)
			require.NotErrorIs(t, err, once.ErrUnknown)
			assert.True(t, w.entries["key"].IsZero())
		}
	})
}

func TestACallCreatesAgainOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{creates: []int{loses, loses, loses}, records: map[string]time.Time{}, entries: map[string]once.Entry{}}
		began := time.Now()
		_, err, _ := w.do("key", once.CreateAgain())
		require.ErrorIs(t, err, once.ErrUnknown)
		assert.Equal(t, 2, w.attempts)
		assert.Equal(t, 2*once.DefaultSearchLimit, time.Since(began))
	})
}

func TestSeveralRecordsAreListedAndNoneIsTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{creates: []int{loses}, records: map[string]time.Time{"x": {}, "y": {}}, entries: map[string]once.Entry{}}
		_, err, _ := w.do("key", once.CreateAgain())
		unknown, ok := errors.AsType[*once.UnknownError](err)
		require.True(t, ok, "%v", err)
		assert.ElementsMatch(t, []string{"x", "y"}, unknown.IDs)
		require.ErrorIs(t, err, once.ErrUnknown)
		assert.Len(t, w.records, 2)
	})
}

func TestACallThatIsCancelledStoresWhatItKnows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{records: map[string]time.Time{}, entries: map[string]once.Entry{}}
		ctx, cancel := context.WithCancel(t.Context())
		create := func(ctx context.Context, intent once.Intent) (string, error) {
			defer cancel()
			return w.create(ctx, intent)
		}
		id, err := once.Do(ctx, w, "key", create, w.find)
		require.NoError(t, err)
		assert.Equal(t, id, w.entries["key"].ID)

		ctx, cancel = context.WithCancel(t.Context())
		_, err = once.Do(ctx, w, "other", func(context.Context, once.Intent) (string, error) {
			cancel()
			return "", &practice.AmbiguousWriteError{Err: ctx.Err()}
		}, func(context.Context, once.Intent) ([]string, error) { return nil, ctx.Err() })
		require.ErrorIs(t, err, once.ErrUnknown)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestALookThatFailsIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{creates: []int{wins}, records: map[string]time.Time{}, entries: map[string]once.Entry{}}
		looks := 0
		find := func(ctx context.Context, intent once.Intent) ([]string, error) {
			if looks++; looks < 4 {
				return nil, errors.New("down")
			}
			return w.find(ctx, intent)
		}
		id, err := once.Do(t.Context(), w, "key", w.create, find)
		require.NoError(t, err)
		assert.Equal(t, "1", id)

		w.creates = append(w.creates, loses)
		began := time.Now()
		_, err = once.Do(t.Context(), w, "other", w.create, func(context.Context, once.Intent) ([]string, error) {
			return nil, errors.New("down")
		}, once.CreateAgain(), once.SearchLimit(10*time.Second))
		require.ErrorIs(t, err, once.ErrUnknown, "a look that fails does not prove that nothing is there")
		require.ErrorContains(t, err, "down")
		assert.Equal(t, 10*time.Second, time.Since(began), "the search limit is used up, and not exceeded")
	})
}

// hiding is a journal that refuses an id without naming its owner, as a
// database may do in an older transaction.
type hiding struct{ *world }

func (h hiding) Store(ctx context.Context, key string, old, entry once.Entry) error {
	if entry.ID != "" {
		return once.ErrClaimed
	}
	return h.world.Store(ctx, key, old, entry)
}

func TestAnIDWhoseOwnerIsHiddenIsWaitedForAndNotTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &world{creates: []int{wins}, records: map[string]time.Time{}, entries: map[string]once.Entry{}}
		began := time.Now()
		_, err := once.Do(t.Context(), hiding{w}, "key", w.create, w.find, once.CreateAgain())
		require.ErrorIs(t, err, once.ErrUnknown)
		require.ErrorIs(t, err, once.ErrClaimed)
		assert.Len(t, w.records, 1)
		assert.Equal(t, once.DefaultSearchLimit, time.Since(began))
	})
}
