package redis_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/practicetest"
)

// simulate runs a test in a bubble, with a Redis that uses the time of the
// bubble.
func simulate(t *testing.T, test func(*testing.T, *simulated)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { test(t, newSimulated()) })
}

func TestTheLimitIsThatOfAllProcessesTogether(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		const perSecond, burst, turns, processes = 50, 10, 90, 3
		started := time.Now()
		var all sync.WaitGroup
		for range processes {
			limiter := s.limiter(t, perSecond, burst)
			for range 5 {
				all.Go(func() {
					for range turns / processes / 5 {
						assert.NoError(t, limiter.Wait(context.Background()))
					}
				})
			}
		}
		all.Wait()
		const want = (turns - burst) / (perSecond * 0.99)
		assert.GreaterOrEqual(t, time.Since(started).Seconds(), want, "one per cent under the limit")
		assert.LessOrEqual(t, time.Since(started).Seconds(), want+0.001, "and no slower")
	})
}

func TestATurnThatWasRefusedIsNotTaken(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		limiter := s.limiter(t, 0.2, 1)
		require.NoError(t, limiter.Wait(t.Context()))
		for range 50 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			assert.ErrorIs(t, limiter.Wait(ctx), practice.ErrRateLimitWait)
			cancel()
		}
		started := time.Now()
		require.NoError(t, limiter.Wait(t.Context()))
		assert.Less(t, time.Since(started), 6*time.Second, "and not after 250")
	})
}

func TestAWaitForTheLimitEndsWithItsContext(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		limiter := s.limiter(t, 0.01, 1)
		require.NoError(t, limiter.Wait(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		started := time.Now()
		time.AfterFunc(50*time.Millisecond, cancel)
		require.ErrorIs(t, limiter.Wait(ctx), context.Canceled)
		require.ErrorIs(t, limiter.Wait(ctx), context.Canceled)
		assert.Equal(t, 50*time.Millisecond, time.Since(started))
	})
}

func TestTurnsThatAreGivenUpGoBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		perSecond float64
		burst     int
		waits     int
	}{{5, 1, 100}, {5, 5, 100}, {20, 3, 40}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				limiter, other := s.limiter(t, test.perSecond, test.burst), s.limiter(t, test.perSecond, test.burst)
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second/2, cancel)
				var all sync.WaitGroup
				for range test.waits {
					all.Go(func() { _ = limiter.Wait(ctx) })
				}
				all.Wait()
				started := time.Now()
				require.NoError(t, other.Wait(t.Context()))
				assert.Less(t, time.Since(started).Seconds(), 2/test.perSecond)
			})
		})
	}
}

// giveUp waits for a hundred turns with each limiter, calls meanwhile, and then
// cancels the waits.
func giveUp(t *testing.T, meanwhile func(), limiters ...*redis.Limiter) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for _, limiter := range limiters {
		for range 100 {
			all.Go(func() { _ = limiter.Wait(ctx) })
		}
	}
	<-time.After(time.Second / 2)
	meanwhile()
	cancel()
	all.Wait()
}

// A cancelled turn must not delay other callers, even if Redis fails
// afterwards.
func TestTurnsThatAreGivenUpArePromisedToNobody(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile, afterwards func(*testing.T, *simulated, *redis.Limiter)
	}{
		"before Redis fails":    {afterwards: func(_ *testing.T, s *simulated, _ *redis.Limiter) { s.kill() }},
		"while Redis is down":   {meanwhile: fails},
		"and Redis comes back":  {meanwhile: fails, afterwards: func(_ *testing.T, s *simulated, _ *redis.Limiter) { s.start() }},
		"and Redis has no data": {meanwhile: fails, afterwards: func(_ *testing.T, s *simulated, _ *redis.Limiter) { s.forget(); s.start() }},
	} {
		t.Run(name, func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				limiters := []*redis.Limiter{s.limiter(t, 5, 5), s.limiter(t, 5, 5), s.limiter(t, 5, 5), s.limiter(t, 5, 5)}
				giveUp(t, func() {
					if test.meanwhile != nil {
						test.meanwhile(t, s, limiters[0])
					}
				}, limiters...)
				if test.afterwards != nil {
					test.afterwards(t, s, limiters[0])
				}
				started := time.Now()
				var all sync.WaitGroup
				for _, limiter := range limiters {
					all.Go(func() {
						for range 4 { // so that Redis, if it is up, is called again
							assert.NoError(t, limiter.Wait(t.Context()))
						}
					})
				}
				all.Wait()
				assert.Less(t, time.Since(started), 12*time.Second)
			})
		})
	}
}

// fails kills Redis and makes the limiter notice it.
func fails(t *testing.T, s *simulated, limiter *redis.Limiter) {
	t.Helper()
	s.kill()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_ = limiter.Wait(ctx)
}

func TestTurnsThatAreGivenUpAreNoShare(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		var limiters []*redis.Limiter
		for range 4 {
			limiter := s.limiter(t, 5, 5)
			giveUp(t, func() {}, limiter)
			require.NoError(t, limiter.Wait(t.Context()))
			limiters = append(limiters, limiter)
		}
		s.kill()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		var all sync.WaitGroup
		var turns atomic.Int64
		for _, limiter := range limiters {
			all.Go(func() {
				for limiter.Wait(ctx) == nil {
					turns.Add(1)
				}
			})
		}
		all.Wait()
		assert.LessOrEqual(t, turns.Load(), int64(5+5*5), "the limit is that of all processes together")
	})
}

// The calls are buffered in the connections when the server resumes, but their
// callers have left.
func TestARedisThatHungGivesNoTurnsToThoseWhoHaveGoneOn(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		limiter, other := s.limiter(t, 5, 5), s.limiter(t, 5, 5)
		require.NoError(t, limiter.Wait(t.Context()))
		s.hang()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, cancel)
		var all sync.WaitGroup
		for range 64 {
			all.Go(func() { _ = limiter.Wait(ctx) })
		}
		all.Wait()
		<-time.After(time.Millisecond) // the last call has just ended, and is in time until then
		s.resume()
		synctest.Wait()
		started := time.Now()
		require.NoError(t, other.Wait(t.Context()))
		assert.Zero(t, time.Since(started))
	})
}

// Another server has another clock. The difference to the former clock would
// refuse calls that are in time.
func TestALimiterLearnsTheClockOfAServerThatTakesOver(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		t.Run(fmt.Sprint(ahead), func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				limiter := s.limiter(t, 5, 5)
				require.NoError(t, limiter.Wait(t.Context()))
				s.ahead = ahead
				s.forget() // it is another server
				started := time.Now()
				require.NoError(t, limiter.Wait(t.Context()))
				assert.Zero(t, time.Since(started))
				assert.Equal(t, ahead, redis.Clock(limiter), "and it is known from then on")
			})
		})
	}
}

const outage = 3 * time.Second // and equally long before and afterwards

func TestWithoutRedisProcessesKeepTheirShares(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*simulated){
		"killed":                    func(s *simulated) { s.kill(); <-time.After(outage); s.start() },
		"killed, and all forgotten": func(s *simulated) { s.kill(); s.forget(); <-time.After(outage); s.start() },
		"hangs":                     func(s *simulated) { s.hang(); <-time.After(outage); s.resume() },
	} {
		t.Run(name, func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				keepShares(t, func(rate float64, burst int) *redis.Limiter { return s.limiter(t, rate, burst) }, func() { fail(s) })
			})
		})
	}
}

// keepShares lets some processes call a service while their Redis fails. Their
// shares must not exceed the limit in total, even after Redis restarts without
// its state.
func keepShares(t *testing.T, limiter func(rate float64, burst int) *redis.Limiter, fail func()) {
	t.Helper()
	const rate, burst, processes, callers = 50, 5, 4, 4
	service := practicetest.New(t, practicetest.WithRateLimit(rate, 4*burst))
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range processes {
		client := service.Client(t, practice.WithLimiter(limiter(rate, burst)))
		for range callers {
			all.Go(func() {
				for ctx.Err() == nil {
					_, err := client.Staff.Get(context.Background(), service.Firm().StaffID)
					assert.NoError(t, err)
				}
			})
		}
	}
	<-time.After(outage)
	fail()
	<-time.After(outage)
	cancel()
	all.Wait()
	calls, refused := refusals(service)
	assert.LessOrEqual(t, refused, calls/50)
	assert.GreaterOrEqual(t, float64(calls-refused), outage.Seconds()*rate, "it goes on")
}

// refusals returns the number of calls, and how many of them the service
// refused.
func refusals(service *practicetest.Server) (calls, refused int) {
	for _, sent := range service.Requests() {
		calls++
		if sent.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	return calls, refused
}

func TestWithoutRedisEveryProcessKeepsTheLimitByItself(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		const perSecond, burst = 20, 2
		var reported []error
		limiter := s.limiter(t, perSecond, burst, redis.WithErrorHook(func(_ context.Context, err error) { reported = append(reported, err) }))
		require.NoError(t, limiter.Wait(t.Context()))
		assert.Empty(t, reported)

		s.kill()
		started := time.Now()
		for range burst + 10 {
			require.NoError(t, limiter.Wait(t.Context()), "it fails open")
		}
		took := time.Since(started).Seconds()
		assert.GreaterOrEqual(t, took, 10/(perSecond*0.99), "with a limit all the same")
		require.NotEmpty(t, reported)
		assert.ErrorContains(t, reported[0], "this process alone")
		assert.LessOrEqual(t, len(reported), 1+int(took), "once a second, and not once for each")

		s.start()
		before := len(reported)
		assert.Eventually(t, func() bool { // it sends a request to Redis again
			assert.NoError(t, limiter.Wait(t.Context()))
			return len(s.hashes) == 1
		}, 5*time.Second, time.Millisecond)
		assert.Len(t, reported, before)
	})
}

func TestWithoutRedisAWaitBeyondTheDeadlineIsRefusedToo(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		limiter := s.limiter(t, 0.01, 1)
		s.kill()
		require.NoError(t, limiter.Wait(t.Context()))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		started := time.Now()
		require.ErrorIs(t, limiter.Wait(ctx), practice.ErrRateLimitWait)
		assert.Zero(t, time.Since(started), "at once")
	})
}

func TestARedisThatHangsHoldsUpOneCallForASecond(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		limiter := s.limiter(t, 10_000, 1000)
		require.NoError(t, limiter.Wait(t.Context()))
		s.hang()
		defer s.resume()
		started := time.Now()
		require.NoError(t, limiter.Wait(t.Context()))
		assert.Equal(t, time.Second, time.Since(started))
		started = time.Now()
		for range 100 {
			require.NoError(t, limiter.Wait(t.Context()))
		}
		assert.Less(t, time.Since(started), time.Second, "it is not asked again for each")
	})
}

func TestClientsOfSeveralProcessesDoNotGetA429(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		const perSecond, burst, calls = 50, 5, 60
		service := practicetest.New(t, practicetest.WithRateLimit(perSecond, burst))
		var all sync.WaitGroup
		for range 2 {
			client := service.Client(t, practice.WithLimiter(s.limiter(t, perSecond, burst)))
			for range 3 {
				all.Go(func() {
					for range calls / 6 {
						_, err := client.Staff.Get(context.Background(), service.Firm().StaffID)
						assert.NoError(t, err)
					}
				})
			}
		}
		all.Wait()
		_, refused := refusals(service)
		assert.Zero(t, refused)
	})
}
