package backoff_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/backoff"
)

func TestASleepLastsAsLongAsItWasAskedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, d := range []time.Duration{-time.Second, 0, 1, time.Hour} {
			began := time.Now()
			require.NoError(t, backoff.Sleep(t.Context(), d))
			assert.Equal(t, max(d, 0), time.Since(began))
		}
	})
}

func TestASleepEndsWithItsContextAndSaysWhy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(why) })
		began := time.Now()
		require.ErrorIs(t, backoff.Sleep(ctx, time.Hour), why)
		assert.Equal(t, time.Second, time.Since(began))
		for _, d := range []time.Duration{-1, 0, time.Hour} {
			require.ErrorIs(t, backoff.Sleep(ctx, d), why, "it has ended before")
		}
		assert.Equal(t, time.Second, time.Since(began))
	})
}

func TestTheEndOfAContextIsFoundWithItsCause(t *testing.T) {
	t.Parallel()
	require.NoError(t, backoff.Ended(t.Context()))
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	require.ErrorIs(t, backoff.Ended(ctx), context.Canceled)
	require.ErrorIs(t, backoff.Ended(ctx), why)
	ctx, cancel = context.WithCancelCause(t.Context())
	cancel(nil)
	require.Equal(t, context.Canceled, backoff.Ended(ctx), "without a cause of its own")
}

func TestAWaitDoublesUpToTheLongest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		first, longest time.Duration
		times          int
		want           time.Duration
	}{
		{time.Second, time.Minute, 0, time.Second},
		{time.Second, time.Minute, 1, 2 * time.Second},
		{time.Second, time.Minute, 5, 32 * time.Second},
		{time.Second, time.Minute, 6, time.Minute},
		{time.Second, time.Minute, math.MaxInt, time.Minute},
		{time.Hour, time.Minute, 0, time.Minute},
		{1, math.MaxInt64, 62, 1 << 62},
		{1, math.MaxInt64, 63, math.MaxInt64},
		{0, time.Minute, math.MaxInt, 0},
		{time.Second, 0, 3, 0},
		{time.Second, time.Minute, -1, time.Second},
	} {
		assert.Equal(t, test.want, backoff.Exponential(test.first, test.longest, test.times), "%+v", test)
	}
}
