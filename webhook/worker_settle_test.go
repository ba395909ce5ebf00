package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

// choosy is a Deduplicator that cannot commit certain events until it is
// repaired.
type choosy struct {
	webhook.Deduplicator
	mu  sync.Mutex
	bad map[string]bool
}

func (c *choosy) refuse(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bad[key] = true
}

func (c *choosy) heal() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.bad)
}

func (c *choosy) Commit(ctx context.Context, key string) error {
	c.mu.Lock()
	bad := c.bad[key]
	c.mu.Unlock()
	if bad {
		return errDown
	}
	return c.Deduplicator.Commit(ctx, key)
}

func TestEventsThatCannotBeCommittedStopNoOthers(t *testing.T) {
	t.Parallel()
	for _, count := range []int{4, 8, 40} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, began := newLapsing(t, 15*time.Second), time.Now()
				store := &choosy{Deduplicator: newDeduplicator(t), bad: map[string]bool{}}
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithWorkers(4))
				var handled tally
				var mu sync.Mutex
				var last time.Duration // time of the other messages
				webhook.OnAny(receiver, func(ctx context.Context, e *rawEvent) error {
					if !strings.HasPrefix(e.ResourceID(), "other") {
						store.refuse(e.Identity())
						return handled.note(ctx, e)
					}
					mu.Lock()
					defer mu.Unlock()
					last = time.Since(began)
					return handled.note(ctx, e)
				})
				putEvents(t, receiver, count)
				for i := range 100 {
					require.Equal(t, 200, serve(receiver, signed(t, contactOf(fmt.Sprint("other ", i)))).Code)
				}
				putEvents(t, receiver, count) // which are delivered again
				time.AfterFunc(15*time.Minute, store.heal)
				runWhile(t, receiver, 30*time.Minute)
				assert.Len(t, handled.times(), count+100)
				for id, times := range handled.times() {
					assert.Equal(t, 1, times, id)
				}
				assert.Less(t, last, 3*time.Minute)
				assert.Zero(t, queue.Len())
				assert.Zero(t, receiver.Stats().DeadLetters)
			})
		})
	}
}

// fullOfDead is a queue that temporarily accepts no dead letters.
type fullOfDead struct {
	*lapsing
	until time.Time
}

type fullOfDeadJob struct {
	webhook.Job
	until time.Time
}

func (q *fullOfDead) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.lapsing.Take(ctx)
	return fullOfDeadJob{job, q.until}, err
}

var errFull = errors.New("there is no room for dead letters")

func (j fullOfDeadJob) DeadLetter(ctx context.Context, reason string) error {
	if time.Now().Before(j.until) {
		return errFull
	}
	return j.Job.DeadLetter(ctx, reason)
}

func TestAMessageThatCannotBecomeADeadLetterYetIsHeld(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fail  error
		calls int
	}{
		"given up by its handler": {webhook.Permanent(errOwn), 1},
		"without attempts left":   {errOwn, quickPolicy().Attempts},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const outage = 10 * time.Minute
				queue := &fullOfDead{newLapsing(t, 15*time.Second), time.Now().Add(outage)}
				var mu sync.Mutex
				dead, full := 0, 0
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithRetryPolicy(quickPolicy()),
					webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
						mu.Lock()
						defer mu.Unlock()
						if err.Dead {
							dead++
						}
						if errors.Is(err, errFull) {
							full++
						}
					}))
				calls := 0
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error { calls++; return test.fail })
				putEvents(t, receiver, 1)
				time.AfterFunc(outage-time.Second, func() {
					assert.Zero(t, receiver.Stats().DeadLetters, "it is none yet")
				})
				runWhile(t, receiver, outage+time.Minute)
				assert.Greater(t, full, 5)
				assert.Empty(t, queue.hasLapsed(), "its lease is renewed")
				assert.EqualValues(t, 1, receiver.Stats().DeadLetters)
				assert.Equal(t, 1, dead)
				assert.Equal(t, test.calls, calls)
				assert.Equal(t, []string{"webhook: a handler failed: " + errOwn.Error()}, deadLettersOf(t, queue))
			})
		})
	}
}

func TestAReplayIsANewBeginningAlsoForAMessageThatCouldNotBecomeADeadLetter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := &sameID{fullOfDead{newLapsing(t, 15*time.Second), time.Now().Add(time.Second)}}
		receiver := newReceiver(t, webhook.WithQueue(queue))
		fail := webhook.Permanent(errOwn)
		var handled []models.EventType
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			handled = append(handled, e.Type)
			return fail
		})
		putEvents(t, receiver, 1)
		runWhile(t, receiver, time.Minute)
		require.Len(t, handled, 1)
		fail = nil
		for letter := range queue.DeadLetters(t.Context()) {
			require.NoError(t, queue.Replay(t.Context(), letter.ID))
		}
		runWhile(t, receiver, time.Minute)
		assert.Len(t, handled, 2)
	})
}

// sameID is a queue that uses one id for all messages, like a queue that keeps
// the id of a replayed message.
type sameID struct{ fullOfDead }

type sameIDJob struct{ webhook.Job }

func (sameIDJob) ID() string { return "one" }

func (q *sameID) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.fullOfDead.Take(ctx)
	return sameIDJob{job}, err
}

func TestAHandlerMaySayWhenToTryAgainAlsoWhenRunEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := newLapsing(t, 15*time.Second)
		receiver := newReceiver(t, webhook.WithQueue(queue))
		var attempts []int
		webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
			attempts = append(attempts, e.Attempt)
			<-time.After(2 * time.Second)
			return webhook.RetryAfter(errOwn, 10*time.Minute)
		})
		putEvents(t, receiver, 1)
		runWhile(t, receiver, time.Second)
		runWhile(t, receiver, 9*time.Minute)
		assert.Equal(t, []int{1}, attempts)
		runWhile(t, receiver, 2*time.Minute)
		assert.Equal(t, []int{1, 2}, attempts)
	})
}

// illegible is a Propagator that cannot decode what another version injected.
type illegible struct{}

func (illegible) Inject(context.Context) map[string]string { return map[string]string{"a": "b"} }

func (illegible) Extract(context.Context, map[string]string) context.Context { panic(errOwn) }

func TestAPropagatorThatPanicsCostsItsValuesOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reported []*webhook.DeliveryError
		queue := newLapsing(t, 15*time.Second)
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithPropagator(illegible{}), failures(&reported))
		events := handleRest(receiver)
		putEvents(t, receiver, 1)
		runWhile(t, receiver, time.Second)
		assert.Len(t, *events, 1)
		require.Len(t, reported, 1)
		require.ErrorIs(t, reported[0], errOwn)
	})
}

// claimCounter is a Deduplicator that counts its claims.
type claimCounter struct {
	webhook.Deduplicator
	mu     sync.Mutex
	claims int
}

func (c *claimCounter) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	c.mu.Lock()
	c.claims++
	if c.claims > 10_000 {
		c.mu.Unlock()
		return 0, pauseOver(ctx)
	}
	c.mu.Unlock()
	return c.Deduplicator.Claim(ctx, key, owner, lease)
}

func (c *claimCounter) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.claims
}

func pauseOver(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

func TestAQueueThatIsDrainedDoesNotSpin(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		memory, err := webhook.NewMemoryQueue(10)
		require.NoError(t, err)
		store := &claimCounter{Deduplicator: newDeduplicator(t)}
		receiver := newReceiver(t, webhook.WithQueue(memory), webhook.WithDeduplicator(store))
		webhook.OnAny(receiver, func(context.Context, *rawEvent) error { <-time.After(time.Second); return nil })
		for range 2 {
			require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
		}
		began := time.Now()
		require.NoError(t, receiver.Shutdown(t.Context()))
		assert.Less(t, store.claims, 30)
		assert.LessOrEqual(t, time.Since(began), 2*time.Second)
	})
}
