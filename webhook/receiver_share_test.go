package webhook_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/backoff"
	"github.com/practicesdk/practice-go/webhook"
)

// slowKeys returns the keys after a delay.
func slowKeys(wait time.Duration) webhook.KeySet {
	return webhook.KeysFrom(func(ctx context.Context) ([]webhook.Key, error) {
		_ = backoff.Sleep(context.WithoutCancel(ctx), wait)
		return []webhook.Key{keyOf(key)}, nil
	})
}

// slowBody delays the body of a delivery.
func slowBody(body io.ReadCloser, wait time.Duration) io.ReadCloser {
	return io.NopCloser(readerFunc(func(p []byte) (int, error) {
		_ = backoff.Sleep(context.Background(), wait)
		wait = 0
		return body.Read(p)
	}))
}

func TestWhateverIsAskedBeforeTheHandlersLeavesThemHalfOfTheTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		keys, body time.Duration // duration of these steps
		deadline   time.Duration
		timeout    time.Duration // of a store
		atLeast    time.Duration // for the handlers
	}{
		"stores that hang":                      {0, 0, 8 * time.Second, 2 * time.Second, 4 * time.Second},
		"stores that may take longer":           {0, 0, 8 * time.Second, time.Hour, 4 * time.Second},
		"stores that may take little":           {0, 0, 8 * time.Second, 100 * time.Millisecond, 7600 * time.Millisecond},
		"with little time":                      {0, 0, 80 * time.Millisecond, 2 * time.Second, 40 * time.Millisecond},
		"a source of keys that is slow":         {1900 * time.Millisecond, 0, 8 * time.Second, 2 * time.Second, 4 * time.Second},
		"a body that takes half of the time":    {0, 4 * time.Second, 8 * time.Second, 2 * time.Second, time.Second},
		"a body that takes most of the time":    {0, 7 * time.Second, 8 * time.Second, 2 * time.Second, time.Second / 4},
		"keys and body that take their time":    {1900 * time.Millisecond, 2 * time.Second, 8 * time.Second, 2 * time.Second, time.Second},
		"with little time that the body takes":  {0, 40 * time.Millisecond, 80 * time.Millisecond, 2 * time.Second, 10 * time.Millisecond},
		"stores that may take no time to speak": {0, 0, 8 * time.Second, 1, 7 * time.Second},
	} {
		for _, deaf := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", and are deaf"}[deaf], func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					h := (&hanging{deaf: deaf}).hangFor(time.Hour)
					receiver, err := webhook.NewReceiver(clientID, slowKeys(test.keys), append(everyStore(t, h)["both of them"],
						webhook.WithClock(clock), webhook.WithDeadline(test.deadline), webhook.WithStoreTimeout(test.timeout))...)
					require.NoError(t, err)
					var had time.Duration
					webhook.OnAny(receiver, func(ctx context.Context, _ *rawEvent) error {
						deadline, _ := ctx.Deadline()
						had = time.Until(deadline)
						return ctx.Err()
					})
					req := signed(t, sample(t, "error")) // which the tracker has to record
					req.Body = slowBody(req.Body, test.body)
					assert.Equal(t, 503, serve(receiver, req).Code)
					assert.GreaterOrEqual(t, had, test.atLeast)
					require.NoError(t, receiver.Shutdown(t.Context()))
				})
			})
		}
	}
}

// lagging is a Deduplicator that responds after a short time.
type lagging struct{ webhook.Deduplicator }

func (l lagging) Claim(ctx context.Context, key, owner string, lease time.Duration) (webhook.Claim, error) {
	<-time.After(20 * time.Millisecond)
	return l.Deduplicator.Claim(ctx, key, owner, lease)
}

func TestStoresThatHangLeaveTheOthersTimeToAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := new(hanging).hangFor(time.Hour)
		receiver, err := webhook.NewReceiver(clientID, slowKeys(1999*time.Millisecond), webhook.WithClock(clock),
			webhook.WithTracker(newTracker(t, h)), webhook.WithDeduplicator(lagging{newDeduplicator(t)}))
		require.NoError(t, err)
		events := handleRest(receiver)
		for range 3 {
			assert.Equal(t, 200, serve(receiver, signed(t, notificationOf("contact.updated", "a", "s", int64(sentTicks), `{"id":"1"}`))).Code)
		}
		require.NoError(t, receiver.Shutdown(t.Context()))
		assert.Len(t, *events, 1, "the repetitions are known")
	})
}
