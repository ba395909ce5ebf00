package transport

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/time/rate"
)

// simulatedLimit is a kind of rate limit of a service. Its function returns a
// new limiter.
type simulatedLimit struct {
	name      string
	perSecond float64
	allows    func() func(at time.Time) bool
}

func bucketOf(perSecond float64, burst int) func(time.Time) bool {
	bucket := rate.NewLimiter(rate.Limit(perSecond), burst)
	return func(at time.Time) bool { return bucket.AllowN(at, 1) }
}

// windowOf allows a number of requests in each second of the clock.
func windowOf(most int) func(time.Time) bool {
	var begun time.Time
	passed := 0
	return func(at time.Time) bool {
		if b := at.Truncate(time.Second); !b.Equal(begun) {
			begun, passed = b, 0
		}
		passed++
		return passed <= most
	}
}

// secondOf allows a number of requests in any period of a second.
func secondOf(most int) func(time.Time) bool {
	var taken []time.Time
	return func(at time.Time) bool {
		for len(taken) > 0 && at.Sub(taken[0]) >= time.Second {
			taken = taken[1:]
		}
		if len(taken) == most {
			return false
		}
		taken = append(taken, at)
		return true
	}
}

func simulatedLimits(rates ...int) []simulatedLimit {
	var all []simulatedLimit
	for _, r := range rates {
		for _, burst := range []int{1, 5, 2 * r} {
			all = append(all, simulatedLimit{fmt.Sprintf("%d a second, bursts of %d", r, burst), float64(r), func() func(time.Time) bool { return bucketOf(float64(r), burst) }})
		}
		all = append(all,
			simulatedLimit{fmt.Sprintf("%d each second of the clock", r), float64(r), func() func(time.Time) bool { return windowOf(r) }},
			simulatedLimit{fmt.Sprintf("%d in any second", r), float64(r), func() func(time.Time) bool { return secondOf(r) }},
		)
	}
	return all
}

func always(allows func(time.Time) bool) func(time.Time, int) bool {
	return func(at time.Time, _ int) bool { return allows(at) }
}

// orByChance refuses a share of what allows would accept.
func orByChance(seed uint64, share float64, allows func(time.Time) bool) func(time.Time, int) bool {
	chance := rand.New(rand.NewPCG(seed, 77))
	return func(at time.Time, _ int) bool { return chance.Float64() >= share && allows(at) }
}

// TestASteadyLimitIsFoundInTenSeconds checks that, ten seconds after its first
// request, a client is nearly as fast as the service allows, with refusals of
// at most two in a hundred or one in ten seconds.
func TestASteadyLimitIsFoundInTenSeconds(t *testing.T) {
	t.Parallel()
	for _, limit := range simulatedLimits(2, 5, 20, 100, 1000) {
		for _, c := range simulatedClients {
			const from = 10 * time.Second
			to := 130 * time.Second
			if limit.perSecond >= 100 {
				to = 30 * time.Second
			}
			s := newSimulation(0, c, always(limit.allows()))
			s.run(to)
			got, refused, sent := s.between(from, to)
			given := min(limit.perSecond, c.most())
			assert.GreaterOrEqual(t, got, 0.9*given, "%s, %v", limit.name, c)
			assert.LessOrEqual(t, float64(refused), max((to-from).Seconds()/10, 0.02*float64(sent)), "%s, %v", limit.name, c)
		}
	}
}

// TestALimitThatMovesIsFollowedInHalfAMinute checks that a limit that falls
// from 20 a second to 2 is respected, and that the client is back half a minute
// after it rose again.
func TestALimitThatMovesIsFollowedInHalfAMinute(t *testing.T) {
	t.Parallel()
	for _, c := range simulatedClients {
		for _, burst := range []int{1, 5, 20} {
			for _, low := range []time.Duration{60 * time.Second, 71 * time.Second, 300 * time.Second} {
				const high = 60 * time.Second
				bucket := rate.NewLimiter(20, burst)
				s := newSimulation(0, c, always(func(at time.Time) bool { return bucket.AllowN(at, 1) }))
				s.run(high)
				bucket.SetLimitAt(s.now, 2)
				s.run(low)
				bucket.SetLimitAt(s.now, 20)
				s.run(high)
				_, refused, _ := s.between(high+10*time.Second, high+low)
				assert.LessOrEqual(t, float64(refused), max(8, low.Seconds()/9), "%v, bursts of %d, for %v", c, burst, low)
				back, _, _ := s.between(high+low+30*time.Second, high+low+60*time.Second)
				assert.GreaterOrEqual(t, back, 18.0, "%v, bursts of %d, for %v", c, burst, low)
			}
		}
	}
}

// TestRefusalsByChanceCostLessThanAFifth checks that with a service that
// refuses one request in twenty at random, a client reaches at least four
// fifths of its usual rate, up to 100 a second. For slow limits, much depends
// on which requests are refused, so runs are judged together.
func TestRefusalsByChanceCostLessThanAFifth(t *testing.T) {
	t.Parallel()
	none := simulatedLimit{"none", 1e9, func() func(time.Time) bool { return func(time.Time) bool { return true } }}
	for _, limit := range append(simulatedLimits(2, 5, 20), none) {
		kept, runs := 0.0, 0.0
		for _, c := range simulatedClients {
			for seed := range uint64(2) {
				const from, to = 10 * time.Second, 100 * time.Second
				rates := [2]float64{}
				for i, share := range []float64{0, 0.05} {
					s := newSimulation(seed, c, orByChance(seed, share, limit.allows()))
					if c.most() > 400 && limit.perSecond > 1000 {
						s.latency = 80 * time.Millisecond // to need less processor time
					}
					s.run(to)
					rates[i], _, _ = s.between(from, to)
				}
				kept += rates[1] / min(100, rates[0])
				runs++
			}
		}
		assert.GreaterOrEqual(t, kept/runs, 0.8, limit.name)
	}
}

// TestScatteredRefusalsAreSoonForgotten checks that twelve refusals without
// Retry-After, of every second request of one caller, make no call slow and
// have no effect five seconds later.
func TestScatteredRefusalsAreSoonForgotten(t *testing.T) {
	t.Parallel()
	for _, latency := range []time.Duration{time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 200 * time.Millisecond} {
		for seed := range uint64(20) {
			n, odd := 0, int(seed%2)
			s := newSimulation(seed, simulatedClient{1, latency}, func(time.Time, int) bool { n++; return n > 24 || n%2 == odd })
			for len(s.took) < 12 {
				s.run(10 * time.Millisecond)
			}
			for _, took := range s.took {
				assert.LessOrEqual(t, took, 1500*time.Millisecond, "%v", latency)
			}
			s.run(5 * time.Second)
			before := len(s.took)
			s.run(2 * time.Second)
			for _, took := range s.took[before:] {
				assert.LessOrEqual(t, took, 6*latency/5+100*time.Millisecond, "%v", latency)
			}
		}
	}
}

// TestAnEndpointThatRefusesStopsTheOthersForASecond checks that an endpoint
// that refuses everything delays the others by at most a second.
func TestAnEndpointThatRefusesStopsTheOthersForASecond(t *testing.T) {
	t.Parallel()
	const fine = 5 * time.Second // time after the start from which all endpoints are accepted
	for _, one := range []struct{ good, bad int }{{1, 1}, {4, 1}, {7, 1}, {4, 4}, {1, 3}, {1, 15}} {
		for _, latency := range []time.Duration{10 * time.Millisecond, 100 * time.Millisecond} {
			for seed := range uint64(3) {
				var s *simulation
				s = newSimulation(seed, simulatedClient{one.good + one.bad, latency}, func(at time.Time, caller int) bool {
					return caller < one.good || at.Sub(s.begin) < fine
				})
				s.useEndpoint("refuses", one.good)
				s.run(65 * time.Second)
				last := fine
				for _, sent := range s.sent {
					if sent.caller < one.good && sent.at > last {
						assert.LessOrEqual(t, sent.at-last, time.Second, "%v, %v, at %v", one, latency, last)
						last = sent.at
					}
				}
				assert.Greater(t, last, 64*time.Second)
			}
		}
	}
}

// Two endpoints that share a limit slow down together when it falls, and return
// to it together: neither takes the other for a limit of its own.
func TestEndpointsThatShareALimitShareThePace(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ first, second int }{{1, 1}, {4, 1}, {1, 15}, {8, 8}} {
		for seed := range uint64(3) {
			const high, low = 60 * time.Second, 60 * time.Second
			bucket := rate.NewLimiter(20, 5)
			s := newSimulation(seed, simulatedClient{one.first + one.second, 10 * time.Millisecond}, always(func(at time.Time) bool { return bucket.AllowN(at, 1) }))
			s.useEndpoint("second", one.first)
			s.run(high)
			bucket.SetLimitAt(s.now, 2)
			s.run(low)
			bucket.SetLimitAt(s.now, 20)
			s.run(high)
			slow, refused, _ := s.between(high+10*time.Second, high+low)
			assert.GreaterOrEqual(t, slow, 1.8, "%v", one)
			assert.LessOrEqual(t, refused, 8, "%v", one)
			back, _, _ := s.between(high+low+30*time.Second, high+low+60*time.Second)
			assert.GreaterOrEqual(t, back, 18.0, "%v", one)
		}
	}
}
