package redis_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/practicetest"
)

func newLimiter(t *testing.T, s *server, perSecond float64, burst int, options ...redis.LimiterOption) *redis.Limiter {
	t.Helper()
	limiter, err := redis.NewLimiter(s.client(t), perSecond, burst, options...)
	require.NoError(t, err)
	return limiter
}

func TestTheLimitIsThatOfAllProcessesTogether(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	const perSecond, burst, turns, processes = 50, 10, 90, 3
	started := time.Now()
	var all sync.WaitGroup
	for range processes {
		limiter := newLimiter(t, s, perSecond, burst)
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
	assert.LessOrEqual(t, time.Since(started).Seconds(), want+1, "and no slower")
}

func TestABurstGoesOutAtOnce(t *testing.T) {
	t.Parallel()
	limiter := newLimiter(t, startServer(t), 0.01, 5)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for range 5 {
		require.NoError(t, limiter.Wait(ctx))
	}
	started := time.Now()
	require.ErrorIs(t, limiter.Wait(ctx), practice.ErrRateLimitWait, "the next turn is in 101 seconds")
	assert.Less(t, time.Since(started), 5*time.Second, "that is known at once")
}

func TestATurnThatWasRefusedIsNotTaken(t *testing.T) {
	t.Parallel()
	limiter := newLimiter(t, startServer(t), 0.2, 1)
	require.NoError(t, limiter.Wait(t.Context()))
	for range 50 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		assert.ErrorIs(t, limiter.Wait(ctx), practice.ErrRateLimitWait)
		cancel()
	}
	started := time.Now()
	require.NoError(t, limiter.Wait(t.Context()))
	assert.Less(t, time.Since(started), 20*time.Second, "and not after 250")
}

func TestAWaitForTheLimitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	limiter := newLimiter(t, startServer(t), 0.01, 1)
	require.NoError(t, limiter.Wait(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	require.ErrorIs(t, limiter.Wait(ctx), context.Canceled)
	require.ErrorIs(t, limiter.Wait(ctx), context.Canceled)
}

func TestIntegrationsWithOtherPrefixesHaveLimitsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for _, prefix := range []string{"a:", "b:"} {
		require.NoError(t, newLimiter(t, s, 0.01, 1, redis.WithPrefix(prefix)).Wait(ctx))
	}
	require.ErrorIs(t, newLimiter(t, s, 0.01, 1, redis.WithPrefix("a:")).Wait(ctx), practice.ErrRateLimitWait)
}

func TestTurnsThatAreGivenUpGoBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		perSecond float64
		burst     int
		waits     int
	}{{5, 1, 100}, {5, 5, 100}, {20, 3, 40}} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			limiter, other := newLimiter(t, s, test.perSecond, test.burst), newLimiter(t, s, test.perSecond, test.burst)
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
	}
}

// giveUp waits for a hundred turns with each limiter, does something meanwhile, and then waits no longer.
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

// The turn of nobody must hold up nobody, also when Redis fails afterwards.
func TestTurnsThatAreGivenUpArePromisedToNobody(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile, afterwards func(*testing.T, *server, *redis.Limiter)
	}{
		"before Redis fails":    {afterwards: func(_ *testing.T, s *server, _ *redis.Limiter) { s.kill() }},
		"while Redis is down":   {meanwhile: fails},
		"and Redis comes back":  {meanwhile: fails, afterwards: func(t *testing.T, s *server, _ *redis.Limiter) { require.True(t, s.start(t)) }},
		"and Redis has no data": {meanwhile: fails, afterwards: func(t *testing.T, s *server, _ *redis.Limiter) { s.dir = t.TempDir(); require.True(t, s.start(t)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			limiters := []*redis.Limiter{newLimiter(t, s, 5, 5), newLimiter(t, s, 5, 5), newLimiter(t, s, 5, 5), newLimiter(t, s, 5, 5)}
			limiter := limiters[0]
			giveUp(t, func() {
				if test.meanwhile != nil {
					test.meanwhile(t, s, limiter)
				}
			}, limiters...)
			if test.afterwards != nil {
				test.afterwards(t, s, limiter)
			}
			started := time.Now()
			var all sync.WaitGroup
			for _, limiter := range limiters {
				all.Go(func() {
					for range 4 { // so that Redis, if it is there, is asked again
						assert.NoError(t, limiter.Wait(t.Context()))
					}
				})
			}
			all.Wait()
			assert.Less(t, time.Since(started), 12*time.Second)
		})
	}
}

// fails kills Redis and has the limiter notice.
func fails(t *testing.T, s *server, limiter *redis.Limiter) {
	t.Helper()
	s.kill()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_ = limiter.Wait(ctx)
}

func TestTurnsThatAreGivenUpAreNoShare(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	var limiters []*redis.Limiter
	for range 4 {
		limiter := newLimiter(t, s, 5, 5)
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
}

// The calls lie in the connections when the server wakes up, and nobody waits for their answers.
func TestARedisThatHungGivesNoTurnsToThoseWhoHaveGoneOn(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	limiter, other := newLimiter(t, s, 5, 5), newLimiter(t, s, 5, 5)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
	defer cancel()
	var all sync.WaitGroup
	for range 40 { // opens connections
		all.Go(func() { _ = limiter.Wait(ctx) })
	}
	all.Wait()
	require.NoError(t, s.process.Process.Signal(syscall.SIGSTOP))
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(2*time.Second, cancel)
	for range 64 {
		all.Go(func() { _ = limiter.Wait(ctx) })
	}
	all.Wait()
	require.NoError(t, s.process.Process.Signal(syscall.SIGCONT))
	started := time.Now()
	require.NoError(t, other.Wait(t.Context()))
	assert.Less(t, time.Since(started), 2*time.Second)
}

// The clock of another server is another, and what is known of the former one refuses calls that are in time.
func TestALimiterLearnsTheClockOfAServerThatTakesOver(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{-time.Hour, time.Hour} {
		s := startServer(t)
		limiter := newLimiter(t, s, 5, 5)
		require.NoError(t, limiter.Wait(t.Context()))
		redis.SetClock(limiter, -ahead)
		ctx, cancel := context.WithTimeout(t.Context(), 900*time.Millisecond)
		require.NoError(t, limiter.Wait(ctx))
		cancel()
		assert.Less(t, redis.Clock(limiter).Abs(), time.Minute, "and it is known from then on")
	}
}

// A server that takes over, or one whose clock is set, may be behind.
func TestAClockThatStepsBackStopsNobody(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	client := s.client(t)
	queued := func(full int64, seen any) map[string]any {
		return map[string]any{"full": full, "seen": seen, "queue": seen}
	}
	for step, value := range map[string]func(now int64) any{
		"an hour":             func(now int64) any { return queued(now+3_600_000_000, now+3_600_000_000) },
		"a year, and a queue": func(now int64) any { return queued(now+31_536_000_400_000, now+31_536_000_000_000) },
		"by another version":  func(now int64) any { return map[string]any{"full": now + 7_200_000_000} },
		"a number":            func(now int64) any { return now + 7_200_000_000 },
		"no number":           func(now int64) any { return queued(now+7_200_000_000, "none") },
		"text":                func(int64) any { return "none" },
	} {
		now, err := client.Time(t.Context()).Result()
		require.NoError(t, err)
		if members, ok := value(now.UnixMicro()).(map[string]any); ok {
			require.NoError(t, client.HSet(t.Context(), step+"limit", members).Err())
		} else {
			require.NoError(t, client.Set(t.Context(), step+"limit", value(now.UnixMicro()), time.Hour).Err())
		}
		limiter := newLimiter(t, s, 5, 5, redis.WithPrefix(step))
		started := time.Now()
		require.NoError(t, limiter.Wait(t.Context()))
		assert.Less(t, time.Since(started), time.Second, step)
	}
}

// The shares of all processes are together no more than the limit, also when the server comes back and has forgotten
// what it promised.
func TestWithoutRedisProcessesKeepTheirShares(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(*testing.T, *server){
		"killed": func(t *testing.T, s *server) { s.kill(); <-time.After(*outage); require.True(t, s.start(t)) },
		"killed, and all forgotten": func(t *testing.T, s *server) {
			s.kill()
			s.dir = t.TempDir()
			<-time.After(*outage)
			require.True(t, s.start(t))
		},
		"hangs": func(t *testing.T, s *server) {
			require.NoError(t, s.process.Process.Signal(syscall.SIGSTOP))
			<-time.After(*outage)
			require.NoError(t, s.process.Process.Signal(syscall.SIGCONT))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			const burst, processes = 5, 4
			service := practicetest.New(t, practicetest.WithRateLimit(*rate, 4*burst))
			ctx, cancel := context.WithCancel(t.Context())
			var all sync.WaitGroup
			var calls atomic.Int64
			for range processes {
				client := service.Client(t, practice.WithLimiter(newLimiter(t, s, *rate, burst)))
				for range *callers {
					all.Go(func() {
						for ctx.Err() == nil {
							_, err := client.Staff.Get(context.Background(), service.Firm().StaffID)
							assert.NoError(t, err)
							calls.Add(1)
						}
					})
				}
			}
			<-time.After(*outage)
			fail(t, s)
			<-time.After(*outage)
			cancel()
			all.Wait()
			refused := 0
			for _, sent := range service.Requests() {
				if sent.Status == http.StatusTooManyRequests {
					refused++
				}
			}
			t.Logf("%d calls, %d refused", calls.Load(), refused)
			assert.LessOrEqual(t, refused, int(calls.Load())/50)
			assert.GreaterOrEqual(t, calls.Load(), int64((*outage).Seconds()**rate), "it goes on")
		})
	}
}

// Of the test of a server that is away; a long run has 16 callers at 5 a second.
var (
	outage  = flag.Duration("outage", 3*time.Second, "how long the server of the rate limit is away")
	callers = flag.Int("callers", 4, "goroutines of each process")
	rate    = flag.Float64("rate", 50, "requests a second that the service allows")
)

func TestWithoutRedisEveryProcessKeepsTheLimitByItself(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	const perSecond, burst = 20, 2
	reported := make(chan error, 100)
	limiter := newLimiter(t, s, perSecond, burst, redis.WithErrorHook(func(_ context.Context, err error) { reported <- err }))
	require.NoError(t, limiter.Wait(t.Context()))
	assert.Empty(t, reported)

	s.kill()
	started := time.Now()
	for range burst + 10 {
		require.NoError(t, limiter.Wait(t.Context()), "it fails open")
	}
	assert.GreaterOrEqual(t, time.Since(started).Seconds(), 10/(perSecond*0.99), "with a limit all the same")
	require.ErrorContains(t, <-reported, "this process alone")
	assert.LessOrEqual(t, len(reported), 5, "once a second, and not once for each")

	require.True(t, s.start(t))
	client := s.client(t)
	require.NoError(t, client.Del(t.Context(), redis.DefaultPrefix+"limit").Err())
	require.Eventually(t, func() bool { // it asks Redis again
		assert.NoError(t, limiter.Wait(t.Context()))
		return client.Exists(t.Context(), redis.DefaultPrefix+"limit").Val() == 1
	}, 20*time.Second, time.Millisecond)
}

func TestWithoutRedisAWaitBeyondTheDeadlineIsRefusedToo(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	limiter := newLimiter(t, s, 0.01, 1)
	s.kill()
	require.NoError(t, limiter.Wait(t.Context()))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.ErrorIs(t, limiter.Wait(ctx), practice.ErrRateLimitWait)
	require.NoError(t, ctx.Err(), "at once")
}

func TestARedisThatHangsHoldsUpOneCallForASecond(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	limiter := newLimiter(t, s, 10_000, 1000)
	require.NoError(t, limiter.Wait(t.Context()))
	require.NoError(t, s.process.Process.Signal(syscall.SIGSTOP))
	started := time.Now()
	require.NoError(t, limiter.Wait(t.Context()))
	assert.InDelta(t, 1, time.Since(started).Seconds(), 0.9)
	started = time.Now()
	for range 100 {
		require.NoError(t, limiter.Wait(t.Context()))
	}
	assert.Less(t, time.Since(started), time.Second, "it is not asked again for each")
}

func TestClientsOfSeveralProcessesDoNotGetA429(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	const perSecond, burst, calls = 50, 5, 60
	// Room for requests that a busy machine holds up, which then come together: 20. Twice the
	// rate would send 30 more than the service allows.
	service := practicetest.New(t, practicetest.WithRateLimit(perSecond, 4*burst))
	var all sync.WaitGroup
	for range 2 {
		client := service.Client(t, practice.WithLimiter(newLimiter(t, s, perSecond, burst)))
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
	refused := 0
	for _, sent := range service.Requests() {
		if sent.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	assert.Zero(t, refused)
}
