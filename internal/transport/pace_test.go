package transport

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

// callAll makes calls in a number of goroutines, over a service that accepts
// what accepts reports.
func callAll(t *testing.T, limiter *Limiter, calls, workers int, accepts func() bool) {
	t.Helper()
	var mu sync.Mutex
	wire := tripper(func(*http.Request) (*http.Response, error) {
		<-time.After(10 * time.Millisecond)
		mu.Lock()
		defer mu.Unlock()
		if accepts() {
			return answer(200, ""), nil
		}
		return answer(429, ""), nil
	})
	chain := New(Config{HTTPClient: &http.Client{Transport: wire}, Origin: NewOrigin(mustURL(t, base)), Limiter: limiter})
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range calls / workers {
				got, err := chain.send(t, t.Context(), http.MethodPost, newCall(Create), 2*time.Minute)
				if assert.NoError(t, err) {
					assert.Equal(t, 200, got.Status)
				}
			}
		})
	}
	all.Wait()
}

// TestAConfiguredLimitIsKept checks that a client with a limit alone is never
// refused, that it stays within the limit in every period after refusals for
// another reason, and that a lower limit of the service slows it down.
func TestAConfiguredLimitIsKept(t *testing.T) {
	t.Parallel()
	limits := map[string]func() *Limiter{
		"its own":    func() *Limiter { return NewLimiter(5, 5) },
		"a caller's": func() *Limiter { return NewLimiterOver(localBucket{rate.NewLimiter(5, 5)}) },
	}
	for name, limit := range limits {
		for _, refusals := range []int{0, 1, 3, 12} {
			for _, workers := range []int{1, 10, 40} {
				synctest.Test(t, func(t *testing.T) {
					var sent []time.Time
					callAll(t, limit(), 160, workers, func() bool {
						sent = append(sent, time.Now())
						return len(sent) <= 20 || len(sent) > 20+refusals
					})
					for i := range sent {
						for j := i; j < len(sent); j++ {
							allowed := 5 + 5*sent[j].Sub(sent[i]).Seconds()
							require.LessOrEqual(t, float64(j-i+1), allowed+1e-6, "%s, %d refusals, %d workers", name, refusals, workers)
						}
					}
				})
			}
		}
	}
}

// TestAConfiguredLimitAloneIsNotRefused checks a service whose bucket is that
// of the client, but begins when the first request arrives: that one connects.
func TestAConfiguredLimitAloneIsNotRefused(t *testing.T) {
	t.Parallel()
	for _, first := range []time.Duration{0, 3 * time.Millisecond, 30 * time.Millisecond, 190 * time.Millisecond} {
		for _, workers := range []int{1, 3, 20} {
			synctest.Test(t, func(t *testing.T) {
				bucket, limiter := rate.NewLimiter(5, 5), NewLimiter(5, 5)
				var begun atomic.Bool
				var all sync.WaitGroup
				for range workers {
					all.Go(func() {
						for range 60 / workers {
							assert.NoError(t, waitOf(t.Context(), limiter))
							if begun.CompareAndSwap(false, true) {
								<-time.After(first)
							}
							assert.True(t, bucket.Allow(), "%v, %d workers", first, workers)
						}
					})
				}
				all.Wait()
			})
		}
	}
}

// paced returns a limiter with a pace of 5 a second, whose pause is over.
func paced() *Limiter {
	limiter := NewLimiter(0, 0)
	refuse(limiter, time.Second)
	<-time.After(time.Second)
	return limiter
}

// TestAWaitForThePaceThatIsGivenUpCostsNoTurn checks that a call that is
// cancelled while it waits for the pace uses up no turn.
func TestAWaitForThePaceThatIsGivenUpCostsNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := paced()
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() { _ = waitOf(ctx, limiter) })
		}
		synctest.Wait()
		leave()
		all.Wait()
		started := time.Now()
		require.NoError(t, waitOf(t.Context(), limiter))
		assert.LessOrEqual(t, time.Since(started), 200*time.Millisecond)
	})
}

// TestAWaitForThePaceBeyondTheTimeLimitFailsAtOnce checks that a call fails
// immediately if its turn would be after its time limit, also if the pace is
// above a configured limit, and that the others pass in the order they came.
func TestAWaitForThePaceBeyondTheTimeLimitFailsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter, started := paced(), time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var mu sync.Mutex
		var passed []int
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				err := waitOf(ctx, limiter)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					passed = append(passed, i)
				case assert.ErrorIs(t, err, ErrRateLimitWait):
					assert.Zero(t, time.Since(started))
				}
			})
			synctest.Wait()
		}
		all.Wait()
		assert.InDelta(t, 10, len(passed), 2, "5 a second")
		assert.IsIncreasing(t, passed)
	})
}

// TestAPaceLearnsFromTheServiceItself checks that the pace grows only while
// attempts wait for it, and that a response from in front of the service, which
// may not have reached its rate limit, ends no series of refusals.
func TestAPaceLearnsFromTheServiceItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for status, ends := range map[int]bool{200: true, 404: true, 500: true, 502: false, 503: false, 504: false} {
			for every, grows := range map[time.Duration]bool{0: true, time.Second: false} {
				limiter := paced()
				before, _ := limiter.Found()
				for range 100 {
					<-time.After(every)
					sent, err := limiter.wait(t.Context())
					require.NoError(t, err)
					limiter.answered(sent, status, time.Now(), 0)
				}
				after, _ := limiter.Found()
				assert.Equal(t, grows, after > before, "%d, every %v", status, every)
				assert.Equal(t, ends, limiter.pace.vain == 0, "%d, every %v", status, every)
			}
		}
	})
}
