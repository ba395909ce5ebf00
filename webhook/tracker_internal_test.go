package webhook

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process runs for months, with ever new writes.
func TestNothingIsLeftOfAWaitThatEnded(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]func(context.Context, *Tracker) error{
		"by its quiet time": func(ctx context.Context, tracker *Tracker) error {
			_, err := tracker.Wait(ctx, "a", 10*time.Second)
			return err
		},
		"by its context": func(ctx context.Context, tracker *Tracker) error {
			ctx, cancel := context.WithTimeout(ctx, 9500*time.Millisecond)
			defer cancel()
			o, err := tracker.Wait(ctx, "a", time.Hour)
			assert.Equal(t, 9*time.Second, o.Since, "what was known at the last look")
			assert.ErrorIs(t, err, context.DeadlineExceeded)
			return nil
		},
		"by news": func(ctx context.Context, tracker *Tracker) error {
			time.AfterFunc(5*time.Second, func() { assert.NoError(t, tracker.Feed(ctx, "a", TrackedEvent{Type: "fee.updated"})) })
			_, err := tracker.Wait(ctx, "a", time.Hour)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store, err := NewMemoryStore()
				require.NoError(t, err)
				tracker, err := NewTracker(store)
				require.NoError(t, err)
				require.NoError(t, tracker.Register(t.Context(), "a"))
				require.NoError(t, wait(t.Context(), tracker))
				assert.Empty(t, tracker.waiters)
			})
		})
	}
}
