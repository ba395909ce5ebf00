package webhook_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// failingAt is a queue that loses one of its responses about a message.
type failingAt struct {
	*lapsing
	call string
}

type failingAtJob struct {
	webhook.Job
	call string
}

var errLost = errors.New("the queue did not answer")

func (q *failingAt) Take(ctx context.Context) (webhook.Job, error) {
	job, err := q.lapsing.Take(ctx)
	return failingAtJob{job, q.call}, err
}

func (j failingAtJob) answer(call string, err error) error {
	if call == j.call {
		return errLost
	}
	return err
}

func (j failingAtJob) Extend(ctx context.Context) error { return j.answer("Extend", j.Job.Extend(ctx)) }
func (j failingAtJob) Done(ctx context.Context) error   { return j.answer("Done", j.Job.Done(ctx)) }

func (j failingAtJob) Retry(ctx context.Context, after time.Duration) error {
	return j.answer("Retry", j.Job.Retry(ctx, after))
}

func (j failingAtJob) Return(ctx context.Context, after time.Duration) error {
	return j.answer("Return", j.Job.Return(ctx, after))
}

func (j failingAtJob) DeadLetter(ctx context.Context, reason string) error {
	return j.answer("DeadLetter", j.Job.DeadLetter(ctx, reason))
}

// failingIn is a Deduplicator that fails in the same way.
type failingIn struct {
	webhook.Deduplicator
	call   string
	claims atomic.Int32
}

func (f *failingIn) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	claim, err := f.Deduplicator.Claim(ctx, key, owner, lease)
	if n := f.claims.Add(1); f.call == "Claim" && n == 1 || f.call == "Claim again" && n == 2 {
		return 0, errLost
	}
	return claim, err
}

func (f *failingIn) Commit(ctx context.Context, key string) error {
	if f.call == "Commit" {
		return errLost
	}
	return f.Deduplicator.Commit(ctx, key)
}

func (f *failingIn) Release(ctx context.Context, key, owner string) error {
	if f.call == "Release" {
		return errLost
	}
	return f.Deduplicator.Release(ctx, key, owner)
}

func TestAMessageThatCannotBeGivenBackIsReported(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue := &failingAt{newLapsing(t, 15*time.Second), "Return"}
		var reported []*webhook.DeliveryError
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(&partial{newDeduplicator(t), func(string) bool { return true }}), failures(&reported))
		handleRest(receiver)
		putEvents(t, receiver, 1)
		runWhile(t, receiver, time.Second/4)
		require.Len(t, reported, 2)
		require.ErrorIs(t, reported[0], errDown, "why")
		require.ErrorIs(t, reported[1], errLost)
	})
}

func TestEveryStoreThatFailsForAMessageIsReported(t *testing.T) {
	t.Parallel()
	const lease = 15 * time.Second
	for name, test := range map[string]struct {
		queue, store string // failing operation
		result       error  // of the handler
	}{
		"the lease cannot be extended":    {"Extend", "", nil},
		"the message cannot be taken out": {"Done", "", nil},
		"it cannot be tried again":        {"Retry", "", errOwn},
		"it cannot become a dead letter":  {"DeadLetter", "", webhook.Permanent(errOwn)},
		"the event cannot be claimed":     {"", "Claim", nil},
		"its claim cannot be renewed":     {"", "Claim again", nil},
		"its end cannot be noted":         {"", "Commit", nil},
		"its claim cannot be ended":       {"", "Release", errOwn},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				queue := &failingAt{newLapsing(t, lease), test.queue}
				store := &failingIn{Deduplicator: newDeduplicator(t), call: test.store}
				var mu sync.Mutex
				lost := 0
				receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(store),
					webhook.WithErrorHook(func(_ context.Context, err *webhook.DeliveryError) {
						mu.Lock()
						defer mu.Unlock()
						if errors.Is(err, errLost) {
							lost++
							assert.ErrorIs(t, err, webhook.ErrStore)
							assert.Equal(t, test.queue != "" && test.store == "", strings.Contains(err.Error(), "queue:"))
						}
					}))
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
					<-time.After(lease * 3 / 5) // the lease and the claim are renewed once
					return test.result
				})
				putEvents(t, receiver, 1)
				runWhile(t, receiver, 2*lease)
				mu.Lock()
				defer mu.Unlock()
				assert.Positive(t, lost)
				if test.store == "Commit" {
					assert.Greater(t, lost, 5, "each time that it is tried")
				}
			})
		})
	}
}
