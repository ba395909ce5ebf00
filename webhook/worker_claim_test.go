package webhook_test

import (
	"context"
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

// uncommitted is a Deduplicator that temporarily cannot commit.
type uncommitted struct {
	webhook.Deduplicator
	until time.Time
	only  map[string]bool // the keys that are affected; nil means all
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
				putEvents(t, receiver, 2) // which are delivered again
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

// oneMessage is a queue that gives its process one message.
type oneMessage struct {
	webhook.Queue
	taken bool
}

func (q *oneMessage) Take(ctx context.Context) (webhook.Job, error) {
	if q.taken {
		return nil, pauseOver(ctx)
	}
	q.taken = true
	return q.Queue.Take(ctx)
}

// The same event has come twice, and two processes share the queue. The claim
// is renewed until the Deduplicator has heard that the event was handled.
func TestNoOtherProcessHandlesAnEventThatIsNotCommittedYet(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const outage = 5 * time.Minute
		queue, store := newLapsing(t, 15*time.Second), newDeduplicator(t)
		away := &uncommitted{Deduplicator: store, until: time.Now().Add(outage)}
		var handled tally
		var all sync.WaitGroup
		start := func(queue webhook.Queue, known webhook.Deduplicator) {
			receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(known), webhook.WithWorkers(1))
			webhook.OnAny(receiver, handled.note)
			putEvents(t, receiver, 1)
			all.Go(func() { runWhile(t, receiver, outage+3*time.Minute) })
		}
		start(&oneMessage{Queue: queue}, away)
		<-time.After(time.Second) // it has handled the event
		start(queue, store)
		all.Wait()
		assert.Zero(t, queue.Len())
		for id, times := range handled.times() {
			assert.Equal(t, 1, times, id)
		}
	})
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
		assert.Less(t, time.Since(began), 40*time.Second, "Run waits as long as a lease for a store that fails")
		assert.Len(t, handled.times(), 1)
		assert.Equal(t, 1, queue.Len())
		<-time.After(2 * time.Hour)
		runWhile(t, receiver, time.Minute)
		assert.Zero(t, queue.Len())
		assert.Len(t, handled.times(), 1)
		for id, times := range handled.times() {
			assert.Equal(t, 1, times, "%s: the process knows that it has handled it", id)
		}
		assert.Zero(t, receiver.Stats().DeadLetters)
	})
}

// forgetful is a Deduplicator whose first response to Claim is lost.
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

// lingering is a Deduplicator that responds slowly to Release.
type lingering struct {
	webhook.Deduplicator
	takes time.Duration
}

func (l *lingering) Release(ctx context.Context, key, owner string) error {
	defer func() { _ = backoff.Sleep(context.Background(), l.takes) }()
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

// usurped is a Deduplicator whose claims another owner takes over.
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
