package transport

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
