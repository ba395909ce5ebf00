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

func TestALostLeaseEndsTheContextOfItsHandlerFirst(t *testing.T) {
	t.Parallel()
	for _, lease := range []time.Duration{2 * time.Second, 15 * time.Second, 4 * time.Minute} {
		for _, hangs := range []bool{false, true} {
			t.Run(fmt.Sprint(lease, ", hangs: ", hangs), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					queue := newLapsing(t, lease)
					queue.hangs = hangs
					var mu sync.Mutex
					working, most, calls := 0, 0, 0
					handler := func(ctx context.Context, _ *rawEvent) error {
						mu.Lock()
						working++
						calls++
						first := calls == 1
						most = max(most, working)
						mu.Unlock()
						defer func() { mu.Lock(); defer mu.Unlock(); working-- }()
						if !first {
							return nil
						}
						queue.cutOff(true)
						time.AfterFunc(lease*3, func() { queue.cutOff(false) })
						select {
						case <-ctx.Done():
							return errOwn // a driver may return any error
						case <-time.After(10 * lease):
							return nil
						}
					}
					var processes sync.WaitGroup
					for i := range 2 { // a process does not begin a message that it is already handling
						receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithHandlerTimeout(time.Hour))
						webhook.OnAny(receiver, handler)
						putEvents(t, receiver, 1-i)
						processes.Go(func() { runWhile(t, receiver, 20*lease) })
					}
					processes.Wait()
					assert.GreaterOrEqual(t, calls, 2, "nobody knows that it was done")
					assert.Equal(t, 1, most, "handlers of one message at the same time")
					assert.Zero(t, queue.Len())
				})
			})
		}
	}
}

// Even a handler that ignores its context is the only one for its event, as
// long as claims can be stored.
func TestALostLeaseLeavesTheClaim(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 2} {
		t.Run(fmt.Sprint(processes, " processes"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { loseLease(t, processes) })
		})
	}
}

func loseLease(t *testing.T, processes int) {
	t.Helper()
	const lease = 2 * time.Second
	queue, claims := newLapsing(t, lease), newDeduplicator(t)
	var mu sync.Mutex
	working, most, effects := 0, 0, 0
	var receivers []*webhook.Receiver
	for range processes {
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(claims))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			mu.Lock()
			working++
			most = max(most, working)
			mu.Unlock()
			queue.cutOff(true)
			<-time.After(7 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			working--
			effects++
			return nil
		})
		receivers = append(receivers, receiver)
	}
	putEvents(t, receivers[0], 1)
	time.AfterFunc(5*time.Second, func() { queue.cutOff(false) })
	var all sync.WaitGroup
	for _, receiver := range receivers {
		all.Go(func() { runWhile(t, receiver, time.Minute) })
	}
	all.Wait()
	assert.Equal(t, 1, most)
	assert.Equal(t, 1, effects)
	assert.Zero(t, queue.Len())
}

func TestTheEndThatALostLeaseMadeIsNoAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, 4*time.Second)
		receiver := newReceiver(t, webhook.WithQueue(queue))
		var attempts []int
		webhook.OnAny(receiver, func(ctx context.Context, e *rawEvent) error {
			if attempts = append(attempts, e.Attempt); len(attempts) > 1 {
				return nil
			}
			queue.cutOff(true)
			<-ctx.Done()
			queue.cutOff(false) // just before the queue leases it to another worker
			return errOwn
		})
		putEvents(t, receiver, 1)
		runWhile(t, receiver, time.Minute)
		assert.Equal(t, []int{1, 1}, attempts)
	})
}

// A message that may have crashed two processes is handled alone, so that it
// affects no other. A single lapse is more likely due to another message.
func TestAMessageWhoseLeaseLapsedTwiceIsHandledAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, time.Minute)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithWorkers(4), webhook.WithRetryPolicy(quickPolicy()))
		working := map[string]bool{}
		var mu sync.Mutex
		var alone, dead int
		company := false
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			mu.Lock()
			working[e.ResourceID()] = true
			if working["6"] {
				assert.Len(t, working, 1)
				alone++
			}
			company = company || working["1"] && len(working) > 1
			mu.Unlock()
			<-time.After(time.Second)
			mu.Lock()
			defer mu.Unlock()
			delete(working, e.ResourceID())
			return nil
		})
		putEvents(t, receiver, 20)
		// Three processes crashed before, and this is the fourth.
		for i, lapsed := range map[int]int{2: 1, 7: 2, 8: 3} {
			queue.lapsed[messageIDs(t, queue)[i-1]] = lapsed
		}
		runWhile(t, receiver, time.Minute)
		for letter := range queue.DeadLetters(t.Context()) {
			dead++
			assert.Contains(t, letter.Reason, "without an outcome")
			assert.Contains(t, string(letter.Message.Body), `"id":"7"`)
		}
		assert.True(t, company)
		assert.Equal(t, 1, alone)
		assert.Equal(t, 1, dead)
		assert.EqualValues(t, 19, receiver.Stats().Handled)
		assert.Zero(t, queue.Len())
	})
}

// The lease belongs to the queue again, and another worker may hold it.
func TestAMessageWhoseLeaseEndedBeforeItBeganIsNotHandledUnderIt(t *testing.T) {
	t.Parallel()
	const lease = 15 * time.Second
	for _, stops := range []time.Duration{lease / 2, lease - time.Second, lease, 2 * lease} {
		t.Run(stops.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, began := newLapsing(t, lease), time.Now()
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithWorkers(1))
				var at []time.Duration
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
					at = append(at, time.Since(began))
					return nil
				})
				putEvents(t, receiver, 1)
				queue.stops = stops
				runWhile(t, receiver, time.Hour)
				require.Len(t, at, 1, "it is not lost, and not handled twice")
				if stops >= lease {
					assert.GreaterOrEqual(t, at[0], stops, "under a lease of its own")
				} else {
					assert.Equal(t, stops, at[0])
				}
			})
		})
	}
}
