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

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func contactOf(id string) []byte {
	return notificationOf("contact.updated", "a", "s", int64(sentTicks), fmt.Sprintf(`{"id":%q}`, id))
}

// deadLettersOf returns the reasons of the dead letters.
func deadLettersOf(t *testing.T, queue webhook.Queue) (reasons []string) {
	t.Helper()
	for letter, err := range queue.DeadLetters(t.Context()) {
		require.NoError(t, err)
		reasons = append(reasons, letter.Reason)
	}
	return reasons
}

// The code of a payload's type, of a middleware or of a hook may crash a
// process as well as a handler.
func TestAMessageThatUsedUpItsAttemptsRunsNoCodeOfTheHandlers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		own, handled bool // before
		dead         int
	}{
		"a change of somebody else":      {dead: 1},
		"an own change":                  {own: true, dead: 1},
		"one that was handled meanwhile": {handled: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var ran []string
				queue, known := newLapsing(t, time.Minute), newDeduplicator(t)
				options := []webhook.Option{
					webhook.WithQueue(queue), webhook.WithDeduplicator(known), webhook.WithRetryPolicy(quickPolicy()),
					webhook.WithMiddleware(func(next webhook.Handler) webhook.Handler {
						return func(ctx context.Context, e *rawEvent) error {
							ran = append(ran, "middleware")
							_ = next(ctx, e) // its error is ignored
							return nil
						}
					}),
				}
				if test.own {
					options = append(options, webhook.IgnoreOwn(ownFrom{}), webhook.WithOwnHook(func(context.Context, *rawEvent) {
						ran = append(ran, "hook")
					}))
				}
				receiver := newReceiver(t, options...)
				webhook.On(receiver, models.EventOf[told]("contact.updated"), func(context.Context, *webhook.Event[told]) error {
					ran = append(ran, "handler")
					return nil
				})
				putEvents(t, receiver, 1)
				id := messageIDs(t, queue)[0]
				queue.lapsed[id] = 1000
				if test.handled {
					require.NoError(t, known.Commit(t.Context(), identityOf(t, queue)))
				}
				runWhile(t, receiver, 5*time.Second)
				assert.Empty(t, ran)
				assert.Len(t, deadLettersOf(t, queue), test.dead)
				assert.Zero(t, receiver.Stats().Handled)
				assert.Zero(t, queue.Len())
			})
		})
	}
}

// told is a payload whose type ends the process.
type told struct{}

func (*told) UnmarshalJSON([]byte) error { panic("the process would have ended here") }

// ownFrom recognises every id.
type ownFrom struct{}

func (ownFrom) Verify(string) (time.Time, bool) { return clock(), true }

// stamped is a payload that records the time of its decoding.
type stamped struct{ at time.Time }

func (s *stamped) UnmarshalJSON([]byte) error {
	s.at = time.Now()
	return nil
}

func TestAMessageThatLapsedIsDecodedAloneFromTheSecondLapseOn(t *testing.T) {
	t.Parallel()
	for lapses, want := range map[int]time.Duration{0: time.Second, 1: time.Second, 2: 5 * time.Second, 3: 5 * time.Second} {
		t.Run(fmt.Sprint(lapses), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, began := newLapsing(t, time.Minute), time.Now()
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 9, First: 1, Max: 1}))
				var after time.Duration
				webhook.On(receiver, models.EventOf[stamped]("fee.updated"), func(_ context.Context, e *webhook.Event[stamped]) error {
					after = e.Payload.at.Sub(began)
					return nil
				})
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
					<-time.After(5 * time.Second)
					return nil
				})
				require.Equal(t, 200, serve(receiver, signed(t, notificationOf("fee.updated", "a", "s", int64(sentTicks), `{"id":"1"}`))).Code)
				job, err := queue.MemoryQueue.Take(t.Context())
				require.NoError(t, err)
				queue.lapsed[job.ID()] = lapses
				require.NoError(t, job.Return(t.Context(), time.Second)) // its neighbours are being handled by then
				putEvents(t, receiver, 3)
				runWhile(t, receiver, 20*time.Second)
				assert.Equal(t, want, after, "when its neighbours were done, or at once")
			})
		})
	}
}

// A lapse counts as an attempt: LastAttempt takes it into account, and the
// error of the last attempt is that of the dead letter.
func TestLapsesCountForTheLastAttempt(t *testing.T) {
	t.Parallel()
	for lapses, want := range map[int][]bool{0: {false, false, true}, 1: {false, true}, 2: {true}} {
		t.Run(fmt.Sprint(lapses), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue := newLapsing(t, time.Minute)
				policy := webhook.RetryPolicy{Attempts: 3, First: time.Second, Max: time.Second}
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithRetryPolicy(policy))
				var last []bool
				webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
					last = append(last, e.LastAttempt)
					return errOwn
				})
				putEvents(t, receiver, 1)
				queue.lapsed[messageIDs(t, queue)[0]] = lapses
				runWhile(t, receiver, time.Minute)
				assert.Equal(t, want, last)
				letters := deadLettersOf(t, queue)
				require.Len(t, letters, 1)
				assert.Contains(t, letters[0], errOwn.Error())
			})
		})
	}
}

// The others wait for its handlers, but neither for its stores nor for handlers
// that ignore their limit.
func TestAMessageThatIsAloneStopsNoOthersForLong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes, within time.Duration
		uncommitted   bool
	}{
		"its event cannot be committed": {0, 2 * time.Second, true},
		"its handlers observe no limit": {20 * time.Minute, 11 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue, began := newLapsing(t, 15*time.Second), time.Now()
				store := &uncommitted{Deduplicator: newDeduplicator(t)}
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store), webhook.WithHandlerTimeout(5*time.Second))
				var mu sync.Mutex
				var others []time.Duration
				webhook.OnAny(receiver, func(_ context.Context, e *rawEvent) error {
					if e.ResourceID() == "0" {
						<-time.After(test.takes)
						return nil
					}
					mu.Lock()
					defer mu.Unlock()
					others = append(others, time.Since(began))
					return nil
				})
				putEvents(t, receiver, 1)
				queue.lapsed[messageIDs(t, queue)[0]] = 2
				if test.uncommitted {
					store.until, store.only = began.Add(time.Hour), map[string]bool{identityOf(t, queue): true}
				}
				time.AfterFunc(time.Second, func() {
					for i := range 20 {
						assert.Equal(t, 200, serve(receiver, signed(t, contactOf(fmt.Sprint("other ", i)))).Code)
					}
				})
				time.AfterFunc(10*time.Minute, func() {
					mu.Lock()
					defer mu.Unlock()
					assert.Len(t, others, 20)
					assert.LessOrEqual(t, others[len(others)-1], test.within)
				})
				runWhile(t, receiver, 12*time.Minute)
			})
		})
	}
}

// identityOf returns the identity of the only event in the queue.
func identityOf(t *testing.T, queue *lapsing) string {
	t.Helper()
	job, err := queue.MemoryQueue.Take(t.Context())
	require.NoError(t, err)
	require.NoError(t, job.Return(t.Context(), 0))
	return job.Message().Identity
}
