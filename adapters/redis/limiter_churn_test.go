package redis_test

import (
	"context"
	"math/rand/v2"

	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/adapters/redis"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/practicetest"
)

// granted holds the times of turns. It is the oracle of a limit: no second has
// more turns than the rate plus the burst.
type granted struct {
	mu    sync.Mutex
	times []time.Time
}

func (g *granted) wait(ctx context.Context, l *redis.Limiter) {
	if l.Wait(ctx) != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.times = append(g.times, time.Now())
}

// most returns the largest number of turns in any second that began after a
// time.
func (g *granted) most(after time.Time) (most int) {
	slices.SortFunc(g.times, time.Time.Compare)
	first := 0
	for i, at := range g.times {
		for !g.times[first].After(at.Add(-time.Second)) {
			first++
		}
		if at.After(after.Add(time.Second)) {
			most = max(most, i-first+1)
		}
	}
	return most
}

// churn starts callers at a rate, on alternating processes, each waiting for up
// to three seconds.
func churn(rng *rand.Rand, g *granted, limiters []*redis.Limiter, perSecond int, long time.Duration, all *sync.WaitGroup) {
	for until := time.Now().Add(long); time.Now().Before(until); <-time.After(time.Second / time.Duration(perSecond)) {
		limiter, patience, deadline := limiters[rng.IntN(len(limiters))], time.Duration(rng.Int64N(int64(3*time.Second))), rng.IntN(4) == 0
		all.Go(func() {
			ctx, cancel := context.WithCancel(context.Background())
			if deadline {
				ctx, cancel = context.WithTimeout(context.Background(), patience)
			}
			defer cancel()
			stop := time.AfterFunc(patience, cancel)
			defer stop.Stop()
			g.wait(ctx, limiter)
		})
	}
}

func TestCallersThatComeAndGoNeverExceedTheLimit(t *testing.T) {
	t.Parallel()
	for seed := range uint64(soak.Times(3, 200)) {
		t.Run("", func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				rng := rand.New(rand.NewPCG(seed, 1))
				rate, burst := []int{5, 20, 50}[rng.IntN(3)], 1+rng.IntN(6)
				var limiters []*redis.Limiter
				for range 1 + rng.IntN(4) {
					limiters = append(limiters, s.limiter(t, float64(rate), burst))
				}
				var g granted
				var all sync.WaitGroup
				const long = 10 * time.Second
				churn(rng, &g, limiters, rate*5/2, long, &all)
				all.Wait()
				assert.LessOrEqual(t, g.most(time.Time{}), rate+burst)
				assert.GreaterOrEqual(t, float64(len(g.times)), 0.8*long.Seconds()*float64(rate), "few are lost while callers wait")
			})
		})
	}
}

// The server no longer knows the turns that it granted.
func TestAfterARestartThatForgotOnlyTheFirstSecondHasMore(t *testing.T) {
	t.Parallel()
	for seed := range uint64(soak.Times(3, 100)) {
		t.Run("", func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				const rate, burst = 20, 5
				rng := rand.New(rand.NewPCG(seed, 2))
				limiters := []*redis.Limiter{s.limiter(t, rate, burst)}
				var g granted
				var all sync.WaitGroup
				for range 3 * rate {
					all.Go(func() { g.wait(context.Background(), limiters[0]) })
				}
				<-time.After(time.Second)
				s.forget()
				forgot := time.Now()
				churn(rng, &g, limiters, rate*2, 5*time.Second, &all)
				all.Wait()
				assert.LessOrEqual(t, g.most(forgot), rate+burst)
				assert.LessOrEqual(t, g.most(time.Time{}), 2*(rate+burst))
			})
		})
	}
}

// Ten processes have used the whole limit without Redis, so nothing is left of
// the burst when it is back.
func TestAfterAnOutageThereIsNoBurst(t *testing.T) {
	t.Parallel()
	for seed := range uint64(soak.Times(5, 200)) {
		t.Run("", func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				const rate, burst, processes = 20, 40, 10
				rng := rand.New(rand.NewPCG(seed, 3))
				ctx, cancel := context.WithCancel(t.Context())
				var g granted
				var all sync.WaitGroup
				for range processes {
					limiter := s.limiter(t, rate, burst)
					all.Go(func() {
						for ctx.Err() == nil {
							g.wait(ctx, limiter)
						}
					})
					<-time.After(time.Duration(rng.Int64N(int64(time.Second))))
				}
				<-time.After(5 * time.Second)
				s.kill()
				<-time.After(10*time.Second + time.Duration(rng.Int64N(int64(time.Second))))
				s.start()
				back := time.Now()
				<-time.After(5 * time.Second)
				cancel()
				all.Wait()
				assert.LessOrEqual(t, g.most(back.Add(-2*time.Second)), rate+processes)
			})
		})
	}
}

// Many callers wait when the server recovers, and the service allows no burst
// beyond the limit.
func TestInALongOutageTheServiceRefusesFewCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before time.Duration
		forget bool
	}{
		"after a start": {time.Second, false}, "after ten seconds": {10 * time.Second, false},
		"after a minute": {time.Minute, false}, "and all is forgotten": {10 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			simulate(t, func(t *testing.T, s *simulated) {
				const rate, burst, processes, callers = 5, 5, 4, 4
				service := practicetest.New(t, practicetest.WithRateLimit(rate, burst))
				ctx, cancel := context.WithCancel(t.Context())
				var all sync.WaitGroup
				for range processes {
					client := service.Client(t, practice.WithLimiter(s.limiter(t, rate, burst)))
					for range callers {
						all.Go(func() {
							for ctx.Err() == nil {
								_, err := client.Staff.Get(context.Background(), service.Firm().StaffID)
								assert.NoError(t, err)
							}
						})
					}
				}
				<-time.After(test.before)
				s.kill()
				<-time.After(3 * time.Minute)
				if test.forget {
					s.forget()
				}
				s.start()
				<-time.After(30 * time.Second)
				cancel()
				all.Wait()
				calls, refused := refusals(service)
				t.Logf("%d of %d calls were refused", refused, calls)
				assert.LessOrEqual(t, refused, calls/100)
			})
		})
	}
}
