package nats_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/soak"
)

// The model of the order by record has two workers, three events of two
// records, and everything that may happen between two of their calls. Each step
// is one call that the server executes atomically, or one reading of the clock.

const (
	modelRecords = 2
	modelEvents  = 3
	modelBudget  = 2 // events of a record before its token moves behind the others
)

// recordOf returns the record of an event; the first two events share one.
func recordOf(event int) int { return event / 2 }

// place is the next step of a worker.
type place int8

const (
	idle place = iota
	exchange
	read
	begin
	handling
	remove
	checkNext
	follow
	end
	look
	put
	checkDelay
	delay
)

type modelToken struct {
	there, given, again bool // again: it was delivered before
}

type modelWorker struct {
	at      place
	record  int8
	event   int8
	handled int8 // events under this token
	current bool // its token is the current one, neither ended nor exchanged
	lapsed  bool // the lease has expired, which the worker notices at its next check
}

// modelState is the whole state. It is comparable, so that each state is tried
// once.
type modelState struct {
	stored  [modelEvents]bool // it was put
	removed [modelEvents]bool
	tried   [modelEvents]bool // its handler has succeeded
	putting [modelEvents]bool // the message was put, but its token was not
	tokens  [modelRecords]modelToken
	workers [2]modelWorker

	lapses, failures, kills int8 // that may still happen
	old                     int8 // event that the former version puts without a token
}

// rules are the rules that the mutants of the model omit.
type rules struct {
	lookAgain, exchange, sweep, headFirst, checkLease bool
}

func allRules() rules { return rules{true, true, true, true, true} }

func (s *modelState) first(record int8) int8 {
	for e := range modelEvents {
		if int8(recordOf(e)) == record && s.stored[e] && !s.removed[e] {
			return int8(e)
		}
	}
	return -1
}

// putToken puts a token, unless there is one.
func (s *modelState) putToken(record int8) {
	s.tokens[record].there = true
}

// endToken removes the token of the worker, if it still exists.
func (s *modelState) endToken(o *modelWorker) {
	if !o.current {
		return
	}
	s.tokens[o.record] = modelToken{}
	for w := range s.workers {
		if s.workers[w].record == o.record {
			s.workers[w].current = false
		}
	}
}

// model explores all states.
type model struct {
	rules
	enough bool // to find one fault
	seen   map[modelState]bool
	wrong  map[string]bool
}

func (m *model) fault(format string, values ...any) { m.wrong[fmt.Sprintf(format, values...)] = true }

func (m *model) visit(s modelState) {
	if m.seen[s] {
		return
	}
	m.seen[s] = true
	if m.enough && len(m.wrong) > 0 {
		return
	}
	next := func(step func(*modelState)) {
		following := s
		step(&following)
		m.visit(following)
	}
	moved := m.putters(s, next)
	for w := range s.workers {
		moved = m.worker(s, w, next) || moved
	}
	moved = m.lapse(s, next) || moved
	if m.sweep && m.sweeps(s, next) {
		moved = true
	}
	if !moved {
		m.quiet(s)
	}
}

func (m *model) quiet(s modelState) {
	for e := range modelEvents {
		if !s.removed[e] || !s.tried[e] {
			m.fault("event %d is lost", e)
		}
	}
	for record, token := range s.tokens {
		if token.there {
			m.fault("the token of record %d is left", record)
		}
	}
}

// putters puts the events of a record in order, each in two calls.
func (m *model) putters(s modelState, next func(func(*modelState))) (moved bool) {
	for e := range modelEvents {
		switch {
		case s.putting[e]:
			next(func(s *modelState) { s.putting[e] = false; s.putToken(int8(recordOf(e))) })
		case !s.stored[e] && (e == 0 || recordOf(e-1) != recordOf(e) || s.stored[e-1]):
			next(func(s *modelState) { s.stored[e], s.putting[e] = true, int8(e) != s.old })
		default:
			continue
		}
		moved = true
	}
	return moved
}

// sweeps puts missing tokens.
func (m *model) sweeps(s modelState, next func(func(*modelState))) (moved bool) {
	for record := range int8(modelRecords) {
		if s.first(record) >= 0 && !s.tokens[record].there {
			next(func(s *modelState) { s.putToken(record) })
			moved = true
		}
	}
	return moved
}

// lapse expires the lease of a worker, or ends the worker.
func (m *model) lapse(s modelState, next func(func(*modelState))) (moved bool) {
	for record, token := range s.tokens {
		if !token.given {
			continue
		}
		holder := func(s *modelState) *modelWorker {
			for w := range s.workers {
				if o := &s.workers[w]; o.current && int(o.record) == record && !o.lapsed {
					return o
				}
			}
			return nil
		}
		if holder(&s) == nil { // no worker extends it
			next(func(s *modelState) { s.tokens[record].given = false })
			moved = true
			continue
		}
		if s.lapses > 0 {
			next(func(s *modelState) { s.lapses--; holder(s).lapsed = true; s.tokens[record].given = false })
		}
	}
	for w := range s.workers {
		if s.kills > 0 && s.workers[w].at != idle {
			next(func(s *modelState) { s.kills--; s.workers[w] = modelWorker{} })
		}
	}
	return moved
}

// worker makes the next call of a worker.
func (m *model) worker(s modelState, w int, next func(func(*modelState))) bool {
	step := func(do func(*modelState, *modelWorker)) { next(func(s *modelState) { do(s, &s.workers[w]) }) }
	leave := func(_ *modelState, o *modelWorker) { *o = modelWorker{} }
	switch o := s.workers[w]; o.at {
	case idle:
		return m.take(s, w, next)
	case exchange: // in one call, which does nothing if its token is gone
		step(func(s *modelState, o *modelWorker) {
			if o.current {
				s.endToken(o)
				s.putToken(o.record)
			}
			leave(s, o)
		})
	case put:
		step(func(s *modelState, o *modelWorker) { s.putToken(o.record); leave(s, o) })
	case read, follow:
		step(func(s *modelState, o *modelWorker) { m.read(s, o) })
	case begin:
		step(func(s *modelState, o *modelWorker) { m.begin(s, o, leave) })
	case handling:
		step(func(s *modelState, o *modelWorker) { s.tried[o.event] = true; o.at = remove })
		if s.failures > 0 {
			step(func(s *modelState, o *modelWorker) { s.failures--; o.at = checkDelay })
		}
	case remove:
		step(func(s *modelState, o *modelWorker) { s.removed[o.event] = true; o.at = checkNext })
	case checkNext, checkDelay:
		after := map[place]place{checkNext: follow, checkDelay: delay}[o.at]
		step(func(s *modelState, o *modelWorker) {
			if o.at = after; m.checkLease && o.lapsed {
				leave(s, o)
			}
		})
	case end:
		step(func(s *modelState, o *modelWorker) {
			s.endToken(o)
			if o.at = look; !m.lookAgain {
				leave(s, o)
			}
		})
	case look:
		step(func(s *modelState, o *modelWorker) {
			if o.at = put; s.first(o.record) < 0 {
				leave(s, o)
			}
		})
	case delay:
		step(func(s *modelState, o *modelWorker) {
			if o.current {
				s.tokens[o.record].given = false
			}
			leave(s, o)
		})
	}
	return true
}

func (m *model) take(s modelState, w int, next func(func(*modelState))) (moved bool) {
	for record, token := range s.tokens {
		if !token.there || token.given {
			continue
		}
		next(func(s *modelState) {
			t, o := &s.tokens[record], &s.workers[w]
			*o = modelWorker{at: read, record: int8(record), current: true}
			if m.exchange && t.again {
				o.at = exchange
			}
			t.given, t.again = true, true
		})
		moved = true
	}
	return moved
}

func (m *model) read(s *modelState, o *modelWorker) {
	switch o.event = s.first(o.record); {
	case o.handled == modelBudget:
		o.at = exchange
	case o.event < 0:
		o.at = end
	default:
		o.at = begin
	}
	if !m.headFirst && o.event == 0 && s.stored[1] && !s.removed[1] {
		o.event = 1
	}
}

// begin is the start of the handler, which reads the clock first.
func (m *model) begin(s *modelState, o *modelWorker, leave func(*modelState, *modelWorker)) {
	if m.checkLease && o.lapsed {
		leave(s, o)
		return
	}
	if o.lapsed {
		m.fault("event %d was begun after the lease", o.event)
	}
	for e := range int(o.event) {
		if recordOf(e) == recordOf(int(o.event)) && !s.removed[e] {
			m.fault("event %d was begun before event %d", o.event, e)
		}
	}
	for _, other := range s.workers {
		if other.at == handling && other.record == o.record && !other.lapsed {
			m.fault("two events of record %d at once", o.record)
		}
	}
	o.at = handling
	o.handled++
}

// tryModel tries all interleavings, and returns the violations found.
func tryModel(r rules, start modelState) (wrong map[string]bool, states int) {
	m := model{rules: r, enough: r != allRules(), seen: map[modelState]bool{}, wrong: map[string]bool{}}
	m.visit(start)
	return m.wrong, len(m.seen)
}

// faultsOfModel returns combinations of faults.
func faultsOfModel() map[string]modelState {
	faults := map[string]modelState{
		"a lapse":                            {lapses: 1, old: -1},
		"a kill and a failure":               {kills: 1, failures: 1, old: -1},
		"the former version puts the first":  {failures: 1, old: 0},
		"the former version puts the second": {failures: 1, old: 1},
	}
	for name, long := range map[string]modelState{
		"two lapses":                                {lapses: 2, old: -1},
		"a failure and a lapse":                     {failures: 1, lapses: 1, old: -1},
		"a kill and a lapse":                        {kills: 1, lapses: 1, old: -1},
		"a lapse beside the former version":         {lapses: 1, failures: 1, old: 0},
		"a kill beside the former version":          {kills: 1, failures: 1, old: 1},
		"two failures, a kill beside other records": {kills: 1, failures: 2, old: 2},
	} {
		if soak.Times(0, 1) > 0 {
			faults[name] = long
		}
	}
	return faults
}

func TestNoInterleavingLosesAnEventOrItsOrder(t *testing.T) {
	t.Parallel()
	for name, start := range faultsOfModel() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wrong, states := tryModel(allRules(), start)
			assert.Empty(t, wrong)
			t.Logf("%d states", states)
		})
	}
}

func TestEveryRuleOfTheTokensIsNeeded(t *testing.T) {
	t.Parallel()
	lapses, killed := modelState{lapses: 1, old: -1}, modelState{kills: 1, old: -1}
	for name, test := range map[string]struct {
		without func(*rules)
		start   modelState
	}{
		"the look after the end of a token": {func(r *rules) { r.lookAgain, r.sweep = false, false }, modelState{old: -1}},
		"the exchange of a lapsed token":    {func(r *rules) { r.exchange = false }, lapses},
		"the sweep after a kill":            {func(r *rules) { r.sweep = false }, killed},
		"the sweep for the former version":  {func(r *rules) { r.sweep = false }, modelState{old: 1}},
		"the first event first":             {func(r *rules) { r.headFirst = false }, modelState{old: -1}},
		"the look at the clock":             {func(r *rules) { r.checkLease = false }, lapses},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := allRules()
			test.without(&r)
			wrong, _ := tryModel(r, test.start)
			assert.NotEmpty(t, wrong, "the model does not see it")
		})
	}
}
