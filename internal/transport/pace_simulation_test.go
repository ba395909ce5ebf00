package transport

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/soak"
)

// scenario is a service and a client whose callers always want to send. Only
// the pace runs, with a clock of its own, so that minutes take milliseconds.
type scenario struct {
	name         string
	limit        float64       // requests a second; 0: none
	window       time.Duration // time over which the service counts; 0: a token bucket of 5
	asks         string        // Retry-After: none, 1 s, or exact, in whole seconds
	callers, bad int           // bad: callers whose endpoint refuses everything
	chance       float64       // share of requests that is refused at random
	lowered      bool          // the limit is a tenth from 60 s to 120 s
	from, to     time.Duration // time that is measured
	least, most  float64       // required share of the limit, and largest share that may be refused; 0: any
}

// simulated is one run of a scenario. Times count from its beginning.
type simulated struct {
	scenario
	random  *rand.Rand
	pace    pace
	epoch   time.Time // beginning of the run
	now     time.Duration
	latency float64       // usual time of a response, in nanoseconds
	left    float64       // requests that the service accepts
	counted time.Duration // beginning of its window, or latest refill
	all     []*caller
	queue   []*caller     // those that want to send
	refused float64       // in the time that is measured
	longest time.Duration // of all calls
}

// caller makes one call after the other, each of one or more attempts.
type caller struct {
	bad             bool
	answered        bool          // the next event is a response
	began, at, sent time.Duration // at: the next event
	refusals        int           // of this call
	ok              bool          // the response accepts
	asked           time.Duration // its Retry-After
	accepted        float64       // calls in the time that is measured
}

// ask is the service: it accepts a request, or refuses it with a Retry-After.
func (s *simulated) ask(now time.Duration, bad bool) (ok bool, asked time.Duration) {
	limit, free := s.limit, now+time.Second
	if s.lowered && now >= time.Minute && now < 2*time.Minute {
		limit /= 10
	}
	if s.window == 0 {
		s.left, s.counted = min(5, s.left+limit*(now-s.counted).Seconds()), now
	} else {
		begun := s.epoch.Add(now).Truncate(s.window).Sub(s.epoch)
		if begun != s.counted {
			s.left, s.counted = limit*s.window.Seconds(), begun
		}
		free = begun + s.window
	}
	switch {
	case bad || s.random.Float64() < s.chance:
	case limit == 0 || s.left >= 1:
		s.left--
		return true, 0
	case s.asks == "1 s":
		asked = time.Second
	case s.asks == "exact":
		asked = (free - now + time.Second - 1).Truncate(time.Second)
	}
	return false, asked
}

// run simulates the scenario.
func (s *simulated) run(seed uint64) {
	s.random = rand.New(rand.NewPCG(seed, 2))
	s.latency = (5 + 40*s.random.Float64()) * float64(time.Millisecond)
	s.epoch, s.left = time.Unix(0, s.random.Int64N(int64(time.Minute))), 5
	for i := range s.callers {
		s.all = append(s.all, &caller{bad: i < s.bad})
	}
	for s.now < s.to {
		next := slices.MinFunc(s.all, func(a, b *caller) int { return cmp.Compare(a.at, b.at) })
		due := s.now + s.pace.wait(s.epoch.Add(s.now))
		if len(s.queue) > 0 && due < next.at {
			s.send(due)
		} else {
			s.now = next.at
			s.event(next, next.answered)
		}
	}
	for _, c := range s.all {
		s.end(c)
	}
}

func (s *simulated) send(due time.Duration) {
	c, waited := s.queue[0], due > s.now
	s.queue, s.now = s.queue[1:], due
	s.pace.send(s.epoch.Add(due), waited)
	c.sent, c.answered = due, true
	c.ok, c.asked = s.ask(due+time.Duration(s.latency*(0.3+0.4*s.random.Float64())), c.bad)
	c.at = due + time.Duration(s.latency*(0.8+0.4*s.random.Float64()))
}

// event is the arrival of a call in the queue, or a response.
func (s *simulated) event(c *caller, answered bool) {
	measured := 0.0
	if s.now >= s.from {
		measured = 1
	}
	c.answered = false
	switch {
	case !answered:
		s.queue, c.at = append(s.queue, c), math.MaxInt64
	case c.ok:
		s.pace.accept(s.epoch.Add(c.sent))
		c.accepted += measured
		s.end(c)
		c.began, c.refusals = s.now, 0
	default:
		s.pace.refuse(s.epoch.Add(s.now), s.epoch.Add(c.sent), c.asked, s.random.Float64())
		s.refused += measured
		bound := min(30*time.Second, 500*time.Millisecond<<min(c.refusals, 6))
		c.at += cmp.Or(c.asked, time.Duration(s.random.Float64()*float64(bound)))
		c.refusals++
	}
}

// end notes how long a call took. Those to an endpoint that refuses everything
// take their whole time limit.
func (s *simulated) end(c *caller) {
	if !c.bad {
		s.longest = max(s.longest, s.now-c.began)
	}
}

func scenarios() (all []scenario) {
	for _, limit := range []float64{2, 5, 20} {
		for kind, window := range []time.Duration{0, time.Second, 10 * time.Second} {
			for _, asks := range []string{"-", "1 s", "exact"} {
				for _, callers := range []int{1, 20} {
					name := fmt.Sprintf("%v a second, %s", limit, []string{"bucket", "windows of 1 s", "windows of 10 s"}[kind])
					all = append(all, scenario{name: name, limit: limit, window: window, asks: asks, callers: callers, least: 0.8, most: 0.08})
				}
			}
		}
	}
	return append(all,
		scenario{name: "100 a second, bucket", limit: 100},
		scenario{name: "100 a second, windows of 1 s", limit: 100, window: time.Second},
		scenario{name: "none"},
		scenario{name: "none, 5 % at random", chance: 0.05},
		scenario{name: "5 a second, 5 % at random", limit: 5, chance: 0.05},
		scenario{name: "none, 10 of 20 callers refused", bad: 10},
		scenario{name: "20 a second, now 2", limit: 20, lowered: true, from: 70 * time.Second, to: 120 * time.Second},
		scenario{name: "20 a second, 0 to 30 s after 2", limit: 20, lowered: true, from: 120 * time.Second, to: 150 * time.Second},
		scenario{name: "20 a second, 30 to 60 s after 2", limit: 20, lowered: true, from: 150 * time.Second, to: 180 * time.Second},
	)
}

// TestTheSimulationOfThePace prints the table of docs/design/rate-limit.md
// with -v: the worst of all runs. A part of the limits is judged by rate and
// refusals, and every one by its calls: none takes its time limit of 2 minutes,
// and no caller gets less than a third of what the mean gets.
func TestTheSimulationOfThePace(t *testing.T) {
	t.Parallel()
	t.Logf("%-32s %-11s %7s %8s %7s %9s %7s", "limit", "Retry-After", "callers", "a second", "refused", "longest", "fewest")
	for _, one := range scenarios() {
		one.asks, one.callers = cmp.Or(one.asks, "-"), cmp.Or(one.callers, 20)
		one.from, one.to = cmp.Or(one.from, 20*time.Second), cmp.Or(one.to, 140*time.Second)
		got, refused, longest, fewest := math.Inf(1), 0.0, time.Duration(0), 1.0
		for seed := range soak.Times(1, 10) {
			s, accepted, least := simulated{scenario: one}, 0.0, math.Inf(1)
			s.run(uint64(seed))
			for i, c := range s.all {
				accepted += c.accepted
				if i >= s.bad {
					least = min(least, c.accepted)
				}
			}
			got = min(got, accepted/(s.to-s.from).Seconds())
			refused = max(refused, s.refused/(accepted+s.refused))
			longest = max(longest, s.longest)
			fewest = min(fewest, least*float64(s.callers-s.bad)/accepted)
		}
		row := fmt.Sprintf("%-32s %-11s %7d %8.2f %6.1f%% %8.1fs %7.2f", one.name, one.asks, one.callers, got, 100*refused, longest.Seconds(), fewest)
		t.Log(row)
		assert.GreaterOrEqual(t, got, one.least*one.limit, row)
		assert.LessOrEqual(t, refused, cmp.Or(one.most, 1), row)
		assert.Less(t, longest, 2*time.Minute, row)
		assert.Greater(t, fewest, 0.33, row)
	}
}
