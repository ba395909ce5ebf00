package webhook_test

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func newTracker(tb testing.TB, store webhook.TrackerStore, options ...webhook.TrackerOption) *webhook.Tracker {
	tb.Helper()
	if store == nil {
		memory, err := webhook.NewMemoryStore()
		require.NoError(tb, err)
		store = memory
	}
	tracker, err := webhook.NewTracker(store, options...)
	require.NoError(tb, err)
	return tracker
}

func TestTheTrackerTellsWhatIsKnownOfAWrite(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		bodies []string
		after  time.Duration
		want   webhook.OutcomeState
	}{
		"nothing so far":                 {nil, time.Second, webhook.OutcomePending},
		"nothing for long enough":        {nil, time.Minute, webhook.OutcomeNoErrorWithin},
		"a change":                       {[]string{"matter-updated"}, time.Second, webhook.OutcomeObserved},
		"a change of an unknown type":    {[]string{"unknown-type"}, time.Minute, webhook.OutcomeObserved},
		"a failure":                      {[]string{"error"}, time.Second, webhook.OutcomeFailed},
		"a failure after a change":       {[]string{"matter-updated", "error"}, time.Hour, webhook.OutcomeFailed},
		"a failure before a late change": {[]string{"error", "matter-updated"}, time.Hour, webhook.OutcomeFailed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := clock()
			tracker := newTracker(t, nil, webhook.WithClock(func() time.Time { return now }))
			receiver := newReceiver(t, webhook.WithTracker(tracker))
			require.NoError(t, tracker.Register(t.Context(), requestID))
			for _, body := range test.bodies {
				require.Equal(t, 200, serve(receiver, signed(t, sample(t, body))).Code, "without any handler")
			}
			now = now.Add(test.after)
			o, err := tracker.Outcome(t.Context(), requestID, time.Minute)
			require.NoError(t, err)
			assert.Equal(t, test.want, o.State)
			assert.Equal(t, test.after, o.Since)
			assert.Equal(t, test.want == webhook.OutcomeFailed, o.Failed != nil)
			if o.Failed != nil {
				assert.Equal(t, webhook.Failure{
					Message:      "No such contact in account 13277179-1410-5c32-a80e-a2b9c71c5d83",
					ResourceName: "contact", ResourceID: "13eecfca-5699-5001-9310-bf202aba8df9",
				}, *o.Failed.Failure)
			}
			assert.Equal(t, strings.Contains(strings.Join(test.bodies, " "), "-"), o.Observed != nil)
		})
	}
}

func TestAnErrorEventOfAnotherFormIsAFailureToo(t *testing.T) {
	t.Parallel()
	for _, payload := range []string{`null`, `"it failed"`, `{"message":7}`, `[]`, `{}`} {
		tracker := newTracker(t, nil)
		receiver := newReceiver(t, webhook.WithTracker(tracker))
		require.NoError(t, tracker.Register(t.Context(), requestID))
		require.Equal(t, 200, serve(receiver, signed(t, []byte(`{"type":"error","payload":`+payload+`}`))).Code)
		o, err := tracker.Outcome(t.Context(), requestID, 0)
		require.NoError(t, err)
		assert.Equal(t, webhook.OutcomeFailed, o.State)
		assert.Equal(t, webhook.Failure{}, *o.Failed.Failure)
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
		o, err := tracker.Outcome(t.Context(), requestID, 0)
		require.NoError(t, err)
		kept := o.Failed.Failure.Message
		assert.Len(t, kept, want)
		assert.True(t, strings.HasPrefix(text, kept))
	}
}

func TestTheTrackerIsFedWithWhatNoHandlerMeets(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t, nil)
	deduplicator := newDeduplicator(t)
	receiver := newReceiver(t, webhook.WithTracker(tracker), webhook.IgnoreOwn(madeAt{requestID, clock()}), webhook.WithDeduplicator(deduplicator))
	events := handleRest(receiver)
	require.NoError(t, tracker.Register(t.Context(), requestID))
	require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
	assert.Empty(t, *events, "it is an echo")
	o, err := tracker.Outcome(t.Context(), requestID, time.Hour)
	require.NoError(t, err)
	assert.Equal(t, webhook.OutcomeObserved, o.State)
	assert.Equal(t, models.EventTypeMatterUpdated.Type(), o.Observed.Type)
	assert.Equal(t, clock(), o.Observed.At)
}

func TestOnlyRegisteredWritesAreTracked(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t, nil)
	require.ErrorIs(t, tracker.Register(t.Context(), ""), webhook.ErrEmptyRequestID)
	require.NoError(t, tracker.Feed(t.Context(), "", webhook.TrackedEvent{}))
	require.NoError(t, tracker.Feed(t.Context(), "a", webhook.TrackedEvent{}))
	_, err := tracker.Outcome(t.Context(), "a", 0)
	require.ErrorIs(t, err, webhook.ErrNotTracked)
	_, err = tracker.Wait(t.Context(), "a", time.Hour)
	require.ErrorIs(t, err, webhook.ErrNotTracked)
}

func TestAWaiterLearnsAtOnceWhatItsOwnProcessReceives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, nil, webhook.WithPollInterval(time.Hour))
		began := time.Now()
		require.NoError(t, tracker.Register(t.Context(), "a"))
		var waiting sync.WaitGroup
		for range 3 {
			waiting.Go(func() {
				o, err := tracker.Wait(t.Context(), "a", 2*time.Hour)
				assert.NoError(t, err)
				assert.Equal(t, webhook.OutcomeFailed, o.State)
				assert.Equal(t, 3*time.Second, time.Since(began))
			})
		}
		<-time.After(3 * time.Second)
		require.NoError(t, tracker.Feed(t.Context(), "b", webhook.TrackedEvent{Type: "error", Failure: &webhook.Failure{}}))
		synctest.Wait()
		require.NoError(t, tracker.Feed(t.Context(), "a", webhook.TrackedEvent{Type: "error", Failure: &webhook.Failure{}}))
		waiting.Wait()
	})
}

func TestAWaiterLooksForWhatAnotherProcessReceives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, err := webhook.NewMemoryStore()
		require.NoError(t, err)
		writer, receiver := newTracker(t, store), newTracker(t, store)
		hurried := newTracker(t, store, webhook.WithPollInterval(200*time.Millisecond))
		began := time.Now()
		require.NoError(t, writer.Register(t.Context(), "a"))
		var other sync.WaitGroup
		other.Go(func() {
			_, err := hurried.Wait(t.Context(), "a", time.Hour)
			assert.NoError(t, err)
			assert.Equal(t, 2600*time.Millisecond, time.Since(began), "it looks more often")
		})
		go func() {
			<-time.After(2500 * time.Millisecond)
			assert.NoError(t, receiver.Feed(t.Context(), "a", webhook.TrackedEvent{Type: "fee.updated"}))
		}()
		o, err := writer.Wait(t.Context(), "a", time.Hour)
		require.NoError(t, err)
		assert.Equal(t, webhook.OutcomeObserved, o.State)
		assert.Equal(t, 3*time.Second, time.Since(began), "at the next look")
		other.Wait()
	})
}

func TestAWaitEndsWithItsQuietTimeOrItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, nil)
		began := time.Now()
		require.NoError(t, tracker.Register(t.Context(), "a"))
		o, err := tracker.Wait(t.Context(), "a", 5500*time.Millisecond)
		require.NoError(t, err)
		assert.Equal(t, webhook.OutcomeNoErrorWithin, o.State)
		assert.Equal(t, 5500*time.Millisecond, time.Since(began))

		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		o, err = tracker.Wait(ctx, "a", time.Hour)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, webhook.OutcomePending, o.State)
	})
}

func TestAWaitLastsNoLongerThanItsQuietTimeAlthoughAClockStepsBack(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{-time.Hour, -3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			var shift atomic.Int64
			tracker := newTracker(t, nil, webhook.WithClock(func() time.Time { return time.Now().Add(time.Duration(shift.Load())) }))
			require.NoError(t, tracker.Register(t.Context(), "a"))
			time.AfterFunc(2*time.Second, func() { shift.Store(int64(step)) })
			began := time.Now()
			o, err := tracker.Wait(t.Context(), "a", 10*time.Second)
			require.NoError(t, err)
			assert.Equal(t, webhook.OutcomeNoErrorWithin, o.State)
			assert.Equal(t, 10*time.Second, time.Since(began))
		})
	}
}

// Otherwise Wait would miss the events of the remaining time.
func TestAWaitLastsItsQuietTimeAlthoughAClockStepsForward(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fails bool
		want  webhook.OutcomeState
		after time.Duration
	}{
		"nothing comes":           {false, webhook.OutcomeNoErrorWithin, 30 * time.Second},
		"an error after the step": {true, webhook.OutcomeFailed, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var shift atomic.Int64
				tracker := newTracker(t, nil, webhook.WithClock(func() time.Time { return time.Now().Add(time.Duration(shift.Load())) }))
				require.NoError(t, tracker.Register(t.Context(), "a"))
				time.AfterFunc(time.Second, func() { shift.Store(int64(time.Hour)) })
				if test.fails {
					time.AfterFunc(5*time.Second, func() {
						assert.NoError(t, tracker.Feed(t.Context(), "a", webhook.TrackedEvent{Type: "error", Failure: &webhook.Failure{}}))
					})
				}
				began := time.Now()
				o, err := tracker.Wait(t.Context(), "a", 30*time.Second)
				require.NoError(t, err)
				assert.Equal(t, test.want, o.State)
				assert.Equal(t, test.after, time.Since(began))
				assert.Equal(t, test.after, o.Since)
			})
		})
	}
}

func TestAStoreThatHangsCostsTheTrackerOneCall(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context, *webhook.Tracker) error{
		"Register": func(ctx context.Context, tracker *webhook.Tracker) error { return tracker.Register(ctx, "a") },
		"Failure":  func(ctx context.Context, tracker *webhook.Tracker) error { return tracker.Failure(ctx, "a") },
		"Outcome": func(ctx context.Context, tracker *webhook.Tracker) error {
			_, err := tracker.Outcome(ctx, "a", time.Minute)
			return err
		},
		"Wait": func(ctx context.Context, tracker *webhook.Tracker) error {
			_, err := tracker.Wait(ctx, "a", 5*time.Second)
			return err
		},
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

func (s *shelf) Register(ctx context.Context, key string, at time.Time) error {
	return cmp.Or(s.down, s.TrackerStore.Register(ctx, key, at))
}

func (s *shelf) Load(ctx context.Context, key string) (webhook.TrackRecord, error) {
	record, err := s.TrackerStore.Load(ctx, key)
	return record, cmp.Or(s.down, err)
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
	require.NoError(t, tracker.Feed(t.Context(), "a", webhook.TrackedEvent{Type: "error", Failure: &webhook.Failure{}}))
	o, err := tracker.Outcome(t.Context(), "a", time.Hour)
	require.NoError(t, err)
	assert.Equal(t, webhook.OutcomeFailed, o.State)
	store.down = errDown
	require.ErrorIs(t, tracker.Register(t.Context(), "b"), errDown)
	require.ErrorIs(t, tracker.Failure(t.Context(), "a"), errDown)
	_, err = tracker.Wait(t.Context(), "a", time.Hour)
	require.ErrorIs(t, err, errDown)
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
	require.NoError(t, tracker.Feed(t.Context(), requestID, webhook.TrackedEvent{Type: "matter.updated"}))
	require.NoError(t, tracker.Failure(t.Context(), requestID), "a change event is no failure")
	require.NoError(t, tracker.Feed(t.Context(), requestID, webhook.TrackedEvent{Type: "error", Failure: &webhook.Failure{Message: "too late"}}))
	err := tracker.Failure(t.Context(), requestID)
	var failed *webhook.WriteError
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, requestID, failed.RequestID)
	assert.Equal(t, "too late", failed.Event.Failure.Message)
	assert.EqualError(t, err, "webhook: the write "+requestID+" failed after it was accepted: too late")
}

func TestAnEventThatAProgramFeedsIsCutToo(t *testing.T) {
	t.Parallel()
	store, err := webhook.NewMemoryStore()
	require.NoError(t, err)
	tracker, err := webhook.NewTracker(store)
	require.NoError(t, err)
	require.NoError(t, tracker.Register(t.Context(), "1"))
	long := strings.Repeat("e", 1<<20)
	failure := webhook.Failure{Message: long, ResourceName: long, ResourceID: long}
	require.NoError(t, tracker.Feed(t.Context(), "1", webhook.TrackedEvent{Type: "error", Failure: &failure}))
	require.NoError(t, tracker.Feed(t.Context(), "1", webhook.TrackedEvent{Type: models.EventType(long)}))
	outcome, err := tracker.Outcome(t.Context(), "1", time.Minute)
	require.NoError(t, err)
	cut := long[:4096]
	assert.Equal(t, webhook.Failure{Message: cut, ResourceName: cut, ResourceID: cut}, *outcome.Failed.Failure)
	assert.EqualValues(t, cut, outcome.Observed.Type)
	assert.Equal(t, long, failure.Message, "that of the caller stays as it is")
}
