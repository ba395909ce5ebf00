package webhook_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// unrecorded is a TrackerStore that temporarily cannot record failures: it
// returns an error or hangs.
type unrecorded struct {
	webhook.TrackerStore
	until time.Time
	hangs bool
}

func (u *unrecorded) Record(ctx context.Context, key string, failure webhook.WriteError) error {
	switch away := time.Now().Before(u.until); {
	case away && u.hangs:
		return pauseOver(ctx)
	case away:
		return errDown
	}
	return u.TrackerStore.Record(ctx, key, failure)
}

// Its write must not look successful, and nothing but the message remembers
// it.
func TestAnErrorEventWaitsForTheTrackerAndHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	for name, hangs := range map[string]bool{"its store is down": false, "its store hangs": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const others, outage = 200, 5 * time.Minute
				began := time.Now()
				writes, err := webhook.NewMemoryStore()
				require.NoError(t, err)
				tracker := newTracker(t, &unrecorded{writes, began.Add(outage), hangs})
				require.NoError(t, tracker.Register(t.Context(), requestID))
				queue := newLapsing(t, 15*time.Second)
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithTracker(tracker), webhook.WithSerialRecords())
				var mu sync.Mutex
				var last time.Duration // of the other events
				var failed []error     // what is known when the error event is handled
				webhook.OnAny(receiver, func(ctx context.Context, e *rawEvent) error {
					mu.Lock()
					defer mu.Unlock()
					if e.Type == "error" {
						failed = append(failed, tracker.Failure(ctx, requestID))
					} else {
						last = time.Since(began)
					}
					return nil
				})
				require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
				for i := range others {
					require.Equal(t, 200, serve(receiver, signed(t, contactOf(fmt.Sprint(i)))).Code)
				}
				runWhile(t, receiver, time.Minute)
				assert.Less(t, last, 5*time.Second)
				assert.Equal(t, 1, queue.Len())
				require.NoError(t, tracker.Failure(t.Context(), requestID))
				runWhile(t, receiver, 2*outage)
				require.Len(t, failed, 1)
				require.Error(t, failed[0])
				assert.Zero(t, queue.Len())
				assert.Zero(t, receiver.Stats().Failed)
			})
		})
	}
}

// The Tracker knows an event that waits behind others, because its write must
// not look successful meanwhile.
func TestATrackerHearsOfAFailureBeforeTheQueueTakesIt(t *testing.T) {
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
				began := time.Now()
				require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
				assert.LessOrEqual(t, time.Since(began), 50*time.Millisecond)
				if !hangs {
					require.Error(t, tracker.Failure(t.Context(), requestID))
				}
				<-time.After(time.Second)
				q.run(t)
				synctest.Wait()
				require.Error(t, tracker.Failure(t.Context(), requestID))
				require.NoError(t, q.Shutdown(t.Context()))
			})
		})
	}
}
