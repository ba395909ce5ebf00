package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

func newDeduplicator(tb testing.TB) *webhook.MemoryStore {
	tb.Helper()
	d, err := webhook.NewMemoryStore()
	require.NoError(tb, err)
	return d
}

func TestAnEventThatComesAgainIsAcknowledgedAndNotHandledAgain(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)))
	events := handle(receiver, models.EventTypeMatterUpdated)
	body := sample(t, "matter-updated")
	require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	require.Equal(t, 200, serve(receiver, signed(t, body)).Code)
	require.Equal(t, 200, serve(receiver, signedWith(t, key, clock().Add(time.Minute), "another", body)).Code)
	assert.Len(t, *events, 1)
	assert.Equal(t, webhook.Stats{Accepted: 3, Handled: 1, Duplicates: 2}, receiver.Stats())
}

func TestWithoutADeduplicatorEveryDeliveryIsHandled(t *testing.T) {
	t.Parallel()
	receiver := newReceiver(t)
	events := handle(receiver, models.EventTypeMatterUpdated)
	for range 2 {
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
	}
	assert.Len(t, *events, 2)
}

// An event whose handler failed must be handled again.
func TestAnEventWhoseHandlerFailedMayComeAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"with an error":              func() error { return errOwn },
		"with a panic":               func() error { panic("oh") },
		"by ending its goroutine":    func() error { runtime.Goexit(); return nil },
		"with an error of our own":   func() error { return webhook.ErrInProgress },
		"with another of our errors": func() error { return webhook.ErrStore },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)))
			calls := 0
			webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error {
				if calls++; calls == 1 {
					return fail()
				}
				return nil
			})
			for _, want := range []int{500, 200, 200} {
				assert.Equal(t, want, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
			}
			assert.Equal(t, 2, calls)
			assert.Equal(t, webhook.Stats{Accepted: 2, Refused: 1, Failed: 1, Handled: 1, Duplicates: 1}, receiver.Stats())
		})
	}
}

func TestADuplicateOfAnEventThatIsBeingHandledMustWait(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outcome error
		after   int // expected status of the next delivery
		calls   int
	}{
		"and the first succeeds": {nil, 200, 1},
		"and the first fails":    {errOwn, 200, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var reported []*webhook.DeliveryError
				receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)), failures(&reported))
				release, calls := make(chan struct{}), 0
				webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error {
					if calls++; calls > 1 {
						return nil
					}
					<-release
					return test.outcome
				})
				first := make(chan int)
				delivery := signed(t, sample(t, "matter-updated"))
				go func() { first <- serve(receiver, delivery).Code }()
				synctest.Wait()
				assert.Equal(t, 503, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
				require.Len(t, reported, 1)
				require.ErrorIs(t, reported[0], webhook.ErrInProgress)
				close(release)
				assert.Equal(t, test.outcome == nil, <-first == 200)
				assert.Equal(t, test.after, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
				assert.Equal(t, test.calls, calls)
			})
		})
	}
}

// The work of a handler after the response to its delivery counts as well.
func TestAHandlerThatIsLateStillSettlesItsEvent(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outcome error
		calls   int
	}{
		"with success":  {nil, 1},
		"with an error": {errOwn, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				receiver := newReceiver(t, webhook.WithDeduplicator(newDeduplicator(t)))
				calls := 0
				webhook.On(receiver, models.EventTypeMatterUpdated, func(context.Context, *matterEvent) error {
					if calls++; calls > 1 {
						return nil
					}
					<-time.After(9 * time.Second) // it does not observe its context
					return test.outcome
				})
				deliver := func() int { return serve(receiver, signed(t, sample(t, "matter-updated"))).Code }
				assert.Equal(t, 503, deliver(), "the time is over")
				assert.Equal(t, 503, deliver(), "it is still being handled")
				require.NoError(t, receiver.Shutdown(t.Context()))
				assert.Equal(t, 200, deliver())
				assert.Equal(t, test.calls, calls)
			})
		})
	}
}

var errDown = errors.New("the store is down")

// downStore implements every store, and always fails.
type downStore struct{}

func (downStore) Claim(context.Context, string, string, time.Duration) (webhook.Claim, error) {
	return webhook.ClaimDone, errDown
}
func (downStore) Commit(context.Context, string) error                     { return errDown }
func (downStore) Release(context.Context, string, string) error            { return errDown }
func (downStore) Register(context.Context, string) error                   { return errDown }
func (downStore) Record(context.Context, string, webhook.WriteError) error { return errDown }
func (downStore) Load(context.Context, string) (*webhook.WriteError, error) {
	return nil, errDown
}

func TestStoresThatFailCostNoEvent(t *testing.T) {
	t.Parallel()
	tracker, err := webhook.NewTracker(downStore{})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		option  webhook.Option
		body    string
		status  int
		reports int // number of store failures that do not affect the response
	}{
		"the deduplicator":                {webhook.WithDeduplicator(downStore{}), "matter-updated", 200, 2},
		"the tracker, for a change":       {webhook.WithTracker(tracker), "matter-updated", 200, 0},
		"the tracker, for a failed write": {webhook.WithTracker(tracker), "error", 503, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reported []*webhook.DeliveryError
			receiver := newReceiver(t, test.option, failures(&reported))
			events := handleRest(receiver)
			assert.Equal(t, test.status, serve(receiver, signed(t, sample(t, test.body))).Code)
			require.NoError(t, receiver.Shutdown(t.Context()), "the stores may be told after the answer")
			require.Len(t, *events, 1, "it is handled all the same")
			silent := 0
			for _, err := range reported {
				require.ErrorIs(t, err, webhook.ErrStore)
				require.ErrorIs(t, err, errDown)
				if err.Status == 0 {
					silent++
					assert.Contains(t, err.Error(), "delivery accepted, but an error occurred")
				}
			}
			assert.Equal(t, test.reports, silent)
		})
	}
}

func TestStoreOptionsRefuseNothing(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]webhook.Option{
		"WithDeduplicator": webhook.WithDeduplicator(nil), "WithTracker": webhook.WithTracker(nil),
		"WithQueue": webhook.WithQueue(nil), "WithWorkers": webhook.WithWorkers(0), "WithHandlerTimeout": webhook.WithHandlerTimeout(0),
		"IgnoreOwn": webhook.IgnoreOwn(nil), "WithOwnAge": webhook.WithOwnAge(0), "WithOwnHook": webhook.WithOwnHook(nil),
		"WithRetryPolicy": webhook.WithRetryPolicy(webhook.RetryPolicy{Attempts: 0, First: 1, Max: 1}),
	} {
		_, err := webhook.NewReceiver(clientID, webhook.Keys(key), option)
		requireConfigError(t, err, name)
	}
	for _, policy := range []webhook.RetryPolicy{{Attempts: 1, First: 0, Max: 1}, {Attempts: 1, First: 2, Max: 1}} {
		_, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithRetryPolicy(policy))
		requireConfigError(t, err, "WithRetryPolicy")
	}
	_, err := webhook.NewMemoryStore(webhook.WithCapacity(0))
	requireConfigError(t, err, "WithCapacity")
	_, err = webhook.NewMemoryStore(webhook.WithRetention(0))
	requireConfigError(t, err, "WithRetention")
	_, err = webhook.NewMemoryStore(webhook.WithClock(nil))
	requireConfigError(t, err, "WithClock")
	_, err = webhook.NewMemoryQueue(0)
	requireConfigError(t, err, "capacity")
	_, err = webhook.NewTracker(nil)
	requireConfigError(t, err, "store")
	_, err = webhook.NewMemoryStore(webhook.WithWorkers(1))
	requireConfigError(t, err, "WithWorkers")
	_, err = webhook.NewVerifier(clientID, webhook.Keys(key), webhook.WithRetention(time.Hour))
	requireConfigError(t, err, "WithRetention")
	_, err = webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithCapacity(1))
	requireConfigError(t, err, "WithCapacity")
	_, err = webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithSerialRecords())
	requireConfigError(t, err, "WithSerialRecords")
}

func requireConfigError(t *testing.T, err error, name string) {
	t.Helper()
	var bad *webhook.ConfigError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, name, bad.Name)
}

func TestAFullMemoryForgetsWhatItWasToldLongestAgo(t *testing.T) {
	t.Parallel()
	d, err := webhook.NewMemoryStore(webhook.WithCapacity(3))
	require.NoError(t, err)
	ctx := t.Context()
	for i := range 10 {
		require.NoError(t, d.Commit(ctx, fmt.Sprint(i)))
	}
	for i, want := range map[int]webhook.Claim{9: webhook.ClaimDone, 8: webhook.ClaimDone, 7: webhook.ClaimDone} {
		claim, err := d.Claim(ctx, fmt.Sprint(i), "a", time.Hour)
		require.NoError(t, err)
		assert.Equal(t, want, claim)
	}
	claim, err := d.Claim(ctx, "6", "a", time.Hour)
	require.NoError(t, err)
	assert.Equal(t, webhook.ClaimNew, claim)
	claim, err = d.Claim(ctx, "7", "b", time.Hour)
	require.NoError(t, err)
	assert.Equal(t, webhook.ClaimNew, claim, "it made room for 6")
}

func TestNamesOfAnswers(t *testing.T) {
	t.Parallel()
	for want, value := range map[string]fmt.Stringer{
		"new": webhook.ClaimNew, "in progress": webhook.ClaimInProgress, "done": webhook.ClaimDone, "unknown": webhook.Claim(0),
	} {
		assert.Equal(t, want, value.String())
	}
}
