package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// queued is a running receiver with a memory queue.
type queued struct {
	*webhook.Receiver
	queue *webhook.MemoryQueue

	mu       sync.Mutex
	reported []*webhook.DeliveryError
}

// quickPolicy makes three attempts, with waits of one and two seconds.
func quickPolicy() webhook.RetryPolicy {
	return webhook.RetryPolicy{Attempts: 3, First: time.Second, Max: time.Minute}
}

func newQueued(t *testing.T, options ...webhook.Option) *queued {
	t.Helper()
	queue, err := webhook.NewMemoryQueue(100)
	require.NoError(t, err)
	q := &queued{queue: queue}
	q.Receiver = newReceiver(t, append([]webhook.Option{
		webhook.WithQueue(queue), webhook.WithRetryPolicy(quickPolicy()),
		webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.reported = append(q.reported, err)
		}),
	}, options...)...)
	return q
}

// run runs the receiver until the test ends or stop is called.
func (q *queued) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { assert.NoError(t, q.Run(ctx)) })
	stop = func() {
		cancel()
		running.Wait()
	}
	t.Cleanup(stop)
	return stop
}

func (q *queued) deadLetters(t *testing.T) []webhook.DeadLetter {
	t.Helper()
	var all []webhook.DeadLetter
	for letter, err := range q.queue.DeadLetters(t.Context()) {
		require.NoError(t, err)
		all = append(all, letter)
	}
	return all
}

func TestAQueuedDeliveryIsAcknowledgedFirstAndHandledLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t)
		events := handleRest(q.Receiver)
		began := time.Now()
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			<-time.After(30 * time.Second) // longer than the service waits
			return nil
		})
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		assert.Empty(t, *events)
		assert.Equal(t, 1, q.queue.Len())
		q.run(t)
		synctest.Wait()
		require.Len(t, *events, 1)
		e := (*events)[0]
		assert.Equal(t, requestID, e.RequestID)
		assert.Equal(t, requestID, e.Verified.RequestID)
		assert.Equal(t, sentTicks, e.Verified.SentAt)
		assert.True(t, e.Verified.Signed())
		assert.True(t, e.Verified.Signature.IsZero(), "it could be used again, so it is not stored")
		assert.Equal(t, sample(t, "error"), []byte(e.Raw))
		require.NoError(t, q.Shutdown(t.Context()))
		assert.Equal(t, 30*time.Second, time.Since(began))
		assert.Equal(t, webhook.Stats{Accepted: 1, Queued: 1, Handled: 1}, q.Stats())
		assert.Zero(t, q.queue.Len())
	})
}

func TestAQueuedReceiverStoresWhateverIsSignedAndHasAType(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t)
		events := handle(q.Receiver, models.EventTypeMatterUpdated)
		assert.Equal(t, 401, serve(q, signedWith(t, "wrong", clock(), requestID, sample(t, "error"))).Code)
		assert.Equal(t, 400, serve(q, signed(t, []byte(`{"payload":7}`))).Code)
		assert.Zero(t, q.queue.Len())
		unreadable := []byte(`{"type":"matter.updated","payload":7}`) // to this version of the handler
		assert.Equal(t, 200, serve(q, signed(t, unreadable)).Code)
		q.run(t)
		synctest.Wait()
		letters := q.deadLetters(t)
		require.Len(t, letters, 1, "to be replayed to another")
		assert.Equal(t, 1, letters[0].Attempts)
		assert.Contains(t, letters[0].Reason, webhook.ErrMalformed.Error())
		assert.Equal(t, unreadable, letters[0].Message.Body)
		assert.Empty(t, *events)
		assert.Zero(t, q.Stats().Failed, "no handler did")
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestHandlersOfAQueueHaveAMinuteUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	for limit, options := range map[time.Duration][]webhook.Option{
		webhook.DefaultHandlerTimeout: nil, time.Second: {webhook.WithHandlerTimeout(time.Second)},
	} {
		synctest.Test(t, func(t *testing.T) {
			q := newQueued(t, options...)
			var had time.Duration
			webhook.OnAny(q.Receiver, func(ctx context.Context, _ *rawEvent) error {
				end, limited := ctx.Deadline()
				assert.True(t, limited)
				had = time.Until(end)
				return nil
			})
			q.run(t)
			require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
			synctest.Wait()
			assert.Equal(t, limit, had)
			require.NoError(t, q.Shutdown(t.Context()))
		})
	}
}

func TestTheShortestWaitIsAWaitAsWell(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 3, First: 1, Max: 1}))
		calls := 0
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error { calls++; return errOwn })
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(time.Second)
		synctest.Wait()
		assert.Equal(t, 3, calls)
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

// The queue preserves the order of messages with a record, whichever process
// handles them.
func TestAMessageNamesItsRecordWhenItsOrderCounts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		options []webhook.Option
		leased  int
	}{"in order": {[]webhook.Option{webhook.WithSerialRecords()}, 1}, "in any order": {nil, 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				q := newQueued(t, test.options...)
				for _, at := range []int64{20, 21} {
					require.Equal(t, 200, serve(q, signed(t, notificationOf("fee.updated", "a", "s", at, `{"id":"1"}`))).Code)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				leased := 0
				for job, err := q.queue.Take(ctx); err == nil; job, err = q.queue.Take(ctx) {
					assert.Equal(t, test.options != nil, len(job.Message().Record) == 64)
					leased++
				}
				assert.Equal(t, test.leased, leased)
			})
		})
	}
}

func TestMessagesOfTwoQueuesHaveNoIDInCommon(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for range 2 {
		q := newQueued(t)
		for range 2 {
			require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
			job, err := q.queue.Take(t.Context())
			require.NoError(t, err)
			ids[job.ID()] = true
		}
	}
	assert.Len(t, ids, 4)
}

// The event was delivered twice, and both messages are taken at the same time.
func TestTwoMessagesOfOneEventAreNotHandledTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithDeduplicator(newDeduplicator(t)), webhook.WithWorkers(2))
		calls := 0
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			calls++
			<-time.After(10 * time.Second)
			return nil
		})
		for range 2 {
			require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		}
		q.run(t)
		<-time.After(time.Minute)
		synctest.Wait()
		assert.Equal(t, 1, calls)
		assert.EqualValues(t, 1, q.Stats().Duplicates)
		assert.Zero(t, q.Stats().Failed, "one that waits for the other has not failed")
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestAFailedAttemptIsRepeatedLaterAndLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithDeduplicator(newDeduplicator(t)))
		var at []time.Duration
		began := time.Now()
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			at = append(at, time.Since(began))
			switch len(at) {
			case 1:
				return errOwn
			case 2:
				runtime.Goexit()
			}
			return nil
		})
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(time.Minute)
		synctest.Wait()
		require.Len(t, at, 3)
		first, second := at[1]-at[0], at[2]-at[1]
		assert.True(t, first >= time.Second/2 && first <= time.Second, "%v", first)
		assert.True(t, second >= time.Second && second <= 2*time.Second, "%v", second)
		require.Len(t, q.reported, 2)
		assert.Equal(t, 1, q.reported[0].Attempt)
		assert.False(t, q.reported[0].Dead)
		require.ErrorIs(t, q.reported[0], errOwn)
		assert.Contains(t, q.reported[0].Error(), "attempt 1 to handle a queued delivery")
		assert.Equal(t, webhook.Stats{Accepted: 1, Queued: 1, Handled: 1, Failed: 2, Retries: 2}, q.Stats())
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestAMessageThatKeepsFailingBecomesADeadLetterAndCanBeReplayed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithDeduplicator(newDeduplicator(t)))
		broken, calls, began := true, 0, time.Now()
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			if calls++; broken {
				return errOwn
			}
			return nil
		})
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(time.Minute)
		synctest.Wait()
		assert.Equal(t, 3, calls)
		letters := q.deadLetters(t)
		require.Len(t, letters, 1)
		assert.Equal(t, 3, letters[0].Attempts)
		assert.Equal(t, "webhook: a handler failed: "+errOwn.Error(), letters[0].Reason)
		assert.Equal(t, sample(t, "error"), letters[0].Message.Body)
		assert.NotEmpty(t, letters[0].ID)
		assert.False(t, letters[0].At.Before(began), "the time is known")
		last := q.reported[len(q.reported)-1]
		assert.True(t, last.Dead)
		assert.Contains(t, last.Error(), "became a dead letter after attempt 3")
		assert.Equal(t, webhook.Stats{Accepted: 1, Queued: 1, Failed: 3, Retries: 2, DeadLetters: 1}, q.Stats())

		broken = false
		require.NoError(t, q.queue.Replay(t.Context(), letters[0].ID))
		synctest.Wait()
		assert.Equal(t, 4, calls)
		assert.Empty(t, q.deadLetters(t))
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

// Such a message comes from a receiver with other handlers.
func TestAMessageThatCannotBeReadIsGivenUpAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t)
		handle(q.Receiver, models.EventTypeMatterUpdated)
		for _, body := range []string{`{"type":"matter.updated","payload":7}`, `{`} {
			require.NoError(t, q.queue.Put(t.Context(), webhook.Message{Identity: body, Body: []byte(body)}))
		}
		q.run(t)
		synctest.Wait()
		require.Len(t, q.deadLetters(t), 2)
		for _, err := range q.reported {
			require.ErrorIs(t, err, webhook.ErrMalformed)
		}
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestDuplicatesInTheQueueAreHandledOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithDeduplicator(newDeduplicator(t)), webhook.WithWorkers(8))
		calls := 0
		webhook.OnAny(q.Receiver, func(context.Context, *rawEvent) error {
			calls++
			<-time.After(time.Second)
			return nil
		})
		for range 8 {
			require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		}
		q.run(t)
		<-time.After(time.Minute)
		synctest.Wait()
		assert.Equal(t, 1, calls)
		assert.Zero(t, q.queue.Len())
		assert.Empty(t, q.deadLetters(t), "waiting for another is no failure")
		assert.Empty(t, q.reported)
		assert.EqualValues(t, 7, q.Stats().Duplicates)
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestAFullQueueRefusesIsCountedAndAlarms(t *testing.T) {
	t.Parallel()
	q := newQueued(t)
	for i := range 100 {
		require.Equal(t, 200, serve(q, signed(t, fmt.Appendf(nil, `{"type":"n.%d"}`, i))).Code)
	}
	require.Equal(t, 503, serve(q, signed(t, sample(t, "error"))).Code)
	require.Len(t, q.reported, 1)
	require.ErrorIs(t, q.reported[0], webhook.ErrQueueFull)
	assert.Equal(t, 503, q.reported[0].Status)
	assert.Equal(t, webhook.Stats{Accepted: 100, Queued: 100, QueueFull: 1, Refused: 1}, q.Stats())
	assert.Equal(t, map[error]uint64{webhook.ErrStore: 1}, q.Refusals())
}

// slowQueue never responds, and ignores its context.
type slowQueue struct {
	webhook.Queue
	release chan struct{}
}

func (q slowQueue) Put(context.Context, webhook.Message) error { <-q.release; return nil }
func (q slowQueue) Drain() bool                                { return false }

func TestTheAnswerDoesNotWaitForAQueueThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := slowQueue{release: make(chan struct{})}
		receiver := newReceiver(t, webhook.WithQueue(queue))
		began := time.Now()
		assert.Equal(t, 503, serve(receiver, signed(t, sample(t, "error"))).Code)
		assert.Equal(t, webhook.DefaultDeadline, time.Since(began))
		close(queue.release)
		require.NoError(t, receiver.Shutdown(t.Context()))
	})
}

func TestAHandlerOfTheQueueHasItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueued(t, webhook.WithHandlerTimeout(20*time.Second))
		var took time.Duration
		webhook.OnAny(q.Receiver, func(ctx context.Context, _ *rawEvent) error {
			began := time.Now()
			<-ctx.Done()
			took = time.Since(began)
			return ctx.Err()
		})
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(20*time.Second + time.Millisecond)
		synctest.Wait()
		assert.Equal(t, 20*time.Second, took)
		require.Len(t, q.reported, 1)
		require.ErrorIs(t, q.reported[0], webhook.ErrUnfinished)
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestAMessageThatKillsItsProcessesIsGivenUp(t *testing.T) {
	t.Parallel()
	for attempt, handled := range map[int]bool{3: true, 4: false} {
		synctest.Test(t, func(t *testing.T) {
			memory, err := webhook.NewMemoryQueue(1)
			require.NoError(t, err)
			receiver := newReceiver(t, webhook.WithQueue(&deadly{memory, attempt}), webhook.WithRetryPolicy(quickPolicy()))
			events := handleRest(receiver)
			require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			require.NoError(t, receiver.Run(ctx))
			assert.Equal(t, handled, len(*events) == 1)
			for letter := range memory.DeadLetters(ctx) {
				assert.Contains(t, letter.Reason, "the last attempt ended without an outcome")
			}
			assert.Equal(t, !handled, receiver.Stats().DeadLetters == 1)
		})
	}
}

// flaky implements stores that fail a number of times.
type flaky struct {
	webhook.Deduplicator
	left int
}

func (f *flaky) fail() error {
	if f.left--; f.left >= 0 {
		return errDown
	}
	return nil
}

func (f *flaky) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	if err := f.fail(); err != nil {
		return webhook.ClaimDone, err
	}
	return f.Deduplicator.Claim(ctx, key, owner, lease)
}

// An attempt that fails for a reason unrelated to the message must not make it
// a dead letter.
func TestAMessageWaitsForADeduplicatorThatFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &flaky{Deduplicator: newDeduplicator(t), left: 6} // more often than the number of attempts
		q := newQueued(t, webhook.WithDeduplicator(store))
		events := handleRest(q.Receiver)
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(31 * time.Second) // half of the longest waits, of 1, 2, 4, 8, 16 and 32 s
		assert.Zero(t, q.Stats().Handled)
		<-time.After(33 * time.Second)
		synctest.Wait()
		require.Len(t, *events, 1)
		require.Len(t, q.reported, 6)
		require.ErrorIs(t, q.reported[0], webhook.ErrStore)
		assert.Equal(t, webhook.Stats{Accepted: 1, Queued: 1, Handled: 1, Retries: 6}, q.Stats())
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

// brokenQueue returns no message and stores none.
type brokenQueue struct{ calls int }

func (q *brokenQueue) Put(context.Context, webhook.Message) error { return errDown }
func (q *brokenQueue) Take(context.Context) (webhook.Job, error)  { q.calls++; return nil, errDown }
func (q *brokenQueue) Replay(context.Context, string) error       { return errDown }
func (q *brokenQueue) Discard(context.Context, string) error      { return errDown }
func (q *brokenQueue) Drain() bool                                { return false }
func (q *brokenQueue) Backlog(context.Context) (webhook.Backlog, error) {
	return webhook.Backlog{}, errDown
}
func (q *brokenQueue) DeadLetters(context.Context) iter.Seq2[webhook.DeadLetter, error] {
	return func(yield func(webhook.DeadLetter, error) bool) { yield(webhook.DeadLetter{}, errDown) }
}

func TestAQueueThatFailsIsReportedAndAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := &brokenQueue{}
		var reported []*webhook.DeliveryError
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithWorkers(1), failures(&reported))
		require.Equal(t, 503, serve(receiver, signed(t, sample(t, "error"))).Code)
		require.ErrorIs(t, reported[0], webhook.ErrStore)
		require.ErrorIs(t, reported[0], errDown)
		ctx, cancel := context.WithTimeout(t.Context(), 9500*time.Millisecond)
		defer cancel()
		require.NoError(t, receiver.Run(ctx))
		assert.Equal(t, 10, queue.calls, "once a second")
		assert.Len(t, reported, 11)
	})
}

// leased is a queue whose leases expire.
type leased struct {
	webhook.Queue
	extended int
}

type leasedJob struct {
	webhook.Job
	queue *leased
}

func (j leasedJob) Lease() time.Duration { return 3 * time.Second }

func (j leasedJob) Extend(context.Context) error {
	j.queue.extended++
	return errors.New("a lease that could not be extended")
}

func (q *leased) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.Queue.Take(ctx)
	return leasedJob{job, q}, err
}

func TestALeaseIsExtendedWhileItsMessageIsHandled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory, err := webhook.NewMemoryQueue(1)
		require.NoError(t, err)
		queue := &leased{Queue: memory}
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithHandlerTimeout(5*time.Second))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
			<-time.After(10500 * time.Millisecond) // it does not observe its context
			return nil
		})
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.NoError(t, receiver.Run(ctx))
		assert.Equal(t, 10, queue.extended, "at every third of it, also when that fails")
		assert.Zero(t, memory.Len())
	})
}
