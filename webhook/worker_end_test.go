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
