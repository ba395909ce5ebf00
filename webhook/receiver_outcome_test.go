package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// sentinels returns the errors of the package that a handler may get from other
// code and return.
func sentinels() []error {
	return []error{
		webhook.ErrNoSignature, webhook.ErrBadSignature, webhook.ErrBadTimestamp, webhook.ErrTooOld, webhook.ErrTooNew,
		webhook.ErrMethod, webhook.ErrBodyTooLarge, webhook.ErrBodyUnreadable, webhook.ErrMalformed, webhook.ErrHandler,
		webhook.ErrUnfinished, webhook.ErrInProgress, webhook.ErrStore, webhook.ErrQueueFull, webhook.ErrQueueClosed,
		webhook.ErrNoDeadLetter, webhook.ErrNotTracked,
	}
}

// A handler may call other code of this package, whose errors must not affect
// the handling of its own event.
func TestAnErrorOfAHandlerIsOneWhateverItWraps(t *testing.T) {
	t.Parallel()
	for _, sentinel := range sentinels() {
		t.Run(sentinel.Error(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				fail := func(context.Context, *rawEvent) error { return fmt.Errorf("own: %w", sentinel) }
				receiver := newReceiver(t)
				webhook.OnAny(receiver, fail)
				assert.Equal(t, 500, serve(receiver, signed(t, sample(t, "error"))).Code)
				assert.Equal(t, map[error]uint64{webhook.ErrHandler: 1}, receiver.Refusals())

				q := newQueued(t)
				webhook.OnAny(q.Receiver, fail)
				q.run(t)
				require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
				<-time.After(time.Minute)
				synctest.Wait()
				letters := q.deadLetters(t)
				require.Len(t, letters, 1)
				assert.Equal(t, quickPolicy().Attempts, letters[0].Attempts, "it has all its attempts")
				require.NoError(t, q.Shutdown(t.Context()))
			})
		})
	}
}

func TestAHandlerMaySayNeverAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		final := func(context.Context, *rawEvent) error { return fmt.Errorf("own: %w", webhook.Permanent(errOwn)) }
		var reported []*webhook.DeliveryError
		receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)), failures(&reported))
		webhook.OnAny(receiver, final)
		for range 2 {
			assert.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code, "the service must not send it again")
		}
		require.Len(t, reported, 1)
		require.ErrorIs(t, reported[0], errOwn)
		assert.Equal(t, webhook.Stats{Accepted: 2, Failed: 1, Duplicates: 1}, receiver.Stats())

		q := newQueued(t, webhook.WithDeduplicator(newDeduplicator(t)))
		calls := 0
		webhook.OnAny(q.Receiver, func(ctx context.Context, e *rawEvent) error {
			if calls++; calls > 1 {
				return nil
			}
			return final(ctx, e)
		})
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		synctest.Wait()
		letters := q.deadLetters(t)
		require.Len(t, letters, 1)
		assert.Equal(t, 1, letters[0].Attempts)
		assert.Contains(t, letters[0].Reason, errOwn.Error())
		require.NoError(t, q.queue.Replay(t.Context(), letters[0].ID))
		synctest.Wait()
		assert.Equal(t, 2, calls, "a replay is a new beginning")
		assert.Empty(t, q.deadLetters(t))
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestAHandlerMaySayWhenToTryAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		wait   time.Duration
		header string
	}{
		{10 * time.Minute, "600"}, {1500 * time.Millisecond, "2"}, {1, "1"}, {0, "0"}, {-time.Hour, "0"},
		{math.MaxInt64, "9223372037"},
	} {
		t.Run(test.wait.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				later := func(context.Context, *rawEvent) error { return webhook.RetryAfter(errOwn, test.wait) }
				receiver := newReceiver(t)
				webhook.OnAny(receiver, later)
				answer := serve(receiver, signed(t, sample(t, "error")))
				assert.Equal(t, 503, answer.Code)
				assert.Equal(t, test.header, answer.Header().Get("Retry-After"))
				assert.Equal(t, map[error]uint64{webhook.ErrHandler: 1}, receiver.Refusals())

				q := newQueued(t)
				var at []time.Duration
				began := time.Now()
				webhook.OnAny(q.Receiver, func(ctx context.Context, e *rawEvent) error {
					at = append(at, time.Since(began))
					if len(at) == 1 {
						return later(ctx, e)
					}
					return nil
				})
				stop := q.run(t)
				require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
				<-time.After(20 * time.Minute)
				synctest.Wait()
				want := []time.Duration{0, max(test.wait, 0)}
				if test.wait > 20*time.Minute {
					want = want[:1]
				}
				assert.Equal(t, want, at)
				stop()
			})
		})
	}
}

func TestAMarkOnNoErrorIsNone(t *testing.T) {
	t.Parallel()
	require.NoError(t, webhook.Permanent(nil))
	require.NoError(t, webhook.RetryAfter(nil, time.Hour))
	for _, err := range []error{webhook.Permanent(errOwn), webhook.RetryAfter(errOwn, 1)} {
		require.ErrorIs(t, err, errOwn)
		assert.Equal(t, errOwn.Error(), err.Error())
	}
	assert.NotErrorIs(t, webhook.Permanent(errOwn), errors.ErrUnsupported)
}

// quick is a queue that leases a returned message again before the worker gets
// the response to its return.
type quick struct {
	webhook.Queue
	again chan struct{} // closed when the message is handled again
}

type quickJob struct {
	webhook.Job
	again <-chan struct{}
}

func (j quickJob) Retry(ctx context.Context, after time.Duration) error {
	err := j.Job.Retry(ctx, after)
	select {
	case <-j.again:
	case <-ctx.Done():
	}
	return err
}

func (q *quick) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.Queue.Take(ctx)
	return quickJob{job, q.again}, err
}

func TestAMessageThatComesBackAtOnceIsHandledAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory, err := webhook.NewMemoryQueue(1)
		require.NoError(t, err)
		queue := &quick{Queue: memory, again: make(chan struct{})}
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithWorkers(2))
		began := time.Now()
		var at []time.Duration
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			at = append(at, time.Since(began))
			if len(at) == 1 {
				return webhook.RetryAfter(errOwn, 0)
			}
			close(queue.again)
			return nil
		})
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		require.NoError(t, receiver.Run(ctx))
		assert.Equal(t, []time.Duration{0, 0}, at)
	})
}
