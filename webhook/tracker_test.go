package webhook_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

func newTracker(tb testing.TB, store webhook.TrackerStore) *webhook.Tracker {
	tb.Helper()
	if store == nil {
		memory, err := webhook.NewMemoryStore()
		require.NoError(tb, err)
		store = memory
	}
	tracker, err := webhook.NewTracker(store)
	require.NoError(tb, err)
	return tracker
}

// failureOf returns the failure of a write, or nil.
func failureOf(t *testing.T, tracker *webhook.Tracker, requestID string) *webhook.WriteError {
	t.Helper()
	err := tracker.Failure(t.Context(), requestID)
	if err == nil {
		return nil
	}
	var failed *webhook.WriteError
	require.ErrorAs(t, err, &failed)
	return failed
}

func TestTheTrackerTellsWhetherAWriteHasFailed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bodies []string
		failed bool
	}{
		"nothing so far":                 {nil, false},
		"a change":                       {[]string{"matter-updated"}, false},
		"a change of an unknown type":    {[]string{"unknown-type"}, false},
		"a failure":                      {[]string{"error"}, true},
		"a failure after a change":       {[]string{"matter-updated", "error"}, true},
		"a failure before a late change": {[]string{"error", "matter-updated"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tracker := newTracker(t, nil)
			receiver := newReceiver(t, webhook.WithTracker(tracker))
			require.NoError(t, tracker.Register(t.Context(), requestID))
			for _, body := range test.bodies {
				require.Equal(t, 200, serve(receiver, signed(t, sample(t, body))).Code, "without any handler")
			}
			failed := failureOf(t, tracker, requestID)
			if !test.failed {
				require.Nil(t, failed)
				return
			}
			assert.Equal(t, webhook.WriteError{
				RequestID: requestID, Message: "No such contact in account 13277179-1410-5c32-a80e-a2b9c71c5d83",
				ResourceName: "contact", ResourceID: "13eecfca-5699-5001-9310-bf202aba8df9", At: clock(),
			}, *failed)
		})
	}
}

// Package requestid accepts both, and the service may change the case.
func TestTheCaseOfARequestIDDoesNotMatter(t *testing.T) {
	t.Parallel()
	for registered, sent := range map[string]string{
		strings.ToLower(requestID): strings.ToUpper(requestID), strings.ToUpper(requestID): strings.ToLower(requestID),
	} {
		tracker := newTracker(t, nil)
		receiver := newReceiver(t, webhook.WithTracker(tracker))
		require.NoError(t, tracker.Register(t.Context(), registered))
		require.Equal(t, 200, serve(receiver, signedWith(t, key, clock(), sent, sample(t, "error"))).Code)
		failed := failureOf(t, tracker, registered)
		require.NotNil(t, failed)
		assert.Equal(t, registered, failed.RequestID)
	}
}

func TestAnErrorEventOfAnotherFormIsAFailureToo(t *testing.T) {
	t.Parallel()
	for _, payload := range []string{`null`, `"it failed"`, `{"message":7}`, `[]`, `{}`} {
		tracker := newTracker(t, nil)
		receiver := newReceiver(t, webhook.WithTracker(tracker))
		require.NoError(t, tracker.Register(t.Context(), requestID))
		require.Equal(t, 200, serve(receiver, signed(t, []byte(`{"type":"error","payload":`+payload+`}`))).Code)
		failed := failureOf(t, tracker, requestID)
		require.NotNil(t, failed)
		assert.Equal(t, webhook.WriteError{RequestID: requestID, At: clock()}, *failed)
	}
}

// A store holds thousands of failures, and a body may have up to a megabyte.
func TestAFailureIsKeptWithTheBeginningOfItsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{strings.Repeat("e", 4096): 4096, strings.Repeat("é", 5000): 4096, "-" + strings.Repeat("é", 5000): 4095} {
		tracker := newTracker(t, nil)
		receiver := newReceiver(t, webhook.WithTracker(tracker))
		require.NoError(t, tracker.Register(t.Context(), requestID))
		require.Equal(t, 200, serve(receiver, signed(t, []byte(`{"type":"error","payload":{"message":"`+text+`"}}`))).Code)
		failed := failureOf(t, tracker, requestID)
		require.NotNil(t, failed)
		assert.Len(t, failed.Message, want)
		assert.True(t, strings.HasPrefix(text, failed.Message))
	}
}

func TestOnlyRegisteredWritesAreTracked(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t, nil)
	require.ErrorIs(t, tracker.Register(t.Context(), ""), webhook.ErrEmptyRequestID)
	require.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{}))
	require.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{RequestID: "a"}))
	require.ErrorIs(t, tracker.Failure(t.Context(), "a"), webhook.ErrNotTracked)
}

func TestAStoreThatHangsCostsTheTrackerOneCall(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context, *webhook.Tracker) error{
		"Register": func(ctx context.Context, tracker *webhook.Tracker) error { return tracker.Register(ctx, "a") },
		"Failure":  func(ctx context.Context, tracker *webhook.Tracker) error { return tracker.Failure(ctx, "a") },
	} {
		for _, deaf := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", of a store that is deaf to its context"}[deaf], func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					tracker := newTracker(t, (&hanging{deaf: deaf}).hangFor(time.Minute))
					began := time.Now()
					require.ErrorIs(t, call(t.Context(), tracker), webhook.ErrStore)
					assert.Equal(t, webhook.DefaultStoreTimeout, time.Since(began))

					ctx, cancel := context.WithTimeout(t.Context(), time.Second)
					defer cancel()
					began = time.Now()
					err := call(ctx, tracker)
					require.ErrorIs(t, err, context.DeadlineExceeded)
					require.NotErrorIs(t, err, webhook.ErrStore, "it is the time of the caller that ended")
					assert.Equal(t, time.Second, time.Since(began))
					<-time.After(time.Minute)
				})
			})
		}
	}
}

// shelf is a custom store: it does not count as an in-memory one, and it may
// fail.
type shelf struct {
	webhook.TrackerStore
	down error
}

func (s *shelf) Register(ctx context.Context, key string) error {
	return cmp.Or(s.down, s.TrackerStore.Register(ctx, key))
}

func (s *shelf) Load(ctx context.Context, key string) (*webhook.WriteError, error) {
	failure, err := s.TrackerStore.Load(ctx, key)
	return failure, cmp.Or(s.down, err)
}

func TestATrackerGivesTheAnswersOfItsStore(t *testing.T) {
	t.Parallel()
	memory, err := webhook.NewMemoryStore()
	require.NoError(t, err)
	store := &shelf{TrackerStore: memory}
	tracker := newTracker(t, store)
	require.ErrorIs(t, tracker.Failure(t.Context(), "a"), webhook.ErrNotTracked)
	require.NoError(t, tracker.Register(t.Context(), "a"))
	require.NoError(t, tracker.Failure(t.Context(), "a"))
	require.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{RequestID: "a"}))
	require.Error(t, tracker.Failure(t.Context(), "a"))
	store.down = errDown
	require.ErrorIs(t, tracker.Register(t.Context(), "b"), errDown)
	require.ErrorIs(t, tracker.Failure(t.Context(), "a"), errDown)
}

// panicking is a store that panics.
type panicking struct{ webhook.TrackerStore }

func TestAStoreThatPanicsPanicsInTheGoroutineOfItsCaller(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t, panicking{})
	assert.Panics(t, func() { _ = tracker.Register(t.Context(), "a") })
	assert.Panics(t, func() { _ = tracker.Failure(t.Context(), "a") })
}

func TestTheTrackerGivesTheFailureAsAnError(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t, nil)
	require.ErrorIs(t, tracker.Failure(t.Context(), requestID), webhook.ErrNotTracked)
	require.NoError(t, tracker.Register(t.Context(), requestID))
	require.NoError(t, tracker.Failure(t.Context(), requestID), "nothing is known")
	require.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{RequestID: requestID, Message: "too late"}))
	require.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{RequestID: requestID, Message: "a second one"}))
	err := tracker.Failure(t.Context(), requestID)
	var failed *webhook.WriteError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, webhook.WriteError{RequestID: requestID, Message: "too late"}, *failed)
	assert.EqualError(t, err, "webhook: the write "+requestID+" failed after it was accepted: too late")
}

func TestAFailureThatAProgramFeedsIsCutToo(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t, nil)
	require.NoError(t, tracker.Register(t.Context(), "1"))
	long := strings.Repeat("e", 1<<20)
	require.NoError(t, tracker.Feed(t.Context(), webhook.WriteError{RequestID: "1", Message: long, ResourceName: long, ResourceID: long}))
	cut := long[:4096]
	assert.Equal(t, webhook.WriteError{RequestID: "1", Message: cut, ResourceName: cut, ResourceID: cut}, *failureOf(t, tracker, "1"))
}
