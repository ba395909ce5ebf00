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

func TestManyTurnsThatAreGivenUpCostTheOthersAtMostOne(t *testing.T) {
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

// The turn is used once, when it is due: after that the process asks for another.
func TestTheTurnOfACallerThatLeftIsThatOfTheNext(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ comes, want time.Duration }{
		{500 * time.Millisecond, 2 * time.Second}, {1900 * time.Millisecond, 2 * time.Second}, {2 * time.Second, 4 * time.Second}, {10 * time.Second, 10 * time.Second},
	} {
		t.Run(test.comes.String(), func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				limiter := s.limiter(t, 0.5/0.99, 1) // a turn every two seconds
				require.NoError(t, limiter.Wait(t.Context()))
				started := time.Now()
				first, cancel := context.WithTimeout(t.Context(), 3*time.Second)
				time.AfterFunc(400*time.Millisecond, cancel)
				require.ErrorIs(t, limiter.Wait(first), context.Canceled)
				<-time.After(test.comes - time.Since(started))
				require.NoError(t, limiter.Wait(t.Context()))
				assert.InDelta(t, test.want.Seconds(), time.Since(started).Seconds(), 0.001)
				require.NoError(t, limiter.Wait(t.Context()))
				assert.InDelta(t, (test.want + 2*time.Second).Seconds(), time.Since(started).Seconds(), 0.001)
			})
		})
	}
}

// A caller knows at once that those before it have all the turns until its
// deadline.
func TestACallerBehindOthersIsRefusedAtOnce(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		limiter := s.limiter(t, 1, 1)
		require.NoError(t, limiter.Wait(t.Context()))
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _ = limiter.Wait(ctx) })
		}
		synctest.Wait()
		for i, want := range []error{practice.ErrRateLimitWait, nil} {
			limited, stop := context.WithTimeout(t.Context(), []time.Duration{5 * time.Second, 30 * time.Second}[i])
			started := time.Now()
			require.ErrorIs(t, limiter.Wait(limited), want)
			if want != nil {
				assert.Zero(t, time.Since(started))
			}
			stop()
		}
		cancel()
		all.Wait()
	})
}

func TestAProcessThatAsksOftenLeavesTheOthersTheirTurns(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		busy, other := s.limiter(t, 5, 1), s.limiter(t, 5, 1)
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 50 {
			all.Go(func() {
				for busy.Wait(ctx) == nil {
				}
			})
		}
		<-time.After(time.Second)
		started := time.Now()
		for range 10 {
			require.NoError(t, other.Wait(t.Context()))
		}
		assert.Less(t, time.Since(started), 10*2*250*time.Millisecond, "every other turn is its own")
		cancel()
		all.Wait()
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
		assert.LessOrEqual(t, time.Since(started), 1250*time.Millisecond, "at most the burst, because nobody knows what was taken meanwhile")
	})
}

// Another server has another clock.
func TestALimiterGoesOnWithTheClockOfAServerThatTakesOver(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		for _, forgets := range []bool{true, false} {
			t.Run(fmt.Sprint(ahead, forgets), func(t *testing.T) {
				simulate(t, func(t *testing.T, s *simulated) {
					limiter := s.limiter(t, 5, 5)
					require.NoError(t, limiter.Wait(t.Context()))
					s.ahead = ahead
					if forgets {
						s.forget() // it is another server
					}
					started := time.Now()
					require.NoError(t, limiter.Wait(t.Context()))
					assert.Zero(t, time.Since(started))
				})
			})
		}
	}
}

const outage = 3 * time.Second // and equally long before and afterwards

func TestWithoutRedisProcessesKeepATenthOfTheLimit(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*simulated){
		"killed":                    func(s *simulated) { s.kill(); <-time.After(outage); s.start() },
		"killed, and all forgotten": func(s *simulated) { s.kill(); s.forget(); <-time.After(outage); s.start() },
		"hangs":                     func(s *simulated) { s.hang(); <-time.After(outage); s.resume() },
	} {
		t.Run(name, func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				keepTenths(t, func(rate float64, burst int) *redis.Limiter { return s.limiter(t, rate, burst) }, func() { fail(s) })
			})
		})
	}
}

// keepTenths lets some processes call a service while their Redis fails. They
// must not exceed the limit in total, even after Redis restarts without its
// state.
func keepTenths(t *testing.T, limiter func(rate float64, burst int) *redis.Limiter, fail func()) {
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
	assert.GreaterOrEqual(t, float64(calls-refused), outage.Seconds()*rate*(1.8+processes/10.0*0.6), "it goes on")
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

func TestWithoutRedisEveryProcessKeepsATenthByItself(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		const perSecond, burst = 20, 2
		var reported []error
		limiter := s.limiter(t, perSecond, burst, redis.WithErrorHook(func(_ context.Context, err error) { reported = append(reported, err) }))
		require.NoError(t, limiter.Wait(t.Context()))
		assert.Empty(t, reported)

		s.kill()
		started := time.Now()
		for range 11 {
			require.NoError(t, limiter.Wait(t.Context()), "it fails open")
		}
		took := time.Since(started).Seconds()
		assert.InDelta(t, 10/(0.1*perSecond*0.99), took, 0.1, "with a tenth of the limit")
		require.NotEmpty(t, reported)
		assert.ErrorContains(t, reported[0], "applies to this process only")
		assert.LessOrEqual(t, len(reported), 1+int(took), "once a second, and not once for each")

		s.start()
		before := len(reported)
		assert.Eventually(t, func() bool { // it sends a request to Redis again
			assert.NoError(t, limiter.Wait(t.Context()))
			return len(s.values) == 1
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
		assert.Less(t, time.Since(started), 200*time.Millisecond, "it is not asked again for each")
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

// Two of four processes reach Redis and share the whole limit; the others keep
// their tenths. The documentation says what that costs.
func TestInAPartialOutageTheLimitIsExceededByATenthForEachProcess(t *testing.T) {
	simulate(t, func(t *testing.T, s *simulated) {
		const rate, burst, seconds = 20, 5, 10
		away := newSimulated()
		away.kill()
		ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
		defer cancel()
		var turns atomic.Int64
		var all sync.WaitGroup
		for _, limiter := range []*redis.Limiter{
			s.limiter(t, rate, burst), s.limiter(t, rate, burst), away.limiter(t, rate, burst), away.limiter(t, rate, burst),
		} {
			for range 4 {
				all.Go(func() {
					for limiter.Wait(ctx) == nil {
						turns.Add(1)
					}
				})
			}
		}
		all.Wait()
		assert.LessOrEqual(t, turns.Load(), int64(seconds*rate*12/10+burst+2))
		assert.GreaterOrEqual(t, turns.Load(), int64(seconds*rate*11/10))
	})
}
