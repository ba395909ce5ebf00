package webhook_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/webhook"
)

type place struct{}

// noting is a middleware that records its beginning and end.
func noting(name string, into *[]string) webhook.Middleware {
	return func(next webhook.Handler) webhook.Handler {
		return func(ctx context.Context, e *rawEvent) error {
			*into = append(*into, name+" begins "+string(e.Type))
			err := next(context.WithValue(ctx, place{}, name), e)
			if err != nil {
				*into = append(*into, name+" ends with "+err.Error())
			}
			return err
		}
	}
}

func TestMiddlewareSurroundsTheHandlersOfAnEvent(t *testing.T) {
	t.Parallel()
	var got []string
	receiver := newReceiver(t, webhook.WithMiddleware(noting("outer", &got)), webhook.WithMiddleware(noting("inner", &got)))
	for _, name := range []string{"first", "second"} {
		webhook.On(receiver, models.EventTypeMatterUpdated, func(ctx context.Context, _ *matterEvent) error {
			got = append(got, name+" within "+ctx.Value(place{}).(string))
			if name == "second" {
				return errOwn
			}
			return nil
		})
	}
	require.Equal(t, 500, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
	assert.Equal(t, []string{
		"outer begins matter.updated", "inner begins matter.updated", "first within inner", "second within inner",
		"inner ends with " + errOwn.Error(), "outer ends with " + errOwn.Error(),
	}, got)
	require.Equal(t, 200, serve(receiver, signed(t, sample(t, "unknown-type"))).Code)
	assert.Len(t, got, 6, "nobody handles it")
}

func TestMiddlewareSurroundsEveryAttemptFromAQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		queue, err := webhook.NewMemoryQueue(10)
		require.NoError(t, err)
		var mu sync.Mutex
		var attempts []int
		var last []bool
		policy := webhook.DefaultRetryPolicy()
		policy.Attempts = 3
		receiver := newReceiver(t, webhook.WithQueue(queue), webhook.WithDeduplicator(newDeduplicator(t)), webhook.WithRetryPolicy(policy),
			webhook.WithMiddleware(func(next webhook.Handler) webhook.Handler {
				return func(ctx context.Context, e *rawEvent) error {
					mu.Lock()
					defer mu.Unlock()
					attempts, last = append(attempts, e.Attempt), append(last, e.LastAttempt)
					return next(ctx, e)
				}
			}))
		webhook.On(receiver, models.EventTypeMatterUpdated, func(_ context.Context, e *matterEvent) error {
			if e.Attempt < 3 {
				return errOwn
			}
			return nil
		})
		var running sync.WaitGroup
		running.Go(func() { assert.NoError(t, receiver.Run(context.Background())) })
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
		<-time.After(time.Minute)
		require.Equal(t, 200, serve(receiver, signed(t, sample(t, "matter-updated"))).Code, "which is dropped as a duplicate")
		require.NoError(t, receiver.Shutdown(t.Context()))
		running.Wait()
		assert.Equal(t, []int{1, 2, 3}, attempts)
		assert.Equal(t, []bool{false, false, true}, last)
	})
}

func TestAMiddlewareMayAnswerForTheHandlers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		middleware webhook.Handler
		status     int
	}{
		"it drops the event":  {func(context.Context, *rawEvent) error { return nil }, 200},
		"it fails":            {func(context.Context, *rawEvent) error { return errors.New("no database") }, 500},
		"it panics":           {func(context.Context, *rawEvent) error { panic("no database") }, 500},
		"it gives it up":      {func(context.Context, *rawEvent) error { return webhook.Permanent(errOwn) }, 200},
		"it wants it later":   {func(context.Context, *rawEvent) error { return webhook.RetryAfter(errOwn, time.Second) }, 503},
		"it wraps a sentinel": {func(context.Context, *rawEvent) error { return webhook.ErrBadSignature }, 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := newReceiver(t, webhook.WithMiddleware(func(webhook.Handler) webhook.Handler { return test.middleware }))
			webhook.OnAny(receiver, func(context.Context, *webhook.Event[json.RawMessage]) error { panic("it was called") })
			assert.Equal(t, test.status, serve(receiver, signed(t, sample(t, "matter-updated"))).Code)
		})
	}
}
