package webhook_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

func TestShutdownDrainsAQueueThatDoesNotSurvive(t *testing.T) {
	t.Parallel()
	for name, running := range map[string]bool{"while it runs": true, "after Run has ended": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := newQueued(t, webhook.WithWorkers(2))
				handled, failing := 0, 2
				var mu sync.Mutex
				webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
					<-time.After(time.Second)
					mu.Lock()
					defer mu.Unlock()
					if failing > 0 {
						failing--
						return errOwn
					}
					handled++
					return nil
				})
				for range 20 {
					require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
				}
				stop := q.run(t)
				<-time.After(1500 * time.Millisecond) // two have failed and wait, and two are being handled
				if !running {
					stop()
				}
				require.NoError(t, q.Shutdown(t.Context()))
				assert.Equal(t, 20, handled)
				assert.Zero(t, q.queue.Len())
				assert.Equal(t, 503, serve(q, signed(t, sample(t, "error"))).Code, "nobody would handle it")
			})
		})
	}
}

func TestShutdownGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t)
		webhook.OnAny(q.Receiver, func(ctx context.Context, _ *rawEvent) error {
			<-ctx.Done()
			<-time.After(time.Second) // it is slow to go
			return ctx.Err()
		})
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		require.ErrorIs(t, q.Shutdown(ctx), context.DeadlineExceeded)
		assert.Equal(t, 5*time.Second, time.Since(began))
		assert.Equal(t, 1, q.queue.Len(), "it is not handled")
		<-time.After(2 * time.Second)
	})
}

func TestRunEndsWithItsContextAndGivesBackWhatItWasHandling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithDeduplicator(newDeduplicator(t)))
		var attempts []error
		webhook.OnAny(q.Receiver, func(ctx context.Context, _ *rawEvent) error {
			if len(attempts) == 0 {
				<-ctx.Done()
			}
			attempts = append(attempts, ctx.Err())
			return ctx.Err()
		})
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		stop := q.run(t)
		synctest.Wait()
		stop()
		assert.Empty(t, q.reported, "that is no failure")
		stop = q.run(t)
		synctest.Wait()
		stop()
		assert.Equal(t, []error{context.Canceled, nil}, attempts)
		assert.Zero(t, q.queue.Len())
	})
}

func TestShutdownAddsNoWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithWorkers(2))
		var mu sync.Mutex
		inside, most, handled := 0, 0, 0
		add := func(n int) {
			mu.Lock()
			defer mu.Unlock()
			inside += n
			most = max(most, inside)
			handled += max(n, 0)
		}
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			add(1)
			<-time.After(time.Second)
			add(-1)
			return nil
		})
		for range 20 {
			require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		}
		q.run(t)
		<-time.After(1500 * time.Millisecond)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() { assert.NoError(t, q.Shutdown(t.Context())) })
		}
		all.Wait()
		assert.Equal(t, 20, handled)
		assert.Equal(t, 2, most)
	})
}

// Otherwise all its attempts would be made within a moment, and the dead letter
// would be lost with the process.
func TestAnEventWhoseHandlersFailForSomeSecondsSurvivesAShutdown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithRetryPolicy(webhook.DefaultRetryPolicy()))
		began, handled := time.Now(), 0
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			if time.Since(began) < 5*time.Second {
				return webhook.RetryAfter(errOwn, 10*time.Minute)
			}
			handled++
			return nil
		})
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		require.NoError(t, q.Shutdown(ctx))
		assert.Equal(t, 1, handled)
		assert.Empty(t, q.deadLetters(t))
	})
}

func TestRunNeedsAQueue(t *testing.T) {
	t.Parallel()
	requireConfigError(t, newReceiver(t).Run(t.Context()), "WithQueue")
}

// deadly is a queue whose only message was leased often before, by processes
// that crashed.
type deadly struct {
	webhook.Queue
	attempts int
}

type deadlyJob struct {
	webhook.Job
	attempts int
}

func (j deadlyJob) Attempt() int { return j.attempts }

func (q *deadly) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.Queue.Take(ctx)
	return deadlyJob{job, q.attempts}, err
}
