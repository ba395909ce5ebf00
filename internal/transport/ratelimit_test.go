package transport

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
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

// TestAConfiguredLimitIsKept checks that a client stays within its limit in
// every period, also after refusals for another reason, and if the first
// request, which connects, reaches the service later than the others.
func TestAConfiguredLimitIsKept(t *testing.T) {
	t.Parallel()
	for _, first := range []time.Duration{0, 3 * time.Millisecond, 30 * time.Millisecond, 190 * time.Millisecond} {
		for _, refusals := range []int{0, 1, 3, 12} {
			for _, workers := range []int{1, 3, 10, 40} {
				arrived := arrivals(t, workers, refusals, first)
				for i, from := range arrived {
					for n, to := range arrived[i:] {
						if allowed := 5 + 5*to.Sub(from).Seconds(); float64(n+1) > allowed+1e-6 {
							t.Fatalf("%v, %d refusals, %d workers: %d requests in %v", first, refusals, workers, n+1, to.Sub(from))
						}
					}
				}
			}
		}
	}
}

// arrivals returns when each of 160 requests of a client with a limit of 5 a
// second reached a service that refuses some after the twentieth.
func arrivals(t *testing.T, workers, refusals int, first time.Duration) (arrived []time.Time) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var all sync.WaitGroup
		var begun atomic.Bool
		limiter := NewLimiter(5, 5)
		arrive := func() (status int) {
			mu.Lock()
			defer mu.Unlock()
			if arrived = append(arrived, time.Now()); len(arrived) > 20 && len(arrived) <= 20+refusals {
				return http.StatusTooManyRequests
			}
			return http.StatusOK
		}
		for range workers {
			all.Go(func() {
				for range 160 / workers {
					sent, err := limiter.wait(t.Context())
					assert.NoError(t, err)
					if begun.CompareAndSwap(false, true) {
						<-time.After(first)
					}
					limiter.answered(sent, arrive(), time.Now(), 0)
				}
			})
		}
		all.Wait()
	})
	return arrived
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
