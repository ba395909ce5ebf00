package transport

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

// allowance is what a service lets pass: it says whether it takes a request now.
type allowance func() bool

func tokenBucket(perSecond float64, burst int) allowance {
	bucket := rate.NewLimiter(rate.Limit(perSecond), burst)
	return bucket.Allow
}

// fixedWindow lets a number of requests pass in each second of the clock.
func fixedWindow(perSecond int) allowance {
	var second int64
	passed := 0
	return func() bool {
		if now := time.Now().Unix(); now != second {
			second, passed = now, 0
		}
		passed++
		return passed <= perSecond
	}
}

// slidingWindow lets a number of requests pass in any second.
func slidingWindow(perSecond int) allowance {
	var taken []time.Time
	return func() bool {
		now := time.Now()
		for len(taken) > 0 && now.Sub(taken[0]) >= time.Second {
			taken = taken[1:]
		}
		if len(taken) == perSecond {
			return false
		}
		taken = append(taken, now)
		return true
	}
}

// A client that was told no limit finds that of the service: it is as fast as the
// limit allows, no call fails, and hardly a request is refused. Which goroutine comes
// first is a matter of chance, so several runs are held to that together, and each of
// them to a little less.
func TestAClientFindsTheLimitOfTheService(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		perSecond float64
		allowed   func() allowance
		workers   int
		latency   time.Duration
		header    string // Retry-After
		calls     int    // 0 means 1,000
	}{
		{name: "that of the service", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 5) }, workers: 8},
		{name: "one worker", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 5) }, workers: 1},
		{name: "many workers", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 5) }, workers: 16},
		{name: "a slow connection", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 5) }, workers: 8, latency: 200 * time.Millisecond},
		{name: "Retry-After", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 5) }, workers: 8, header: "1"},
		{name: "no burst", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 1) }, workers: 8},
		{name: "a large burst", perSecond: 5, allowed: func() allowance { return tokenBucket(5, 50) }, workers: 8},
		{name: "windows of a second", perSecond: 5, allowed: func() allowance { return fixedWindow(5) }, workers: 8},
		{name: "any second", perSecond: 5, allowed: func() allowance { return slidingWindow(5) }, workers: 8},
		{name: "a slow service", perSecond: 1, allowed: func() allowance { return tokenBucket(1, 1) }, workers: 8},
		{name: "a fast service", perSecond: 20, allowed: func() allowance { return tokenBucket(20, 10) }, workers: 16, latency: 10 * time.Millisecond, calls: 3000},
		{name: "a very fast service", perSecond: 100, allowed: func() allowance { return tokenBucket(100, 20) }, workers: 16, latency: 10 * time.Millisecond, calls: 10_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				calls := test.calls
				if calls == 0 {
					calls = 1000
				}
				const runs = 5
				floor, took, refused := float64(calls)/test.perSecond, 0.0, 0.0
				for range runs {
					service := &limitedService{allowed: test.allowed(), latency: test.latency, header: test.header}
					one := service.work(t, calls, test.workers, NewLimiter(0, 0)).Seconds()
					assert.LessOrEqual(t, one, 1.2*floor)
					assert.LessOrEqual(t, service.refused, calls/20)
					took, refused = took+one, refused+float64(service.refused)
				}
				assert.LessOrEqual(t, took, 1.1*runs*floor)
				assert.LessOrEqual(t, refused, 0.02*(runs*float64(calls)+refused))
			})
		})
	}
}

// Refusals that have nothing to do with the rate do not bring a client to a stop.
func TestRefusalsAtRandomHardlySlowAClientDown(t *testing.T) {
	t.Parallel()
	for _, share := range []int{50, 200} { // one request of so many is refused
		t.Run(strconv.Itoa(share), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				chance := rand.New(rand.NewPCG(1, uint64(share)))
				service := &limitedService{allowed: func() bool { return chance.IntN(share) > 0 }, latency: 10 * time.Millisecond}
				took := service.work(t, 10_000, 8, NewLimiter(0, 0))
				assert.LessOrEqual(t, took, 100*time.Second, "12.5 s without a refusal")
			})
		})
	}
}

// limitedService answers what is too much with 429.
type limitedService struct {
	mu      sync.Mutex
	allowed allowance
	latency time.Duration
	header  string
	refused int
}

func (s *limitedService) answer(*http.Request) (*http.Response, error) {
	<-time.After(s.latency / 2)
	s.mu.Lock()
	pass := s.allowed()
	if !pass {
		s.refused++
	}
	s.mu.Unlock()
	<-time.After(s.latency - s.latency/2)
	if pass {
		return answer(200, ""), nil
	}
	return answer(429, "", "Retry-After", s.header), nil
}

// work makes so many calls in so many goroutines and says how long they took.
func (s *limitedService) work(t *testing.T, calls, workers int, limiter *Limiter) time.Duration {
	t.Helper()
	chain := New(Config{HTTPClient: &http.Client{Transport: tripper(s.answer)}, Origin: NewOrigin(mustURL(t, base)), Limiter: limiter})
	started := time.Now()
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for i := worker; i < calls; i += workers {
				call := newCall(Create)
				call.Retries = Retries{Max: 3, FirstWait: 500 * time.Millisecond, MaxWait: 30 * time.Second}
				got, err := chain.send(t, t.Context(), http.MethodPost, call, 2*time.Minute)
				if assert.NoError(t, err) {
					assert.Equal(t, 200, got.Status)
				}
			}
		})
	}
	all.Wait()
	return time.Since(started)
}

func TestALimitThatWasSetIsOnlyLowered(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		set, allowed float64
		least, most  float64 // seconds that 200 calls take
	}{
		{"the service allows more", 2, 5, 99, 102},
		{"the service allows less", 20, 5, 38, 50},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := &limitedService{allowed: tokenBucket(test.allowed, 1)}
				took := service.work(t, 200, 8, NewLimiter(test.set, 1))
				assert.GreaterOrEqual(t, took.Seconds(), test.least)
				assert.LessOrEqual(t, took.Seconds(), test.most)
			})
		})
	}
}

// Calls that leave while they wait for the pace take no turn along.
func TestAWaitForThePaceThatIsGivenUpCostsNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		first, err := limiter.wait(t.Context())
		require.NoError(t, err)
		limiter.answered(first, http.StatusTooManyRequests) // 4 a second from now on
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				_, err := limiter.wait(ctx)
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		leave()
		all.Wait()
		started := time.Now()
		_, err = limiter.wait(t.Context())
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(started), 250*time.Millisecond)
	})
}

// A call that the pace would let out too late fails at once.
func TestAWaitForThePaceBeyondTheTimeLimitFailsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		limiter.answered(turn{}, http.StatusTooManyRequests)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var passed, failed atomic.Int32
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := limiter.wait(ctx); err != nil {
					assert.ErrorIs(t, err, ErrRateLimitWait)
					failed.Add(1)
				} else {
					passed.Add(1)
				}
			})
		}
		all.Wait()
		assert.InDelta(t, 8, passed.Load(), 1, "4 a second")
		assert.Equal(t, int32(20), passed.Load()+failed.Load())
	})
}

// A pace that nobody needs stays as it is.
func TestAPaceGrowsOnlyWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		limiter.answered(turn{}, http.StatusTooManyRequests)
		before := limiter.pace.perSecond
		for range 100 {
			<-time.After(time.Second)
			turn, err := limiter.wait(t.Context())
			require.NoError(t, err)
			limiter.answered(turn, 200)
		}
		assert.InDelta(t, before, limiter.pace.perSecond, 0.001)
	})
}

// After a time in which the service refused everything, the client comes back to
// the limit within a minute or two.
func TestAClientComesBackAfterATimeOfRefusals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		closed := time.Now().Add(time.Minute)
		bucket := tokenBucket(5, 5)
		service := &limitedService{allowed: func() bool { return time.Now().After(closed) && bucket() }}
		took := service.work(t, 1000, 8, NewLimiter(0, 0))
		assert.LessOrEqual(t, took, 60*time.Second+200*time.Second+100*time.Second)
	})
}
