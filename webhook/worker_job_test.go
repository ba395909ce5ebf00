package webhook_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// lapsing is a queue whose leases end by themselves, as those of a server
// elsewhere do. A worker may be cut off from it.
type lapsing struct {
	*webhook.MemoryQueue
	lease time.Duration

	mu     sync.Mutex
	cut    bool           // workers that have a message cannot reach the queue
	hangs  bool           // and learn that from nobody
	stops  time.Duration  // how long the process stands still after it took the next message
	lapsed map[string]int // by the id of the message
}

func newLapsing(t *testing.T, lease time.Duration) *lapsing {
	t.Helper()
	memory, err := webhook.NewMemoryQueue(1000)
	require.NoError(t, err)
	return &lapsing{MemoryQueue: memory, lease: lease, lapsed: map[string]int{}}
}

func (q *lapsing) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.MemoryQueue.Take(ctx)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	j := &lapsingJob{Job: job, queue: q, lapsed: q.lapsed[job.ID()]}
	j.timer = time.AfterFunc(q.lease, j.lapse)
	return j, nil
}

func (q *lapsing) cutOff(cut bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.cut = cut
}

type lapsingJob struct {
	webhook.Job
	queue  *lapsing
	lapsed int
	timer  *time.Timer
}

func (j *lapsingJob) Lease() time.Duration {
	j.queue.mu.Lock()
	stops := j.queue.stops
	j.queue.stops = 0
	j.queue.mu.Unlock()
	<-time.After(stops)
	return j.queue.lease
}
func (j *lapsingJob) Lapsed() int   { return j.lapsed }
func (j *lapsingJob) Returned() int { return j.Job.Returned() - j.lapsed }

func (j *lapsingJob) lapse() {
	j.queue.mu.Lock()
	j.queue.lapsed[j.ID()]++
	j.queue.mu.Unlock()
	_ = j.Job.Return(context.Background(), 0)
}

// reach fails, or hangs, while the queue cannot be reached.
func (j *lapsingJob) reach(ctx context.Context) error {
	j.queue.mu.Lock()
	cut, hangs := j.queue.cut, j.queue.hangs
	j.queue.mu.Unlock()
	if cut && hangs {
		<-ctx.Done()
	}
	if cut {
		return errDown
	}
	return nil
}

func (j *lapsingJob) end(ctx context.Context, how func() error) error {
	if err := j.reach(ctx); err != nil {
		return err
	}
	j.timer.Stop()
	return how()
}

func (j *lapsingJob) Extend(ctx context.Context) error {
	if err := j.reach(ctx); err != nil {
		return err
	}
	j.timer.Reset(j.queue.lease)
	return j.Job.Extend(ctx)
}

func (j *lapsingJob) Done(ctx context.Context) error {
	return j.end(ctx, func() error { return j.Job.Done(ctx) })
}

func (j *lapsingJob) Retry(ctx context.Context, after time.Duration) error {
	return j.end(ctx, func() error { return j.Job.Retry(ctx, after) })
}

func (j *lapsingJob) Return(ctx context.Context, after time.Duration) error {
	return j.end(ctx, func() error { return j.Job.Return(ctx, after) })
}

func (j *lapsingJob) DeadLetter(ctx context.Context, reason string) error {
	return j.end(ctx, func() error { return j.Job.DeadLetter(ctx, reason) })
}

// runWhile runs the receiver until the test has passed some time.
func runWhile(t *testing.T, receiver *webhook.Receiver, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	require.NoError(t, receiver.Run(ctx))
}

func putEvents(t *testing.T, receiver *webhook.Receiver, count int) {
	t.Helper()
	for i := range count {
		body := notificationOf("contact.updated", "a", "s", int64(sentTicks), fmt.Sprintf(`{"id":"%d"}`, i))
		require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	}
}

// tally counts how often each event was handled.
type tally struct {
	mu sync.Mutex
	by map[string]int
}

func (h *tally) note(_ context.Context, e *rawEvent) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by == nil {
		h.by = map[string]int{}
	}
	h.by[e.Identity()]++
	return nil
}

func (h *tally) times() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.by)
}

// partial is a Deduplicator that fails for the events of some keys, as a
// cluster does that has lost a server.
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
							return errOwn // a driver may make any error of it
						case <-time.After(10 * lease):
							return nil
						}
					}
					var processes sync.WaitGroup
					for i := range 2 { // one process does not begin with a message that it is at
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

// A handler that does not observe its context is alone with its event all the
// same, where the claims can be stored.
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

// uncommitted is a Deduplicator that cannot note for a while what was handled.
type uncommitted struct {
	webhook.Deduplicator
	until time.Time
	only  map[string]bool // the keys of which this is true; nil for all
}

func (u *uncommitted) Commit(ctx context.Context, key string) error {
	if time.Now().Before(u.until) && (u.only == nil || u.only[key]) {
		return errDown
	}
	return u.Deduplicator.Commit(ctx, key)
}

func TestAMessageEndsWhenItsEventIsCommitted(t *testing.T) {
	t.Parallel()
	for _, outage := range []time.Duration{500 * time.Millisecond, 5 * time.Second, 10 * time.Minute} {
		t.Run(outage.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue := newLapsing(t, 15*time.Second)
				store := &uncommitted{Deduplicator: newDeduplicator(t), until: time.Now().Add(outage)}
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithWorkers(1))
				var handled tally
				webhook.OnAny(receiver, handled.note)
				putEvents(t, receiver, 2)
				putEvents(t, receiver, 2) // which come again
				ctx, cancel := context.WithTimeout(t.Context(), outage/2)
				defer cancel()
				go func() {
					<-ctx.Done()
					assert.Len(t, handled.times(), min(2, int(1+outage/(4*time.Second))), "the worker goes on meanwhile")
					assert.Equal(t, 4, queue.Len())
				}()
				runWhile(t, receiver, outage+time.Minute)
				assert.Zero(t, queue.Len())
				assert.Len(t, handled.times(), 2)
				for id, times := range handled.times() {
					assert.Equal(t, 1, times, id)
				}
			})
		})
	}
}

func TestAMessageWhoseEventIsNotCommittedStaysInTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, 15*time.Second)
		store := &uncommitted{Deduplicator: newDeduplicator(t), until: time.Now().Add(time.Hour)}
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store))
		var handled tally
		webhook.OnAny(receiver, handled.note)
		putEvents(t, receiver, 1)
		began := time.Now()
		runWhile(t, receiver, 20*time.Second)
		assert.Less(t, time.Since(began), 25*time.Second, "Run does not wait for a store that fails")
		assert.Len(t, handled.times(), 1)
		assert.Equal(t, 1, queue.Len())
		assert.Zero(t, receiver.Stats().DeadLetters)
	})
}

// forgetful is a Deduplicator whose first answer to Claim is lost.
type forgetful struct {
	webhook.Deduplicator
	lost bool
}

func (f *forgetful) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	claim, err := f.Deduplicator.Claim(ctx, key, owner, lease)
	if !f.lost {
		f.lost = true
		return 0, errDown
	}
	return claim, err
}

func TestAClaimWhoseAnswerWasLostHoldsUpItsOwnerForAMomentOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, time.Hour)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(&forgetful{Deduplicator: newDeduplicator(t)}))
		var handled tally
		webhook.OnAny(receiver, handled.note)
		putEvents(t, receiver, 1)
		runWhile(t, receiver, 5*time.Second)
		assert.Len(t, handled.times(), 1)
		assert.Zero(t, queue.Len())
	})
}

// lingering is a Deduplicator whose answer to Release takes long.
type lingering struct {
	webhook.Deduplicator
	takes time.Duration
}

func (l *lingering) Release(ctx context.Context, key, owner string) error {
	defer func() { <-time.After(l.takes) }()
	return l.Deduplicator.Release(ctx, key, owner)
}

func TestAClaimThatWasReleasedIsNotRenewed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &lingering{newDeduplicator(t), 1900 * time.Millisecond}
		receiver := newReceiver(t, webhook.WithQueue(newLapsing(t, 3*time.Second)), webhook.WithDeduplicator(store))
		var identity string
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error { identity = e.Identity(); return errOwn })
		putEvents(t, receiver, 1)
		runWhile(t, receiver, 1500*time.Millisecond)
		claim, err := store.Claim(t.Context(), identity, "another", time.Minute)
		require.NoError(t, err)
		assert.Equal(t, webhook.ClaimNew, claim)
	})
}

// usurped is a Deduplicator whose claims somebody else takes over.
type usurped struct {
	webhook.Deduplicator
	claims atomic.Int32
}

func (u *usurped) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	if u.claims.Add(1) > 1 {
		return webhook.ClaimInProgress, nil
	}
	return u.Deduplicator.Claim(ctx, key, owner, lease)
}

func TestAHandlerEndsWhenItsEventBelongsToSomebodyElse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, 3*time.Second)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(&usurped{Deduplicator: newDeduplicator(t)}))
		began, ended := time.Now(), time.Duration(0)
		webhook.OnAny(receiver, func(ctx context.Context, _ *rawEvent) error {
			<-ctx.Done()
			ended = time.Since(began)
			return ctx.Err()
		})
		putEvents(t, receiver, 1)
		runWhile(t, receiver, 30*time.Second)
		assert.Equal(t, time.Second, ended, "with the first extension")
		assert.Equal(t, 1, queue.Len(), "it may fail there")
		assert.Zero(t, receiver.Stats().DeadLetters)
	})
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
			queue.cutOff(false) // just before the queue gives it to somebody else
			return errOwn
		})
		putEvents(t, receiver, 1)
		runWhile(t, receiver, time.Minute)
		assert.Equal(t, []int{1, 1}, attempts)
	})
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

// A message that may have killed two processes is handled alone, so that it
// takes no other with it. One lapse is rather that of its neighbours.
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
		// Three died before, and this process is the fourth.
		for i, lapsed := range map[int]int{2: 1, 7: 2, 8: 3} {
			queue.lapsed[messageIDs(t, queue)[i-1]] = lapsed
		}
		runWhile(t, receiver, time.Minute)
		for letter := range queue.DeadLetters(t.Context()) {
			dead++
			assert.Contains(t, letter.Reason, "no outcome")
			assert.Contains(t, string(letter.Message.Body), `"id":"7"`)
		}
		assert.True(t, company)
		assert.Equal(t, 1, alone)
		assert.Equal(t, 1, dead)
		assert.EqualValues(t, 19, receiver.Stats().Handled)
		assert.Zero(t, queue.Len())
	})
}

// messageIDs takes all messages and puts them back.
func messageIDs(t *testing.T, queue *lapsing) (ids []string) {
	t.Helper()
	var jobs []webhook.Job
	for range queue.Len() {
		job, err := queue.MemoryQueue.Take(t.Context())
		require.NoError(t, err)
		jobs = append(jobs, job)
	}
	for _, job := range jobs {
		ids = append(ids, job.ID())
		require.NoError(t, job.Return(t.Context(), 0))
	}
	return ids
}

// It is the queue's again, and another worker may be at it.
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
