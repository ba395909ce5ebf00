package transport

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheTotalLimitEndsTheContextOfACall checks the total limit for callers
// that wait for Done and for those that poll Err.
func TestTheTotalLimitEndsTheContextOfACall(t *testing.T) {
	t.Parallel()
	for name, look := range map[string]func(ctx context.Context){
		"waited for": func(ctx context.Context) { <-ctx.Done() },
		"looked at":  func(context.Context) { <-time.After(time.Minute) },
		"waited for below": func(ctx context.Context) {
			below, stop := context.WithCancel(ctx)
			defer stop()
			<-below.Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				call := &Call{Timeout: time.Minute}
				ctx := withCall(t.Context(), call)
				defer ctx.finish()
				require.NoError(t, ctx.Err())
				deadline, ok := ctx.Deadline()
				assert.True(t, ok)
				assert.Equal(t, time.Minute, time.Until(deadline))

				look(ctx)
				require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
				assert.Equal(t, &TimeLimitError{Limit: time.Minute, Total: true}, context.Cause(ctx))
				assert.Same(t, call, callFrom(ctx))
			})
		})
	}
}

func TestTheCallersContextEndsTheContextOfACall(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]time.Duration{"with a total limit": time.Minute, "without one": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			callers, cancel := context.WithCancelCause(context.WithValue(t.Context(), testKey{}, "value"))
			ctx := withCall(callers, &Call{Timeout: limit})
			defer ctx.finish()
			assert.Equal(t, "value", ctx.Value(testKey{}))
			done := ctx.Done()
			assert.Equal(t, "value", ctx.Value(testKey{}))

			cancel(assert.AnError)
			<-done
			require.ErrorIs(t, ctx.Err(), context.Canceled)
			assert.Equal(t, assert.AnError, context.Cause(ctx))
		})
	}
}

type testKey struct{}

func TestAnEarlierDeadlineOfTheCallerStays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		callers, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		ctx := withCall(callers, &Call{Timeout: time.Minute})
		defer ctx.finish()
		deadline, _ := ctx.Deadline()
		assert.Equal(t, time.Second, time.Until(deadline))
		<-ctx.Done()
		assert.Equal(t, context.DeadlineExceeded, context.Cause(ctx), "not a limit of ours")
	})
}

func TestTheContextOfACallEndsWithIt(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(ctx context.Context){
		"waited for before": func(ctx context.Context) { ctx.Done() },
		"never waited for":  func(context.Context) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := withCall(t.Context(), &Call{Timeout: time.Minute})
			before(ctx)
			ctx.finish()
			require.ErrorIs(t, ctx.Err(), context.Canceled)
			<-ctx.Done()
		})
	}
}

func TestAnAttemptEndsWithTheEarlierLimit(t *testing.T) {
	t.Parallel()
	const attempt, total = 2 * time.Second, 5 * time.Second
	for _, test := range []struct {
		name   string
		passed time.Duration // time of the call before the attempt
		want   error
		after  time.Duration
	}{
		{"of the attempt", 0, &TimeLimitError{Limit: attempt}, attempt},
		{"of the call", 4 * time.Second, &TimeLimitError{Limit: total, Total: true}, time.Second},
	} {
		for _, wrapped := range []bool{false, true} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					call := &Call{Timeout: total, AttemptTimeout: attempt}
					limited := withCall(t.Context(), call)
					defer limited.finish()
					<-time.After(test.passed)
					var ctx context.Context = limited
					if wrapped { // a middleware may wrap the context
						ctx = context.WithValue(ctx, testKey{}, "value")
					}
					started := time.Now()
					own := limitAttempt(ctx, !wrapped)
					defer own.finish()
					ctx = own
					<-ctx.Done()
					assert.Equal(t, test.after, time.Since(started))
					assert.Equal(t, test.want, context.Cause(ctx))
					assert.Same(t, call, callFrom(ctx))
				})
			})
		}
	}
}
