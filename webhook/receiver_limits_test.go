package webhook_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/webhook"
)

// hanging implements every store, and does not respond until its time.
type hanging struct {
	until atomic.Pointer[time.Time] // nil when it does not hang
	deaf  bool                      // it also ignores its context
	calls atomic.Int32
}

func (h *hanging) hangFor(d time.Duration) *hanging {
	h.until.Store(new(time.Now().Add(d)))
	return h
}

func (h *hanging) hang(ctx context.Context) error {
	h.calls.Add(1)
	until := h.until.Load()
	if until == nil {
		return ctx.Err()
	}
	if h.deaf {
		<-time.After(time.Until(*until))
		return ctx.Err()
	}
	select {
	case <-time.After(time.Until(*until)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *hanging) Claim(ctx context.Context, _, _ string, _ time.Duration) (webhook.Claim, error) {
	return webhook.ClaimNew, h.hang(ctx)
}
func (h *hanging) Commit(ctx context.Context, _ string) error     { return h.hang(ctx) }
func (h *hanging) Release(ctx context.Context, _, _ string) error { return h.hang(ctx) }
func (h *hanging) Register(ctx context.Context, _ string) error   { return h.hang(ctx) }
func (h *hanging) Record(ctx context.Context, _ string, _ webhook.WriteError) error {
	return h.hang(ctx)
}
func (h *hanging) Load(ctx context.Context, _ string) (*webhook.WriteError, error) {
	return nil, h.hang(ctx)
}

// everyStore returns options that use h as each store of a receiver, and as all
// of them.
func everyStore(t *testing.T, h *hanging) map[string][]webhook.Option {
	t.Helper()
	deduplicator, tracker := webhook.WithDeduplicator(h), webhook.WithTracker(newTracker(t, h))
	return map[string][]webhook.Option{
		"the deduplicator": {deduplicator}, "the tracker": {tracker}, "both of them": {deduplicator, tracker},
	}
}

// forEveryHang runs a test for each store that hangs, with and without
// observing its context.
func forEveryHang(t *testing.T, test func(t *testing.T, h *hanging, options []webhook.Option)) {
	t.Helper()
	for name := range everyStore(t, &hanging{}) {
		for _, deaf := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", which is deaf"}[deaf], func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					h := (&hanging{deaf: deaf}).hangFor(time.Hour)
					test(t, h, everyStore(t, h)[name])
				})
			})
		}
	}
}

// A store that hangs must not take more time than one that refuses.
func TestAStoreThatHangsCostsARequestOnlyItsLimit(t *testing.T) {
	t.Parallel()
	forEveryHang(t, func(t *testing.T, _ *hanging, options []webhook.Option) {
		receiver := newReceiver(t, options...)
		events := handleRest(receiver)
		var had time.Duration
		webhook.OnAny(receiver, func(ctx context.Context, _ *rawEvent) error {
			deadline, _ := ctx.Deadline()
			had = time.Until(deadline)
			return nil
		})
		began := time.Now()
		serve(receiver, signed(t, sample(t, "error")))
		assert.Len(t, *events, 1)
		assert.GreaterOrEqual(t, had, webhook.DefaultDeadline/4, "time for the handler")
		assert.LessOrEqual(t, time.Since(began), 3*webhook.DefaultStoreTimeout+time.Second)
		require.NoError(t, receiver.Shutdown(t.Context()))
	})
}

func TestNotesAfterTheHandlerDoNotHoldBackTheAnswer(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fail  error
		want  int
		calls int32
	}{"of its success": {nil, 200, 2}, "of its failure": {errOwn, 500, 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := &hanging{}
				receiver := newReceiver(t, webhook.WithDeduplicator(h))
				webhook.OnAny(receiver, func(context.Context, *rawEvent) error {
					h.hangFor(time.Hour)
					return test.fail
				})
				began := time.Now()
				body := notificationOf("contact.updated", "a", "s", int64(sentTicks), `{"id":"1"}`)
				assert.Equal(t, test.want, serve(receiver, signed(t, body)).Code)
				assert.LessOrEqual(t, time.Since(began), 200*time.Millisecond)
				require.NoError(t, receiver.Shutdown(t.Context()), "it waits for the notes")
				assert.Equal(t, test.calls, h.calls.Load())
			})
		})
	}
}

// A lost response must not use up the time of the handlers.
func TestAStoreThatHangsCostsAWorkerOnlyItsLimit(t *testing.T) {
	t.Parallel()
	forEveryHang(t, func(t *testing.T, h *hanging, options []webhook.Option) {
		q := newQueued(t, append(options, webhook.WithHandlerTimeout(10*time.Minute))...)
		events := handleRest(q.Receiver)
		var had time.Duration
		webhook.OnAny(q.Receiver, func(ctx context.Context, _ *rawEvent) error {
			deadline, _ := ctx.Deadline()
			had = time.Until(deadline)
			return nil
		})
		h.hangFor(3 * time.Second)
		q.run(t)
		require.Equal(t, 200, serve(q, signed(t, sample(t, "error"))).Code)
		<-time.After(15 * time.Second)
		synctest.Wait()
		assert.Len(t, *events, 1)
		assert.Equal(t, 10*time.Minute, had, "the time of the handlers begins when the claim is there")
		assert.Zero(t, q.queue.Len())
		require.NoError(t, q.Shutdown(t.Context()))
	})
}

func TestTheLimitOfStoresIsAnOption(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := new(hanging).hangFor(time.Hour)
		receiver := newReceiver(t, webhook.WithDeduplicator(h), webhook.WithStoreTimeout(time.Second/2))
		handleRest(receiver)
		began := time.Now()
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "error"))).Code)
		assert.LessOrEqual(t, time.Since(began), time.Second)
		require.NoError(t, receiver.Shutdown(t.Context()))
	})
	_, err := webhook.NewReceiver(clientID, webhook.Keys(key), webhook.WithStoreTimeout(0))
	requireConfigError(t, err, "WithStoreTimeout")
}
