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
	name     string
	limit    float64       // requests a second; 0: none
	window   time.Duration // time over which the service counts; 0: a token bucket of 5
	asks     string        // Retry-After: none, 1 s, or exact, in whole seconds
	callers  int
	chance   float64 // share of requests that is refused at random
	bad      int     // callers whose endpoint refuses everything
	lowered  bool    // the limit is a tenth from 60 s to 120 s
	from, to int     // seconds that are measured
	least    float64 // required share of the limit
	most     float64 // largest share that may be refused; 0: any
}

// simulated is one run of a scenario.
type simulated struct {
	scenario
	random        *rand.Rand
	pace          pace
	begin, now    time.Time
	latency       float64   // usual time of a response, in nanoseconds
	left          float64   // requests that the service accepts
	counted       time.Time // beginning of its window, or latest refill
	queue, events []attemptOf
	accepted      []float64 // by caller, as refused in the seconds that are measured
	refused       float64
	longest       time.Duration // of all calls
}

// attemptOf is a call of one caller between two attempts, or during one.
type attemptOf struct {
	caller, refusals   int
	began, at, sent    time.Time // at: arrival in the queue, or time of the response
	answered, accepted bool
	asked              time.Duration
}

// ask is the service: it accepts a request, or refuses it with a Retry-After.
func (s *simulated) ask(now time.Time, caller int) (accepted bool, asked time.Duration) {
	limit := s.limit
	if since := now.Sub(s.begin); s.lowered && since >= time.Minute && since < 2*time.Minute {
		limit /= 10
	}
	free := now.Add(time.Second)
	if s.window == 0 {
		s.left, s.counted = min(5, s.left+limit*now.Sub(s.counted).Seconds()), now
	} else {
		begun := now.Truncate(s.window)
		if !begun.Equal(s.counted) {
			s.left, s.counted = limit*s.window.Seconds(), begun
		}
		free = begun.Add(s.window)
	}
	switch {
	case caller < s.bad || s.random.Float64() < s.chance:
		return false, 0
	case limit == 0:
		return true, 0
	case s.left >= 1:
		s.left--
		return true, 0
	case s.asks == "1 s":
		return false, time.Second
	case s.asks == "exact":
		return false, (free.Sub(now) + time.Second - 1).Truncate(time.Second)
	}
	return false, 0
}

// run simulates the scenario.
func (s *simulated) run(seed uint64) {
	s.random = rand.New(rand.NewPCG(seed, 2))
	s.latency = (5 + 40*s.random.Float64()) * float64(time.Millisecond)
	s.begin = time.Unix(0, s.random.Int64N(int64(time.Minute)))
	s.now, s.counted, s.left, s.accepted = s.begin, s.begin, 5, make([]float64, s.callers)
	for caller := range s.callers {
		s.enter(attemptOf{caller: caller, began: s.begin, at: s.begin})
	}
	for s.now.Sub(s.begin) < time.Duration(s.to)*time.Second {
		due := s.now.Add(s.pace.wait(s.now))
		if len(s.queue) == 0 || len(s.events) > 0 && !s.events[0].at.After(due) {
			s.event()
		} else {
			s.send(due)
		}
	}
	for _, a := range slices.Concat(s.queue, s.events) {
		s.finish(a)
	}
}

func (s *simulated) enter(a attemptOf) {
	i, _ := slices.BinarySearchFunc(s.events, a.at.Add(1), func(e attemptOf, at time.Time) int { return e.at.Compare(at) })
	s.events = slices.Insert(s.events, i, a)
}

// finish notes how long a call took. Those to an endpoint that refuses
// everything take their whole time limit.
func (s *simulated) finish(a attemptOf) {
	if a.caller >= s.bad {
		s.longest = max(s.longest, s.now.Sub(a.began))
	}
}

func (s *simulated) send(due time.Time) {
	a := s.queue[0]
	s.queue = s.queue[1:]
	waited := due.After(s.now)
	s.now = due
	s.pace.send(due, waited)
	a.sent, a.answered = due, true
	a.accepted, a.asked = s.ask(due.Add(time.Duration(s.latency*(0.3+0.4*s.random.Float64()))), a.caller)
	a.at = due.Add(time.Duration(s.latency * (0.8 + 0.4*s.random.Float64())))
	s.enter(a)
}

// event is the arrival of a call in the queue, or a response.
func (s *simulated) event() {
	a := s.events[0]
	s.events, s.now = s.events[1:], a.at
	measured := 0.0
	if s.now.Sub(s.begin) >= time.Duration(s.from)*time.Second {
		measured = 1
	}
	switch {
	case !a.answered:
		s.queue = append(s.queue, a)
	case a.accepted:
		s.pace.accept(a.sent)
		s.accepted[a.caller] += measured
		s.finish(a)
		s.enter(attemptOf{caller: a.caller, began: s.now, at: s.now})
	default:
		s.pace.refuse(s.now, a.sent, a.asked, s.random.Float64())
		s.refused += measured
		bound := min(30*time.Second, 500*time.Millisecond<<min(a.refusals, 6))
		wait := cmp.Or(a.asked, time.Duration(s.random.Float64()*float64(bound)))
		s.enter(attemptOf{caller: a.caller, refusals: a.refusals + 1, began: a.began, at: s.now.Add(wait)})
	}
}

func scenarios() (all []scenario) {
	for _, limit := range []float64{2, 5, 20} {
		for kind, window := range []time.Duration{0, time.Second, 10 * time.Second} {
			for _, asks := range []string{"-", "1 s", "exact"} {
				for _, callers := range []int{1, 20} {
					name := fmt.Sprintf("%v a second, %s", limit, []string{"bucket", "windows of 1 s", "windows of 10 s"}[kind])
					all = append(all, scenario{name: name, limit: limit, window: window, asks: asks, callers: callers, least: 0.8, most: 0.08, from: 20, to: 140})
				}
			}
		}
	}
	return append(all,
		scenario{name: "100 a second, bucket", limit: 100, callers: 20, from: 20, to: 140},
		scenario{name: "100 a second, windows of 1 s", limit: 100, window: time.Second, callers: 20, from: 20, to: 140},
		scenario{name: "none", callers: 20, from: 20, to: 40},
		scenario{name: "none, 5 % at random", callers: 20, chance: 0.05, from: 20, to: 140},
		scenario{name: "5 a second, 5 % at random", limit: 5, callers: 20, chance: 0.05, from: 20, to: 140},
		scenario{name: "20 a second, 5 % at random", limit: 20, callers: 20, chance: 0.05, from: 20, to: 140},
		scenario{name: "none, 1 of 20 callers refused", callers: 20, bad: 1, from: 20, to: 140},
		scenario{name: "none, 10 of 20 callers refused", callers: 20, bad: 10, from: 20, to: 140},
		scenario{name: "20 a second, now 2", limit: 20, lowered: true, callers: 20, from: 70, to: 120},
		scenario{name: "20 a second, 0 to 30 s after 2", limit: 20, lowered: true, callers: 20, from: 120, to: 150},
		scenario{name: "20 a second, 30 to 60 s after 2", limit: 20, lowered: true, callers: 20, from: 150, to: 180},
	)
}

// TestTheSimulationOfThePace prints the table of docs/paging-and-rate-limits.md
// with -v: the worst of all runs. A part of the limits is judged by rate and
// refusals, and every one by its calls: none takes its time limit of 2 minutes,
// and no caller gets less than a third of what the mean gets.
func TestTheSimulationOfThePace(t *testing.T) {
	t.Parallel()
	t.Logf("%-32s %-11s %7s %8s %7s %9s %7s", "limit", "Retry-After", "callers", "a second", "refused", "longest", "fewest")
	for _, one := range scenarios() {
		got, refused, longest, fewest := math.Inf(1), 0.0, time.Duration(0), 1.0
		for seed := range soak.Times(1, 10) {
			s := simulated{scenario: one}
			s.run(uint64(seed))
			accepted := 0.0
			for _, n := range s.accepted {
				accepted += n
			}
			got = min(got, accepted/float64(s.to-s.from))
			refused = max(refused, s.refused/(accepted+s.refused))
			longest = max(longest, s.longest)
			fewest = min(fewest, slices.Min(s.accepted[s.bad:])*float64(s.callers-s.bad)/accepted)
		}
		t.Logf("%-32s %-11s %7d %8.2f %6.1f%% %8.1fs %7.2f", one.name, cmp.Or(one.asks, "-"), one.callers, got, 100*refused, longest.Seconds(), fewest)
		assert.GreaterOrEqual(t, got, one.least*one.limit, "%s, %s, %d", one.name, one.asks, one.callers)
		assert.LessOrEqual(t, refused, cmp.Or(one.most, 1), "%s, %s, %d", one.name, one.asks, one.callers)
		assert.Less(t, longest, 2*time.Minute, "%s, %s, %d", one.name, one.asks, one.callers)
		assert.Greater(t, fewest, 0.33, "%s, %s, %d", one.name, one.asks, one.callers)
	}
}
