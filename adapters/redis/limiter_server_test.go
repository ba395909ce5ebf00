package redis_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/internal/soak"
)

// Rates of limiters on a real server. Times prove nothing on a busy machine, so
// the next turn is due either at once, or long after the tests have ended.
const (
	hourly  = 1.0 / 3600
	patient = time.Minute // for callers, and for a response
)

func newLimiter(t *testing.T, s *server, perSecond float64, burst int, options ...redis.Option) *redis.Limiter {
	t.Helper()
	limiter, err := redis.NewLimiter(s.client(t), perSecond, burst, options...)
	require.NoError(t, err)
	redis.SetAskLimit(limiter, patient)
	return limiter
}

// soon returns a context with a deadline of less than an hour.
func soon(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	t.Cleanup(cancel)
	return ctx
}

func TestABurstGoesOutAtOnce(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	limiter, other := newLimiter(t, s, hourly, 5), newLimiter(t, s, hourly, 5)
	for range 4 {
		require.NoError(t, limiter.Wait(soon(t)))
	}
	require.NoError(t, other.Wait(soon(t)))
	for _, limiter := range []*redis.Limiter{limiter, other} {
		ctx := soon(t)
		require.ErrorIs(t, limiter.Wait(ctx), practice.ErrRateLimitWait, "the next turn is in an hour")
		assert.NoError(t, ctx.Err(), "that is known at once")
	}
}

func TestIntegrationsWithOtherPrefixesHaveLimitsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	for _, prefix := range []string{"a:", "b:"} {
		require.NoError(t, newLimiter(t, s, hourly, 1, redis.WithPrefix(prefix)).Wait(soon(t)))
	}
	require.ErrorIs(t, newLimiter(t, s, hourly, 1, redis.WithPrefix("a:")).Wait(soon(t)), practice.ErrRateLimitWait)
}

// The turn of a caller that stops waiting is in an hour, and the next one would
// be in two.
func TestACallerTakesOverTheTurnThatAnotherLeft(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	client, limiter := s.client(t), newLimiter(t, s, hourly, 1)
	full := func() string { // when the bucket is full again
		text, err := client.Get(t.Context(), redis.DefaultPrefix+"limit").Result()
		require.NoError(t, err)
		return text
	}
	require.NoError(t, limiter.Wait(soon(t)))
	one := full()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() { assert.ErrorIs(t, limiter.Wait(ctx), context.Canceled) })
	}
	require.Eventually(t, func() bool { return full() > one }, patient, time.Millisecond)
	two := full()
	cancel()
	all.Wait()
	require.ErrorIs(t, limiter.Wait(soon(t)), practice.ErrRateLimitWait)
	assert.Equal(t, two, full())
}

// A server after a failover, or one whose clock was set, may be behind.
func TestAClockThatStepsBackStopsNobody(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	client := s.client(t)
	for step, value := range map[string]func(now int64) any{
		"an hour":             func(now int64) any { return fmt.Sprint(now+3_600_000_000, " ", now+3_600_000_000) },
		"a year, and a queue": func(now int64) any { return fmt.Sprint(now+31_536_000_400_000, " ", now+31_536_000_000_000) },
		"by another version":  func(now int64) any { return map[string]any{"full": now + 7_200_000_000} },
		"a number":            func(now int64) any { return now + 7_200_000_000 },
		"no number":           func(now int64) any { return fmt.Sprint(now+7_200_000_000, " none") },
		"text":                func(int64) any { return "none" },
	} {
		now, err := client.Time(t.Context()).Result()
		require.NoError(t, err)
		if members, ok := value(now.UnixMicro()).(map[string]any); ok {
			require.NoError(t, client.HSet(t.Context(), step+"limit", members).Err())
		} else {
			require.NoError(t, client.Set(t.Context(), step+"limit", value(now.UnixMicro()), time.Hour).Err())
		}
		require.NoError(t, newLimiter(t, s, 5, 5, redis.WithPrefix(step)).Wait(soon(t)), step)
	}
}

func TestALimiterGoesOnWithoutItsServerAndReturnsToIt(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	reported := make(chan error, 100)
	limiter := newLimiter(t, s, 1000, 2, redis.WithErrorHook(func(_ context.Context, err error) { reported <- err }))
	require.NoError(t, limiter.Wait(t.Context()))
	assert.Empty(t, reported)
	s.kill()
	for range 20 {
		require.NoError(t, limiter.Wait(t.Context()), "it fails open")
	}
	require.ErrorContains(t, <-reported, "applies to this process only")

	require.True(t, s.start(t))
	client := s.client(t)
	require.NoError(t, client.ConfigResetStat(t.Context()).Err())
	require.Eventually(t, func() bool { // it sends a request to Redis again
		assert.NoError(t, limiter.Wait(t.Context()))
		stats, err := client.Info(t.Context(), "commandstats").Result()
		return assert.NoError(t, err) && strings.Contains(stats, "cmdstat_eval")
	}, 2*time.Minute, 10*time.Millisecond)
}

func TestALimiterGoesOnWhileItsServerHangs(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	limiter := newLimiter(t, s, 1000, 2)
	require.NoError(t, limiter.Wait(t.Context()))
	redis.SetAskLimit(limiter, 100*time.Millisecond)
	require.NoError(t, s.process.Process.Signal(syscall.SIGSTOP))
	for range 10 {
		require.NoError(t, limiter.Wait(t.Context()))
	}
	require.NoError(t, s.process.Process.Signal(syscall.SIGCONT))
}

func TestWithoutAServerProcessesKeepATenthOfTheLimit(t *testing.T) {
	soak.Only(t, "it measures a rate")
	t.Parallel()
	for name, fail := range map[string]func(*testing.T, *server){
		"killed": func(t *testing.T, s *server) { s.kill(); <-time.After(outage); require.True(t, s.start(t)) },
		"killed, and all forgotten": func(t *testing.T, s *server) {
			s.kill()
			s.dir = t.TempDir()
			<-time.After(outage)
			require.True(t, s.start(t))
		},
		"hangs": func(t *testing.T, s *server) {
			require.NoError(t, s.process.Process.Signal(syscall.SIGSTOP))
			<-time.After(outage)
			require.NoError(t, s.process.Process.Signal(syscall.SIGCONT))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t)
			keepTenths(t, func(rate float64, burst int) *redis.Limiter {
				limiter := newLimiter(t, s, rate, burst)
				redis.SetAskLimit(limiter, time.Second)
				return limiter
			}, func() { fail(t, s) })
		})
	}
}
