package webhook_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// unrecorded is a TrackerStore that temporarily cannot record events: it
// returns an error or hangs.
type unrecorded struct {
	webhook.TrackerStore
	until time.Time
	hangs bool
}

func (u *unrecorded) Record(ctx context.Context, key string, event webhook.TrackedEvent) error {
	switch away := time.Now().Before(u.until); {
	case away && u.hangs:
		return pauseOver(ctx)
	case away:
		return errDown
	}
	return u.TrackerStore.Record(ctx, key, event)
}

func TestAdvisersThatAreAwayHoldNoMessageUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const events = 200
		began, outage := time.Now(), 5*time.Minute
		order, err := webhook.NewMemoryStore()
		require.NoError(t, err)
		writes, err := webhook.NewMemoryStore()
		require.NoError(t, err)
		tracker := newTracker(t, &unrecorded{TrackerStore: writes, until: began.Add(outage)})
		require.NoError(t, tracker.Register(t.Context(), requestID))
		queue := newLapsing(t, 15*time.Second)
		var handled tally
		var mu sync.Mutex
		var last time.Duration
		orders := map[webhook.Order]int{}
		receivers := make([]*webhook.Receiver, 2) // they are independent
		for i := range receivers {
			receivers[i] = newReceiver(t, webhook.WithQueue(queue), webhook.WithTracker(tracker), webhook.WithWorkers(2),
				webhook.WithSequencer(&unadvanced{order, began.Add(outage)}))
			webhook.OnAny(receivers[i], func(ctx context.Context, e *rawEvent) error {
				mu.Lock()
				defer mu.Unlock()
				last = time.Since(began)
				orders[e.Order]++
				return handled.note(ctx, e)
			})
		}
		put := func(i int, at models.Ticks) {
			body := notificationOf("error", "a", "s", int64(at), fmt.Sprintf(`{"id":"%d"}`, i))
			require.Equal(t, 200, serve(receivers[0], signed(t, body)).Code)
		}
		for i := range events {
			put(i, sentTicks)
		}
		both, stop := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, receiver := range receivers {
			all.Go(func() { assert.NoError(t, receiver.Run(both)) })
		}
		<-time.After(time.Minute)
		assert.Len(t, handled.times(), events)
		assert.Zero(t, queue.Len())
		mu.Lock()
		assert.Less(t, last, time.Second)
		mu.Unlock()
		<-time.After(2 * outage)
		for _, times := range handled.times() {
			assert.Equal(t, 1, times)
		}
		outcome, err := tracker.Outcome(t.Context(), requestID, time.Hour)
		require.NoError(t, err)
		assert.Equal(t, webhook.OutcomeFailed, outcome.State, "what could not be noted is noted later")
		for i := range events {
			put(i, sentTicks-1)
		}
		<-time.After(time.Minute)
		stop()
		all.Wait()
		assert.Equal(t, map[webhook.Order]int{webhook.OrderFresh: events, webhook.OrderStale: events}, orders)
	})
}

// The Tracker knows an event that waits behind others, because its write must
// not look successful meanwhile.
func TestATrackerHearsOfADeliveryBeforeTheQueueTakesIt(t *testing.T) {
	t.Parallel()
	for name, hangs := range map[string]bool{"its store answers": false, "its store hangs": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				writes, err := webhook.NewMemoryStore()
				require.NoError(t, err)
				store := &unrecorded{TrackerStore: writes, hangs: hangs}
				if hangs {
					store.until = time.Now().Add(time.Second)
				}
				tracker := newTracker(t, store)
				require.NoError(t, tracker.Register(t.Context(), requestID))
				q := newQueued(t, webhook.WithTracker(tracker))
				handleRest(q.Receiver)
				known := func() webhook.Outcome {
					outcome, err := tracker.Outcome(t.Context(), requestID, time.Hour)
					require.NoError(t, err)
					return outcome
				}
				began := time.Now()
				require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
				assert.LessOrEqual(t, time.Since(began), 50*time.Millisecond)
				if !hangs {
					assert.Equal(t, webhook.OutcomeFailed, known().State)
				}
				<-time.After(time.Second)
				q.run(t)
				synctest.Wait()
				assert.Equal(t, webhook.OutcomeFailed, known().State)
				require.NoError(t, q.Shutdown(t.Context()))
			})
		})
	}
}

// The notes that wait for an unavailable store are limited: further ones are
// dropped, and so are all at the end, without waiting. Each is reported.
func TestNotesThatWaitForAnAdviserAreBoundedAndReported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const room, events = 1 << 10, 1<<10 + 30
		order, err := webhook.NewMemoryStore()
		require.NoError(t, err)
		queue, err := webhook.NewMemoryQueue(events)
		require.NoError(t, err)
		var mu sync.Mutex
		dropped := 0
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithSequencer(&unadvanced{order, time.Now().Add(time.Hour)}),
			webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
				mu.Lock()
				defer mu.Unlock()
				if strings.Contains(err.Error(), "a note was dropped") {
					dropped++
				}
			}))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error { return nil })
		for i := range events {
			require.Equal(t, 200, serve(receiver, signed(t, contactOf(fmt.Sprint(i)))).Code)
		}
		var running sync.WaitGroup
		running.Go(func() { assert.NoError(t, receiver.Run(context.Background())) })
		<-time.After(time.Minute)
		assert.Zero(t, queue.Len())
		assert.EqualValues(t, events, receiver.Stats().Handled)
		mu.Lock()
		assert.Equal(t, events-room, dropped)
		mu.Unlock()
		began := time.Now()
		require.NoError(t, receiver.Shutdown(t.Context()))
		running.Wait()
		assert.Less(t, time.Since(began), time.Minute)
		mu.Lock()
		defer mu.Unlock()
		assert.Equal(t, events, dropped)
	})
}
