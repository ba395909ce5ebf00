package transfer

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/storage"
	"github.com/practicesdk/practice-go/internal/transport"
)

func TestOnlyAFailureThatMayPassIsTriedAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		err   error
		again bool
	}{
		{"the network", errReset, true},
		{"a stall", storage.ErrStalled, true},
		{"an answer that is none", storage.ErrAnswer, true},
		{"a size that is another one", ErrSizeMismatch, true},
		{"the storage is busy", busy, true},
		{"the address has expired", &storage.StatusError{Status: 400, Code: "ExpiredToken"}, true},
		{"the object is not there", missing, false},
		{"the caller's own writer", &localError{"writing the content", errReset}, false},
		{"a forbidden address", fmt.Errorf("%w: not https", ErrStorageAddress), false},
		{"a malformed address", storage.ErrAddress, false},
		{"another version", ErrVersionChanged, false},
		{"no version to go on with", ErrNotResumable, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := retry{limits: transport.Retries{Max: 1}}
			assert.Equal(t, test.again, r.again(t.Context(), transport.Attempt{Err: test.err}))
			assert.NotEmpty(t, r.last().Reason)
		})
	}
}

func TestFailuresInARowAreCounted(t *testing.T) {
	t.Parallel()
	again := func(r *retry, a transport.Attempt) bool { return r.again(t.Context(), a) }
	r := &retry{limits: transport.Retries{Max: 2}}
	assert.True(t, again(r, transport.Attempt{Err: errReset}))
	assert.True(t, again(r, transport.Attempt{Err: busy}))
	assert.False(t, again(r, transport.Attempt{Err: errReset}))
	assert.Equal(t, "no retries are left", r.last().Reason)
	assert.Len(t, r.attempts, 3)
	assert.Equal(t, 503, r.attempts[1].Status)

	assert.True(t, again(r, transport.Attempt{Err: errReset, BytesReceived: progressed}), "it brought something")
	assert.Len(t, r.attempts, 1, "the row begins anew")
}

// TestARowOfFailuresBeginsAnewWhereEnoughArrived checks that a transfer that
// makes progress completes, and that one that makes hardly any ends with its
// retries.
func TestARowOfFailuresBeginsAnewWhereEnoughArrived(t *testing.T) {
	t.Parallel()
	const retries = 3
	for _, test := range []struct {
		rule     string
		length   int64 // -1: unknown
		each     int64 // bytes that each attempt transfers
		attempts int   // number of attempts until it is complete or fails
		whole    bool
	}{
		{"a connection that breaks after 200 KiB each time", 10 << 20, 200 << 10, 52, true},
		{"what several attempts bring counts together", 10 << 20, progressed/retries + 1, 480, true},
		{"less than that is given up", 10 << 20, progressed / (retries + 2), retries + 1, false},
		{"one byte each time", 10 << 20, 1, retries + 1, false},
		{"nothing", 10 << 20, 0, retries + 1, false},
		{"a share of a short content", 40_000, 40_000 / 40, 40, true},
		{"less than a share of it", 40_000, 40_000 / 80, retries + 1, false},
		{"a single byte is the whole", 1, 1, 1, true},
		{"a length that nobody knows", -1, progressed, 1000, true},
		{"a length that nobody knows, and little of it", -1, 100, retries + 1, false},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r := &retry{limits: transport.Retries{Max: retries}, length: test.length}
			attempts, arrived := 0, int64(0)
			for again := true; again && attempts < 1000 && (test.length < 0 || arrived < test.length); {
				attempts, arrived = attempts+1, arrived+test.each
				again = r.again(t.Context(), transport.Attempt{Err: errReset, BytesReceived: test.each})
				assert.LessOrEqual(t, len(r.attempts), retries+1, "only the failures of a row are kept")
			}
			assert.Equal(t, test.attempts, attempts)
			assert.Equal(t, test.whole, r.last().Reason != "no retries are left", r.last().Reason)
		})
	}
}

func TestProgressWaitsBeforeItGoesOn(t *testing.T) {
	t.Parallel()
	const first = time.Hour
	var waited time.Duration
	for range 20 { // each wait is random, up to the first limit
		r := &retry{limits: transport.Retries{Max: 3, FirstWait: first, MaxWait: 9 * first}, length: 1 << 30, used: 3}
		require.True(t, r.again(t.Context(), transport.Attempt{Err: errReset, BytesReceived: progressed}))
		assert.LessOrEqual(t, r.wait, first)
		waited += r.wait
	}
	assert.Positive(t, waited)
}

func TestAnAddressThatIsRefusedOnceDoesNotCount(t *testing.T) {
	t.Parallel()
	r := &retry{limits: transport.Retries{Max: 0}}
	assert.True(t, r.again(t.Context(), transport.Attempt{Err: refused}))
	assert.Zero(t, r.last().Wait)
	assert.False(t, r.again(t.Context(), transport.Attempt{Err: refused}), "a new address was refused as well")
}

func TestAnAddressThatExpiresAgainIsRenewedWithinTheRetries(t *testing.T) {
	t.Parallel()
	r := &retry{limits: transport.Retries{Max: 1}}
	expired := transport.Attempt{Err: &storage.StatusError{Status: 400, Code: "ExpiredToken"}}
	assert.True(t, r.again(t.Context(), expired))
	assert.True(t, r.again(t.Context(), expired))
	assert.False(t, r.again(t.Context(), expired))
}

func TestAnAddressIsRenewedAfterEachRowOfOtherFailures(t *testing.T) {
	t.Parallel()
	r := &retry{limits: transport.Retries{Max: 2, MaxWait: time.Minute}}
	assert.True(t, r.again(t.Context(), transport.Attempt{Err: refused}))
	assert.True(t, r.again(t.Context(), transport.Attempt{Err: &storage.StatusError{Status: 503, RetryAfter: 30 * time.Second}}))
	assert.Equal(t, 30*time.Second, r.last().Wait)
	assert.True(t, r.again(t.Context(), transport.Attempt{Err: refused}), "the new address was good before it was refused")
	assert.Zero(t, r.last().Wait)
	assert.Zero(t, r.wait, "and the wait before is over")
}

func TestAWaitThatIsTooLongIsNotBegun(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		wait  time.Duration // wait that the storage asks for
		again bool
	}{
		{"as long as the longest wait", time.Minute, true},
		{"longer", 61 * time.Second, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := &retry{limits: transport.Retries{Max: 1, MaxWait: time.Minute}}
			assert.Equal(t, test.again, r.again(t.Context(), transport.Attempt{Err: &storage.StatusError{Status: 503, RetryAfter: test.wait}}))
			if !test.again {
				assert.Equal(t, "the storage service asked the client to wait 1m1s", r.last().Reason)
				assert.Zero(t, r.last().Wait)
			}
		})
	}
}

func TestNothingIsTriedAgainWhenTheContextHasEnded(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range []error{busy, refused, errReset} {
		r := &retry{limits: transport.Retries{Max: 1}}
		assert.False(t, r.again(ctx, transport.Attempt{Err: err}))
		assert.Equal(t, "the context ended", r.last().Reason)
	}
}

func TestAWaitIsNotBegunThatTheContextWouldEnd(t *testing.T) {
	t.Parallel()
	asked := &storage.StatusError{Status: 503, RetryAfter: 30 * time.Second}
	for _, test := range []struct {
		name  string
		limit time.Duration
		again bool
	}{
		{"the deadline expires before", 30 * time.Second, false},
		{"the deadline comes after", 31 * time.Second, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), test.limit)
				defer cancel()
				r := &retry{limits: transport.Retries{Max: 1, MaxWait: time.Minute}}
				assert.Equal(t, test.again, r.again(ctx, transport.Attempt{Err: asked}))
			})
		})
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(errReset) })
		for _, wait := range []time.Duration{time.Hour, 0} {
			err := (&retry{wait: wait}).sleep(ctx)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, err, errReset, "the cause")
		}
		require.NoError(t, (&retry{wait: time.Hour}).sleep(t.Context()))
	})
}
