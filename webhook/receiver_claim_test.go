package webhook_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// severed is the connection of one process to a Deduplicator, which can be cut.
type severed struct {
	webhook.Deduplicator
	cut atomic.Bool
}

func (s *severed) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	if s.cut.Load() {
		return 0, errDown
	}
	return s.Deduplicator.Claim(ctx, key, owner, lease)
}

func (s *severed) Commit(ctx context.Context, key string) error {
	if s.cut.Load() {
		return errDown
	}
	return s.Deduplicator.Commit(ctx, key)
}

// together counts the concurrent handlers of one event.
type together struct{ working, most, effects atomic.Int32 }

// handle has an effect unless its context ends first.
func (c *together) handle(ctx context.Context, takes time.Duration) error {
	now := c.working.Add(1)
	defer c.working.Add(-1)
	for most := c.most.Load(); now > most && !c.most.CompareAndSwap(most, now); most = c.most.Load() {
	}
	if err := backoff.Sleep(ctx, takes); err != nil {
		return err
	}
	c.effects.Add(1)
	return nil
}

func TestALostClaimEndsTheContextOfItsHandlerFirst(t *testing.T) {
	t.Parallel()
	for _, lease := range []time.Duration{2 * time.Second, 15 * time.Second} {
		t.Run(lease.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, shared := newLapsing(t, lease), newDeduplicator(t)
				var c together
				var begun atomic.Int32
				var all sync.WaitGroup
				for i := range 2 {
					store := &severed{Deduplicator: shared}
					receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithWorkers(1))
					webhook.OnAny(receiver, func(ctx context.Context, _ *rawEvent) error {
						if begun.Add(1) == 1 { // the queue is still reachable
							store.cut.Store(true)
							time.AfterFunc(4*lease, func() { store.cut.Store(false) })
						}
						return c.handle(ctx, 3*lease)
					})
					if i == 0 {
						putEvents(t, receiver, 1)
						putEvents(t, receiver, 1) // through a second subscription
					}
					all.Go(func() { runWhile(t, receiver, 30*lease) })
				}
				all.Wait()
				assert.EqualValues(t, 1, c.most.Load(), "at once")
				assert.EqualValues(t, 1, c.effects.Load())
				assert.Zero(t, queue.Len())
			})
		})
	}
}

func TestAClaimLastsAsLongAsItsHandler(t *testing.T) {
	t.Parallel()
	t.Run("within requests", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			known := webhook.WithDeduplicator(newDeduplicator(t))
			var c together
			receivers := []*webhook.Receiver{newReceiver(t, known), newReceiver(t, known)}
			for i, receiver := range receivers {
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
					return c.handle(context.Background(), 30*time.Second) // it outlives its request
				})
				assert.Equal(t, 503, serve(receiver, signed(t, contactOf("1"))).Code, i)
				<-time.After(10 * time.Second)
			}
			for _, receiver := range receivers {
				require.NoError(t, receiver.Shutdown(t.Context()))
			}
			assert.EqualValues(t, 1, c.most.Load(), "at once")
			assert.EqualValues(t, 1, c.effects.Load())
		})
	})
	t.Run("in a queue whose leases do not end", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			memory, err := webhook.NewMemoryQueue(10)
			require.NoError(t, err)
			known := newDeduplicator(t)
			var c together
			var all sync.WaitGroup
			for i := range 2 {
				receiver := newReceiver(t, webhook.WithQueue(memory), webhook.WithDeduplicator(known), webhook.WithHandlerTimeout(time.Second))
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error { return c.handle(context.Background(), time.Minute) })
				if i == 0 {
					putEvents(t, receiver, 1)
					putEvents(t, receiver, 1)
				}
				all.Go(func() { runWhile(t, receiver, 5*time.Minute) })
			}
			all.Wait()
			assert.EqualValues(t, 1, c.most.Load(), "at once")
			assert.EqualValues(t, 1, c.effects.Load())
		})
	})
}

func TestAnEventOfAQueueInMemoryIsHandledOnceThroughAnOutageOfCommits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory, err := webhook.NewMemoryQueue(10)
		require.NoError(t, err)
		store := &uncommitted{Deduplicator: newDeduplicator(t), until: time.Now().Add(10 * time.Minute)}
		var handled tally
		var all sync.WaitGroup
		for i := range 2 { // like two subscriptions of one process
			receiver := newReceiver(t, webhook.WithQueue(memory), webhook.WithDeduplicator(store), webhook.WithWorkers(2))
			webhook.OnAny(receiver, handled.note)
			putEvents(t, receiver, 1-i)
			putEvents(t, receiver, 1-i)
			all.Go(func() { runWhile(t, receiver, 15*time.Minute) })
		}
		all.Wait()
		require.Len(t, handled.times(), 1)
		for _, times := range handled.times() {
			assert.Equal(t, 1, times)
		}
		assert.Zero(t, memory.Len())
	})
}

func TestADeduplicatorThatHangsCostsNoLeaseOfTheQueue(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ lease, limit time.Duration }{
		{2 * time.Second, 2 * time.Second}, {15 * time.Second, 12 * time.Second}, {15 * time.Second, 2 * time.Second},
	} {
		t.Run(fmt.Sprint(test.lease, ", ", test.limit), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, store := newLapsing(t, test.lease), &hanging{}
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithStoreTimeout(test.limit))
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
					store.hangFor(time.Minute)
					<-time.After(5 * test.lease)
					return nil
				})
				putEvents(t, receiver, 1)
				runWhile(t, receiver, 5*time.Minute)
				assert.Empty(t, queue.lapsed)
				assert.Zero(t, queue.Len())
			})
		})
	}
}

// dawdling is a Deduplicator that releases a claim only after the caller has
// given up.
type dawdling struct {
	webhook.Deduplicator
	late time.Duration
}

func (d *dawdling) Release(ctx context.Context, key, owner string) error {
	time.AfterFunc(d.late, func() { _ = d.Deduplicator.Release(context.Background(), key, owner) })
	<-ctx.Done()
	return ctx.Err()
}

func TestALateReleaseDoesNotFreeTheNextAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, 15*time.Second)
		store := &dawdling{newDeduplicator(t), 4 * time.Second}
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithRetryPolicy(quickPolicy()))
		var c together
		var calls atomic.Int32
		webhook.OnAny(receiver, func(ctx context.Context, _ *rawEvent) error {
			if calls.Add(1) == 1 {
				return errOwn
			}
			return c.handle(ctx, 4*time.Second)
		})
		putEvents(t, receiver, 1)
		for at := range 8 {
			time.AfterFunc(time.Duration(at)*time.Second, func() { serve(receiver, signed(t, contactOf("0"))) })
		}
		runWhile(t, receiver, time.Minute)
		assert.EqualValues(t, 1, c.most.Load(), "at once")
		assert.EqualValues(t, 1, c.effects.Load())
		assert.Zero(t, queue.Len())
	})
}

func TestAClaimIsRenewedOnlyAsLongAsItsHandlersRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &claimCounter{Deduplicator: newDeduplicator(t)}
		receiver := newReceiver(t, webhook.WithDeduplicator(store))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			<-time.After(time.Minute) // much longer than the request
			return nil
		})
		require.Equal(t, 503, serve(receiver, signed(t, contactOf("1"))).Code)
		require.NoError(t, receiver.Shutdown(t.Context()))
		synctest.Wait()
		claims := store.count()
		assert.Greater(t, claims, 1, "it was renewed")
		<-time.After(time.Hour)
		assert.Equal(t, claims, store.count())
	})
}

// stolen is a Deduplicator whose claims another owner takes over as soon as
// possible.
type stolen struct {
	webhook.Deduplicator
	claims atomic.Int32
}

func (s *stolen) Claim(context.Context, string, string, time.Duration) (webhook.Claim, error) {
	if s.claims.Add(1) == 1 {
		return webhook.ClaimNew, nil
	}
	return webhook.ClaimInProgress, nil
}

func TestAClaimThatIsLostAfterTheAnswerEndsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &stolen{Deduplicator: newDeduplicator(t)}
		receiver := newReceiver(t, webhook.WithDeduplicator(store))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error { <-time.After(time.Minute); return nil })
		require.Equal(t, 503, serve(receiver, signed(t, sample(t, "error"))).Code)
		require.NoError(t, receiver.Shutdown(t.Context()))
		assert.Greater(t, store.claims.Load(), int32(1))
		assert.EqualValues(t, 1, receiver.Stats().Handled)
	})
}

func TestAnEventWithoutAHandlerIsNotClaimed(t *testing.T) {
	t.Parallel()
	store := &claimCounter{Deduplicator: newDeduplicator(t)}
	receiver := newReceiver(t, webhook.WithDeduplicator(store), webhook.WithTracker(newTracker(t, nil)))
	body := sample(t, "matter-updated")
	require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	assert.Zero(t, store.count())
	assert.Equal(t, webhook.Stats{Accepted: 1}, receiver.Stats())
	events := handleRest(receiver)
	require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	assert.Len(t, *events, 1, "it may come again for a handler that was added")
}
