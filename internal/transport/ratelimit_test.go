package transport

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func waitOf(ctx context.Context, l *Limiter) error {
	_, err := l.wait(ctx)
	return err
}

// refuse reports a 429 with a Retry-After, or 0 for none.
func refuse(l *Limiter, asked time.Duration) {
	l.answered(time.Now(), http.StatusTooManyRequests, time.Now(), asked)
}

func TestTheLimitSpreadsAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(5, 5)
		started := time.Now()
		for range 4 {
			require.NoError(t, waitOf(t.Context(), limiter))
		}
		assert.Zero(t, time.Since(started), "the burst goes out at once, but for the one in reserve")
		for range 10 {
			require.NoError(t, waitOf(t.Context(), limiter))
		}
		assert.InDelta(t, 2.02, time.Since(started).Seconds(), 0.01, "one per cent under five a second")
	})
}

func TestThe429GateHoldsEveryoneBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, _ := chainOver(t, nil, status(429, "Retry-After", "4"), status(200))
		started := time.Now()
		var others sync.WaitGroup
		_, err := chain.send(t, t.Context(), http.MethodPost, newCall(Create), 0)
		require.NoError(t, err)
		assert.Equal(t, 4*time.Second, time.Since(started))

		chain, _ = chainOver(t, nil, status(429, "Retry-After", "4"), status(200))
		call := newCall(Read)
		call.Retries.Max = 0
		got, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
		require.NoError(t, err)
		assert.Equal(t, 429, got.Status)
		started = time.Now()
		for range 3 {
			others.Go(func() {
				_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
				assert.NoError(t, err)
				assert.GreaterOrEqual(t, time.Since(started), 4*time.Second, "closed by another goroutine's 429")
				assert.LessOrEqual(t, time.Since(started), 5*time.Second, "and then one after the other")
			})
		}
		others.Wait()
	})
}

// TestA429ClosesTheGateAlthoughItsCallEnds checks that the header of a 429
// closes the gate, whatever the outcome of its call.
func TestA429ClosesTheGateAlthoughItsCallEnds(t *testing.T) {
	t.Parallel()
	late := func(req *http.Request) (*http.Response, error) {
		resp, _ := stalledBody(req)
		resp.StatusCode, resp.Header = http.StatusTooManyRequests, http.Header{"Retry-After": {"4"}}
		return resp, nil
	}
	cut := func(req *http.Request) (*http.Response, error) {
		resp, err := truncated(http.StatusTooManyRequests)(req)
		resp.Header.Set("Retry-After", "4")
		return resp, err
	}
	for _, test := range []struct {
		name  string
		wire  tripper
		class Class
		total time.Duration
	}{
		{"its body broke off", cut, Create, 0},
		{"its body came too late", late, Read, time.Second},
		{"its time limit is too short", status(429, "Retry-After", "4"), Read, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				chain, sent := chainOver(t, nil, test.wire, status(200))
				started := time.Now()
				_, _ = chain.send(t, t.Context(), methodOf(test.class), newCall(test.class), test.total)
				assert.Equal(t, 1, *sent)
				_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
				require.NoError(t, err)
				assert.GreaterOrEqual(t, time.Since(started), 4*time.Second)
			})
		})
	}
}

func TestAWaitBeyondTheTimeLimitFailsAtOnce(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*Limiter){
		"in the bucket":   func(l *Limiter) { assert.NoError(t, waitOf(context.Background(), l)) },
		"before the gate": func(l *Limiter) { refuse(l, time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				limiter := NewLimiter(0.1, 1)
				prepare(limiter)
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				started := time.Now()
				require.ErrorIs(t, waitOf(ctx, limiter), ErrRateLimitWait)
				assert.Zero(t, time.Since(started))
			})
		})
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		refuse(limiter, time.Minute)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		require.ErrorIs(t, waitOf(ctx, limiter), context.Canceled)
	})
}

func TestTheRateLimitIsOutsideTheAttemptsTimeLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, _ := chainOver(t, nil, status(200))
		refuse(chain.limiter, 10*time.Second)
		call := newCall(Read)
		call.AttemptTimeout = time.Second
		_, err := chain.send(t, t.Context(), http.MethodGet, call, 0)
		require.NoError(t, err)
	})
}

// TestAGateThatIsClosedForTooLongEndsTheCall checks that a call waits no longer
// for a time from another call's 429 than for one from its own, and that one
// Retry-After stops a client for an hour at most.
func TestAGateThatIsClosedForTooLongEndsTheCall(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"3600", "1900000000", "1e300", "Sat, 01 Jan 2101 00:00:00 GMT"} {
		synctest.Test(t, func(t *testing.T) {
			chain, sent := chainOver(t, nil, status(429, "Retry-After", header), status(200))
			refused, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
			require.NoError(t, err)
			asked, _ := RetryAfter(refused.Header)
			assert.True(t, asked == time.Hour || asked > 1_000_000*time.Second, "the whole value, for its error")
			_, err = chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
			require.ErrorIs(t, err, ErrRateLimitWait)
			assert.ErrorContains(t, err, "1h0m0s")
			<-time.After(time.Hour - 10*time.Second)
			_, err = chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
			require.NoError(t, err)
			assert.Equal(t, 2, *sent)
		})
	}
}

// turns is a Limiter that returns its errors in turn.
type turns []error

func (w *turns) Wait(context.Context) error {
	next := (*w)[0]
	*w = (*w)[1:]
	return next
}

func TestALimitThatIsKeptElsewhereIsAskedBeforeEveryAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		chain, sent := chainOver(t, nil, status(429, "Retry-After", "4"), status(200))
		over := errors.New("not today")
		chain.limiter.bucket = &turns{nil, nil, over}
		started := time.Now()
		_, err := chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.NoError(t, err)
		assert.Equal(t, 2, *sent)
		assert.Equal(t, 4*time.Second, time.Since(started), "the gate after a 429 is the client's own")

		_, err = chain.send(t, t.Context(), http.MethodGet, newCall(Read), 0)
		require.ErrorIs(t, err, over)
		assert.Equal(t, 2, *sent, "nothing was sent")
	})
}
