package transport

import (
	"math/rand/v2"
	"slices"
	"time"
)

// simulation is a service and a client whose callers always want to send. It
// runs only the pace, in one goroutine and with its own clock, so that an hour
// takes milliseconds.
type simulation struct {
	latency time.Duration
	allows  func(at time.Time, caller int) bool

	begin, now, gate time.Time
	pace             pace
	random           *rand.Rand
	waiting          []*simulatedCall // by arrival
	answers          []simulatedAnswer
	sent             []simulatedSend
	took             []time.Duration // durations of the finished calls
}

type simulatedCall struct {
	caller         int
	endpoint       string
	began, arrived time.Time
	refusals       int
}

type simulatedAnswer struct {
	at      time.Time
	call    *simulatedCall
	turn    turn
	refused bool
}

type simulatedSend struct {
	at      time.Duration
	refused bool
	caller  int
}

func newSimulation(seed uint64, c simulatedClient, allows func(at time.Time, caller int) bool) *simulation {
	s := &simulation{latency: c.latency, allows: allows, random: rand.New(rand.NewPCG(seed, 2))}
	s.begin = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(s.random.Int64N(int64(time.Second))))
	s.now = s.begin
	for i := range c.callers {
		s.waiting = append(s.waiting, &simulatedCall{caller: i, began: s.now, arrived: s.now})
	}
	return s
}

// useEndpoint makes the callers from the given one on call another endpoint.
func (s *simulation) useEndpoint(endpoint string, from int) {
	for _, call := range s.waiting {
		if call.caller >= from {
			call.endpoint = endpoint
		}
	}
}

// run advances the simulation by d.
func (s *simulation) run(d time.Duration) {
	end := s.now.Add(d)
	for {
		due, first := end, -1
		for i, call := range s.waiting {
			if at := s.sendsAt(call); at.Before(due) {
				due, first = at, i
			}
		}
		if len(s.answers) > 0 && !s.answers[0].at.After(due) {
			s.now = s.answers[0].at
			s.answer()
			continue
		}
		s.now = due
		if first < 0 {
			return
		}
		s.send(first)
	}
}

// sendsAt returns when a call would be sent if there were no other.
func (s *simulation) sendsAt(call *simulatedCall) time.Time {
	at := s.now.Add(max(0, s.pace.next(s.now, call.endpoint)))
	for _, other := range []time.Time{call.arrived, s.gate} {
		if other.After(at) {
			at = other
		}
	}
	return at
}

func (s *simulation) send(first int) {
	call := s.waiting[first]
	s.waiting = slices.Delete(s.waiting, first, first+1)
	begun := s.pace.perSecond > 0
	busy := s.pace.sends(s.now, call.endpoint)
	t := turn{endpoint: call.endpoint, epoch: s.pace.epoch}
	if begun {
		t.waited, t.busy = s.now.After(call.arrived), busy
	}
	refused := !s.allows(s.now.Add(s.latency/2), call.caller)
	s.sent = append(s.sent, simulatedSend{s.now.Sub(s.begin), refused, call.caller})
	a := simulatedAnswer{s.now.Add(time.Duration(float64(s.latency) * (0.8 + 0.4*s.random.Float64()))), call, t, refused}
	i := len(s.answers)
	for i > 0 && s.answers[i-1].at.After(a.at) {
		i--
	}
	s.answers = slices.Insert(s.answers, i, a)
}

func (s *simulation) answer() {
	one := s.answers[0]
	s.answers = s.answers[1:]
	call := one.call
	if !one.refused {
		s.pace.accepts(one.turn)
		s.took = append(s.took, s.now.Sub(call.began))
		s.enter(&simulatedCall{caller: call.caller, endpoint: call.endpoint, began: s.now, arrived: s.now})
		return
	}
	s.pace.refuses(s.now, one.turn)
	wait := time.Duration(0)
	if s.pace.perSecond == 0 {
		wait = time.Duration(s.random.Int64N(int64(min(30*time.Second, 500*time.Millisecond<<min(10, call.refusals)))))
		if until := s.now.Add(min(wait, mostUnasked)); until.After(s.gate) {
			s.gate = until
		}
	}
	call.refusals++
	call.arrived = s.now.Add(wait)
	s.enter(call)
}

func (s *simulation) enter(c *simulatedCall) {
	i := len(s.waiting)
	for i > 0 && s.waiting[i-1].arrived.After(c.arrived) {
		i--
	}
	s.waiting = slices.Insert(s.waiting, i, c)
}

// between returns the accepted attempts per second, and the share of sent
// attempts that were refused.
func (s *simulation) between(from, to time.Duration) (perSecond float64, refused, sent int) {
	for _, one := range s.sent {
		if one.at >= from && one.at < to {
			sent++
			if one.refused {
				refused++
			}
		}
	}
	return float64(sent-refused) / (to - from).Seconds(), refused, sent
}

// simulatedClient has a number of callers and a response time.
type simulatedClient struct {
	callers int
	latency time.Duration
}

// most returns the attempts per second that the client would send without a
// pace.
func (c simulatedClient) most() float64 {
	return float64(c.callers) / max(0.0001, c.latency.Seconds())
}

var simulatedClients = []simulatedClient{
	{1, 10 * time.Millisecond},
	{2, 100 * time.Millisecond},
	{8, 10 * time.Millisecond},
	{32, 20 * time.Millisecond},
}
