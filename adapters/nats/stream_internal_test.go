package nats

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A cluster without a leader responds like one without the stream, and then
// recreating the stream takes until its time limit.
func TestACallEndsSoonAfterALeaderIsThere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sum, longest time.Duration
		const moments = 600
		for n := range moments {
			leader := time.Now().Add(time.Duration(n) * 10 * time.Millisecond)
			_, err := retry(t.Context(), func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
				func(context.Context) (struct{}, error) {
					if time.Now().Before(leader) {
						return struct{}{}, jetstream.ErrNoStreamResponse
					}
					return struct{}{}, nil
				})
			require.NoError(t, err)
			late := time.Since(leader)
			sum, longest = sum+late, max(longest, late)
		}
		assert.LessOrEqual(t, longest, tryLimit+longestPause)
		assert.Less(t, sum/moments, tryLimit/2)
	})
}

func TestARemovedStreamIsRecreatedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began, there := time.Now(), false
		_, err := retry(t.Context(), func(context.Context) error { there = true; return nil },
			func(context.Context) (struct{}, error) {
				if there {
					return struct{}{}, nil
				}
				return struct{}{}, jetstream.ErrStreamNotFound
			})
		require.NoError(t, err)
		assert.Less(t, time.Since(began), longestPause)
	})
}
