package webhook_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// partial is a Deduplicator that fails for some keys, like a cluster that has
// lost a server.
type partial struct {
	webhook.Deduplicator
	bad func(key string) bool
}

func (p *partial) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	if p.bad(key) {
		return 0, errDown
	}
	return p.Deduplicator.Claim(ctx, key, owner, lease)
}

func TestAStoreThatFailsForSomeMessagesStopsNoOthers(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var failing atomic.Bool
				failing.Store(true)
				store := &partial{newDeduplicator(t), func(key string) bool { return failing.Load() && key[0]%3 == 0 }}
				queue := newLapsing(t, time.Minute)
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithWorkers(workers))
				var handled tally
				webhook.OnAny(receiver, handled.note)
				putEvents(t, receiver, 300)
				runWhile(t, receiver, 20*time.Second)
				bad := queue.Len()
				assert.Len(t, handled.times(), 300-bad, "those whose keys live")
				assert.Greater(t, bad, 50)
				assert.Less(t, bad, 150)
				failing.Store(false)
				runWhile(t, receiver, 2*time.Minute)
				assert.Len(t, handled.times(), 300)
				assert.Zero(t, receiver.Stats().DeadLetters, "it was no attempt")
				for id, times := range handled.times() {
					assert.Equal(t, 1, times, id)
				}
			})
		})
	}
}

func TestRunDoesNotWaitForAQueueThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, time.Hour)
		queue.hangs = true
		receiver := newReceiver(t, webhook.WithQueue(queue))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error { queue.cutOff(true); return nil })
		putEvents(t, receiver, 4)
		began := time.Now()
		runWhile(t, receiver, time.Second)
		assert.LessOrEqual(t, time.Since(began), 6*time.Second)
		assert.EqualValues(t, 4, receiver.Stats().Handled)
	})
}

func TestAStoreThatFailsForEveryMessageSlowsTheWorkersDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, time.Minute)
		var claims atomic.Int64
		store := &partial{newDeduplicator(t), func(string) bool { claims.Add(1); return true }}
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithWorkers(4))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error { return nil })
		putEvents(t, receiver, 500)
		runWhile(t, receiver, 20*time.Second)
		assert.LessOrEqual(t, claims.Load(), int64(10+4*21), "after some in a row each worker waits for a second")
		assert.Equal(t, 500, queue.Len())
	})
}

func TestHandlersThatGoOnAfterTheirTimeAreReportedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reported := make(chan error, 4)
		q := newQueued(t, webhook.WithHandlerTimeout(time.Minute), webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
			reported <- err
		}))
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			<-time.After(10 * time.Minute)
			return nil
		})
		putEvents(t, q.Receiver, 1)
		runWhile(t, q.Receiver, time.Hour)
		require.Len(t, reported, 1)
		require.ErrorIs(t, <-reported, webhook.ErrUnfinished)
		assert.EqualValues(t, 1, q.Stats().Overdue)
		assert.EqualValues(t, 1, q.Stats().Handled, "and in the end it was handled")
	})
}
