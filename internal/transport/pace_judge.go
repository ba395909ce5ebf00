package transport

import (
	"math"
	"time"
)

// judge changes the pace after a refusal that chance does not explain.
func (p *pace) judge(now time.Time, endpoint string) {
	refused := min(p.perSecond, max(firstPace, 1.2*p.traffic.rate(now))) // an unused pace was not refused
	rate := p.seen.rate() / (1 - p.chance.share)
	late := p.grown >= lateGrowth && p.accepted > fewAccepted
	p.row.refuses(now, endpoint, p.accepted == 0)
	switch {
	case !late && p.measured > 0 && refused > 1.1*p.measured && p.accepted < fewAccepted && p.seen.tried > 1:
		p.guessLower(refused)
	case !p.seen.isEnough() || p.accepted == 0:
		p.row.slowDown(p.spacing())
		if p.measured == 0 && p.accepted == 0 {
			p.ease(rate)
		}
	case p.measured == 0:
		p.suspicion.heavy(refused, &p.seen)
		p.measured = rate
		p.change(min(refused, rate), cautious)
	case p.chance.share == 0 && p.suspicion.confirmed(refused, p.traffic.rate(now), late, &p.seen):
		p.chance.share, p.trust = p.suspicion.share(), 1
		p.change(p.suspicion.pace, cautious)
		p.suspicion = suspicion{pace: p.suspicion.pace}
	case late:
		p.settle(refused, rate)
	default:
		p.suspect(refused, rate)
	}
}

// ease lowers the first guess while it is refused.
func (p *pace) ease(rate float64) {
	const easier, least = 0.8, 1.5
	lower := max(easier*p.perSecond, min(p.perSecond, max(firstPace, least*rate)))
	p.top, p.perSecond = p.top*lower/p.perSecond, lower
}

// guessLower lowers a pace that was refused almost immediately: the guessed top
// was too high.
func (p *pace) guessLower(refused float64) {
	const distrust = 0.4
	p.trust *= distrust
	lower := math.Sqrt(refused * p.measured)
	if p.accepted > 0 {
		lower = max(lower, 0.9*refused)
	}
	p.change(lower, 0)
}

// settle sets the pace after an expected refusal. A service that saves up
// unused requests accepts more than its limit for a while: then the accepted
// rate is the limit, otherwise the refused pace is.
func (p *pace) settle(refused, rate float64) {
	const moreTrust = 0.15
	p.measured = rate
	lower := 0.9 * refused
	switch {
	case p.grown < hurried && p.from == 0:
		p.trust = min(1, p.trust+moreTrust)
		lower = min(underRefused*refused, rate*math.Pow(refused/rate, p.trust))
	case p.chance.share > 0:
		lower = max(min(lower, rate), 0.95*p.chance.explained)
	}
	p.change(lower, 0)
}

// suspect sets the pace after a refusal that followed another one soon.
func (p *pace) suspect(refused, rate float64) {
	const distrust, leastTop = 0.4, 0.92
	if refused > p.measured {
		p.trust *= distrust
	}
	if heavy := p.suspicion.heavy(refused, &p.seen); heavy {
		p.measured = rate
		p.change(min(refused, underPace*rate), cautious)
		return
	}
	p.measured = max(rate, 0.95*p.measured)
	p.change(underPace*max(rate, underRefused*refused, leastTop*p.top), 0)
}

// observation counts the results of attempts since a change of the pace.
type observation struct {
	since          int // epoch at its start
	tried, refused int
	took           time.Duration
}

func (o *observation) add(t turn, refused bool) {
	if t.epoch < o.since {
		return
	}
	o.tried++
	o.took += t.busy
	if refused {
		o.refused++
	}
}

func (o *observation) rate() float64 {
	return float64(o.tried-o.refused) / max(0.001, o.took.Seconds())
}

func (o *observation) share() float64 { return float64(o.refused) / float64(max(1, o.tried)) }

// isEnough reports whether there are enough attempts to judge. Many services
// count per second.
func (o *observation) isEnough() bool {
	return o.took >= 2*time.Second && o.tried-o.refused >= fewAccepted
}

// isHeavy reports whether a large share was refused.
func (o *observation) isHeavy() bool { return float64(o.refused) > 0.25*float64(o.tried)+1 }

// suspicion counts refusals that no limit explains.
type suspicion struct {
	count          int
	tried, refused int
	pace           float64 // pace before the first of them
	proven         float64 // highest accepted rate since a large share was refused: that of the limit, or less
	heavyPace      float64 // refused pace of the latest observation, if a large share was refused; otherwise 0
	heavyShare     float64
}

// proves records the accepted rate of an observation. A client that sends at
// most used attempts per second proves no more.
func (s *suspicion) proves(used float64, o *observation) {
	const enough = 8
	switch accepted := o.tried - o.refused; {
	case o.isHeavy():
		s.proven = 0
	case accepted > enough:
		s.proven = max(s.proven, min(used, float64(accepted-1)/o.took.Seconds()))
	}
}

// heavy records and reports whether a large share was refused.
func (s *suspicion) heavy(refused float64, o *observation) bool {
	s.heavyPace, s.heavyShare = 0, 0
	if o.isHeavy() {
		s.heavyPace, s.heavyShare = refused, o.share()
	}
	return o.isHeavy()
}

// confirmed counts a refusal, and reports whether refusals are random: they
// came although the pace or the accepted rate was below the proven one, or did
// not become fewer at a slower pace.
func (s *suspicion) confirmed(refused, used float64, late bool, o *observation) bool {
	s.proves(used, o)
	if s.count == 0 {
		s.pace, s.tried, s.refused = max(refused, s.heavyPace), 0, 0
	}
	s.tried += o.tried
	s.refused += o.refused
	const inexact = 0.98
	below := refused <= inexact*s.proven || !late && o.rate() <= inexact*s.proven
	slower := s.heavyPace > 0 && refused <= 0.8*s.heavyPace && o.share() >= 0.7*s.heavyShare
	switch heavy := o.isHeavy(); {
	case !heavy && below, heavy && slower:
		s.count++
	case heavy, late: // the limit was lowered, or is where it was expected
		s.count = 0
	}
	return s.count >= s.enough() && s.pace >= leastSuspect
}

// enough returns the number of refusals that are needed. Few among many
// attempts may be due to a limit that does not count exactly.
func (s *suspicion) enough() int {
	if float64(s.refused) < 0.03*float64(s.tried) {
		return 3
	}
	return 2
}

func (s *suspicion) share() float64 { return min(mostChance, 1.2*float64(s.refused)/float64(s.tried)) }

// chance is the share of attempts that is refused at any pace.
type chance struct {
	share     float64
	excess    float64 // number of refusals that it does not explain
	explained float64 // latest pace without an excess
	since     int     // number of attempts since it was measured
}

const (
	mostChance   = 0.5
	leastSuspect = 1 // pace below which chance is too rare to matter
	leastChance  = 0.01
	memory       = 3 // weight of the measured share, in refusals
)

// tolerated returns the share of refused attempts above which excess grows.
func (c *chance) tolerated() float64 { return c.share + min(c.share, 0.05) }

func (c *chance) isDue() bool { return c.share > 0 && c.since > 1000 }

func (c *chance) accepts(growth, perSecond float64) {
	c.since++
	if c.excess = max(0, c.excess-c.tolerated()); c.excess == 0 {
		c.explained = perSecond
	}
	if growth < measuredPart {
		if c.share /= 1 + c.share/memory; c.share < leastChance {
			c.share = 0
		}
	}
}

// explains reports whether chance explains a refusal.
func (c *chance) explains(growth float64) bool {
	c.since++
	c.excess += 1 - c.share
	if c.share == 0 || c.excess >= min(6, 1+60*c.share)-c.share {
		return false
	}
	if growth < measuredPart {
		c.share = min(mostChance, c.share*(memory+1)/(memory+c.share))
	}
	return true
}
