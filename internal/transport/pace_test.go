package transport

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
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

// allowance reports whether a service accepts a request now.
type allowance func() bool

func tokenBucket(perSecond float64, burst int) allowance {
	bucket := rate.NewLimiter(rate.Limit(perSecond), burst)
	return bucket.Allow
}

// fixedWindow allows a number of requests in each second of the clock.
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

// slidingWindow allows a number of requests in any period of a second.
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

// TestAClientFindsTheLimitOfTheService checks that a client without a
// configured limit finds that of the service: it is nearly as fast as the limit
// allows and no call fails. Once the limit is found, hardly any request is
// refused: at most two in a hundred, or one in ten seconds. The scheduling of
// goroutines is random, so these bounds hold for several runs together, and
// slightly wider ones for each run.
func TestAClientFindsTheLimitOfTheService(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		perSecond float64
		allowed   func() allowance
		workers   int
		latency   time.Duration
		header    string // value of Retry-After
		calls     int    // 0: 1,000
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
					took, refused = took+one, refused+float64(service.refused)
				}
				assert.LessOrEqual(t, took, 1.12*runs*floor)
				const finding = 70 // refusals before the limit is found
				assert.LessOrEqual(t, refused-runs*finding, max(0.02*(runs*float64(calls)+refused), took/10))
			})
		})
	}
}

// TestAClientKeepsUpWithWindowsOfASecond checks a service that counts by the
// second and refuses everything until the next one: the client must not become
// slow. The scheduling of goroutines has a small effect, so several runs are
// judged together.
func TestAClientKeepsUpWithWindowsOfASecond(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{20, 50, 100} {
		for name, allowed := range map[string]func(int) allowance{"of the clock": fixedWindow, "any second": slidingWindow} {
			t.Run(fmt.Sprint(perSecond, " ", name), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					const calls, runs = 4000, 5
					floor, took := calls/float64(perSecond), 0.0
					for range runs {
						service := &limitedService{allowed: allowed(perSecond), latency: 5 * time.Millisecond}
						one := service.work(t, calls, 8, NewLimiter(0, 0)).Seconds()
						assert.LessOrEqual(t, one, 1.7*floor)
						took += one
					}
					assert.LessOrEqual(t, took, 1.5*runs*floor)
				})
			})
		}
	}
}

// TestRefusalsAtRandomHardlySlowAClientDown checks refusals that do not depend
// on the rate.
func TestRefusalsAtRandomHardlySlowAClientDown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		share   int // one request in share is refused
		workers int
		most    float64 // duration relative to a run without refusals, the median of five runs
	}{
		{200, 8, 2}, {50, 8, 6}, {20, 8, 20}, {10, 8, 100},
		{50, 1, 2}, {10, 1, 8}, {5, 1, 15},
	} {
		t.Run(fmt.Sprint("one of ", test.share, ", ", test.workers, " workers"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const calls, latency = 1000, 50 * time.Millisecond
				var times []float64
				for run := range 5 {
					chance := rand.New(rand.NewPCG(uint64(run), uint64(test.share)))
					service := &limitedService{allowed: func() bool { return chance.IntN(test.share) > 0 }, latency: latency}
					took := service.work(t, calls, test.workers, NewLimiter(0, 0))
					times = append(times, took.Seconds()*float64(test.workers)/calls/latency.Seconds())
				}
				slices.Sort(times)
				assert.LessOrEqual(t, times[len(times)/2], test.most, "%.1f", times)
			})
		})
	}
}

// TestALimitIsFoundAmongRefusalsAtRandom checks that a client finds a limit
// among random refusals without causing many more: it detects that it exceeds
// the limit when more requests are refused than by chance.
func TestALimitIsFoundAmongRefusalsAtRandom(t *testing.T) {
	t.Parallel()
	for share, most := range map[int]float64{50: 1.4, 20: 1.6, 10: 3} { // duration relative to a run without refusals, the median of nine runs
		t.Run(strconv.Itoa(share), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const calls, perSecond, runs = 1000, 5, 9
				var times, refused []float64
				for run := range runs {
					chance := rand.New(rand.NewPCG(uint64(run), uint64(share)))
					bucket, byRate := tokenBucket(perSecond, 5), 0
					service := &limitedService{latency: 10 * time.Millisecond}
					service.allowed = func() bool {
						if chance.IntN(share) == 0 {
							return false
						}
						passes := bucket()
						if !passes {
							byRate++
						}
						return passes
					}
					times = append(times, service.work(t, calls, 8, NewLimiter(0, 0)).Seconds()*perSecond/calls)
					refused = append(refused, float64(byRate)/calls)
				}
				slices.Sort(times)
				slices.Sort(refused)
				assert.LessOrEqual(t, times[runs/2], most, "%.2f", times)
				assert.LessOrEqual(t, refused[runs/2], 0.2, "%.3f", refused)
			})
		})
	}
}

// TestAConfiguredLimitIsKeptAfterRefusals checks that a client with a limit
// stays within it in every period after refusals, while attempts wait for the
// gate and for the pace.
func TestAConfiguredLimitIsKeptAfterRefusals(t *testing.T) {
	t.Parallel()
	const perSecond, burst = 5, 5
	limits := map[string]func() *Limiter{
		"its own":    func() *Limiter { return NewLimiter(perSecond, burst) },
		"a caller's": func() *Limiter { return NewLimiterOver(localBucket{rate.NewLimiter(perSecond, burst)}) },
	}
	for name, limit := range limits {
		for _, header := range []string{"", "2"} {
			for _, refusals := range []int{1, 2, 3, 12} {
				for _, workers := range []int{1, 10, 40} {
					synctest.Test(t, func(t *testing.T) {
						var sent []time.Time
						service := &limitedService{latency: 50 * time.Millisecond, header: header}
						service.allowed = func() bool {
							sent = append(sent, time.Now())
							return len(sent) <= 20 || len(sent) > 20+refusals
						}
						took := service.work(t, 150, workers, limit())
						assert.Less(t, took, 90*time.Second)
						for i := range sent {
							for j := i; j < len(sent); j++ {
								allowed := burst + perSecond*sent[j].Sub(sent[i]).Seconds()
								require.LessOrEqual(t, float64(j-i+1), allowed+1e-6, "%s, Retry-After %q, %d refusals, %d workers, from %s to %s", name, header, refusals, workers, sent[i], sent[j])
							}
						}
					})
				}
			}
		}
	}
}

// TestASingleRefusalBeginsNoPace checks that one refusal does not slow down a
// client that sends little.
func TestASingleRefusalBeginsNoPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		attempt := func(status int) time.Duration {
			began := time.Now()
			turn, err := limiter.wait(t.Context(), "")
			require.NoError(t, err)
			limiter.answered(turn, status, time.Now())
			return time.Since(began)
		}
		for range 10 {
			assert.Zero(t, attempt(http.StatusOK))
			assert.Zero(t, attempt(http.StatusTooManyRequests))
			assert.Zero(t, attempt(http.StatusOK))
			<-time.After(aloneFor + time.Second)
		}
		attempt(http.StatusTooManyRequests)
		attempt(http.StatusTooManyRequests)
		assert.Equal(t, 250*time.Millisecond, attempt(http.StatusOK), "two of them soon after each other")
	})
}

// TestAClientFollowsALimitThatChanges checks a changing limit, also among
// random refusals.
func TestAClientFollowsALimitThatChanges(t *testing.T) {
	t.Parallel()
	for share, refused := range map[int]int{0: 60, 20: 400} { // one request in share is refused at random; refused limits the refusals by the limit
		t.Run(strconv.Itoa(share), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				chance := rand.New(rand.NewPCG(7, uint64(share)))
				bucket, byRate := rate.NewLimiter(50, 10), 0
				service := &limitedService{latency: 10 * time.Millisecond}
				service.allowed = func() bool {
					if share > 0 && chance.IntN(share) == 0 {
						return false
					}
					passes := bucket.Allow()
					if !passes {
						byRate++
					}
					return passes
				}
				limiter := NewLimiter(0, 0)
				service.work(t, 2000, 8, limiter)
				bucket.SetLimit(2)
				byRate = 0
				lowered := service.work(t, 300, 8, limiter)
				assert.LessOrEqual(t, lowered, 300*time.Second, "150 s at the limit")
				assert.LessOrEqual(t, byRate, refused)
				bucket.SetLimit(50)
				assert.LessOrEqual(t, service.work(t, 2000, 8, limiter), 300*time.Second, "40 s at the limit")
			})
		})
	}
}

// limitedService responds 429 to requests beyond its limit.
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

// work makes calls in a number of goroutines and returns the total time.
func (s *limitedService) work(t *testing.T, calls, workers int, limiter *Limiter) time.Duration {
	t.Helper()
	plain := &http.Transport{Protocols: new(http.Protocols)} // with HTTP/2, each exchange would have its own goroutine, which would change the order of calls
	plain.RegisterProtocol("https", tripper(s.answer))
	chain := New(Config{HTTPClient: &http.Client{Transport: plain}, Origin: NewOrigin(mustURL(t, base)), Limiter: limiter})
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
		least, most  float64 // seconds for 200 calls
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

// TestAWaitForThePaceThatIsGivenUpCostsNoTurn checks that a call that is
// cancelled while it waits for the pace uses up no turn.
func TestAWaitForThePaceThatIsGivenUpCostsNoTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		first, err := limiter.wait(t.Context(), "")
		require.NoError(t, err)
		limiter.answered(first, http.StatusTooManyRequests, time.Now())
		limiter.answered(first, http.StatusTooManyRequests, time.Now()) // from now on 4 a second
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				_, err := limiter.wait(ctx, "")
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		leave()
		all.Wait()
		started := time.Now()
		_, err = limiter.wait(t.Context(), "")
		require.NoError(t, err)
		assert.LessOrEqual(t, time.Since(started), 250*time.Millisecond)
	})
}

// TestAWaitForThePaceBeyondTheTimeLimitFailsAtOnce checks that a call fails
// immediately if its turn would be after its time limit.
func TestAWaitForThePaceBeyondTheTimeLimitFailsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		limiter.answered(turn{}, http.StatusTooManyRequests, time.Now())
		limiter.answered(turn{}, http.StatusTooManyRequests, time.Now())
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		var passed, failed atomic.Int32
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := limiter.wait(ctx, ""); err != nil {
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

// TestAPaceGrowsOnlyWhenItIsNeeded checks that the pace stays constant while no
// call waits for it.
func TestAPaceGrowsOnlyWhenItIsNeeded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := NewLimiter(0, 0)
		limiter.answered(turn{}, http.StatusTooManyRequests, time.Now())
		limiter.answered(turn{}, http.StatusTooManyRequests, time.Now())
		before := limiter.pace.perSecond
		for range 100 {
			<-time.After(time.Second)
			turn, err := limiter.wait(t.Context(), "")
			require.NoError(t, err)
			limiter.answered(turn, 200, time.Now())
		}
		assert.InDelta(t, before, limiter.pace.perSecond, 0.001)
	})
}

// TestAPaceLearnsNothingFromAttemptsBeforeTheLimit checks attempts that may not
// have reached the rate limiter of the service: they show neither that it
// allows more nor that it allowed little in that time.
func TestAPaceLearnsNothingFromAttemptsBeforeTheLimit(t *testing.T) {
	t.Parallel()
	for status, learns := range map[int]bool{0: false, 502: false, 503: false, 504: false, 200: true, 404: true, 500: true} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				limiter := NewLimiter(0, 0)
				limiter.answered(turn{}, http.StatusTooManyRequests, time.Now())
				limiter.answered(turn{}, http.StatusTooManyRequests, time.Now())
				before := limiter.pace
				for range 100 {
					turn, err := limiter.wait(t.Context(), "")
					require.NoError(t, err)
					limiter.answered(turn, status, time.Now())
				}
				after := limiter.pace
				if learns {
					assert.Greater(t, after.perSecond, before.perSecond)
					assert.Equal(t, 100, after.accepted)
					return
				}
				assert.InDelta(t, before.perSecond, after.perSecond, 0.001)
				assert.Equal(t, before.accepted, after.accepted)
				assert.Equal(t, before.seen, after.seen)
			})
		})
	}
}

// TestAClientComesBackAfterATimeOfRefusals checks that a client reaches the
// limit again within one to two minutes after the service refused everything
// for a time.
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
