package transport

import (
	"math"
	"time"
)

// pace is the rate that a client learned from 429s. It only slows the client
// down. It is guarded by the mutex of its Limiter.
//
// It grows with accepted requests and not with time, so that it finds slow
// limits as well as fast ones. A refusal means that the service has nothing
// left, so between two refusals the service accepts exactly its own rate.
//
// A service may also refuse for reasons that do not depend on the rate. Such
// refusals come to a slow client as often as to a fast one, see chance.
type pace struct {
	perSecond       float64 // 0 until the first 429
	stage           stage
	epoch           int           // counts the refusals that changed the rate
	accepted        int           // attempts of the epoch that were not refused
	waited          int           // those of them that had to wait for the pace
	busy            time.Duration // time of the epoch in which the client kept to the pace
	sent            time.Time     // when the latest attempt went out
	counted         time.Time     // until when busy is counted
	measured        float64       // the rate of the service when it was last known; 0 before
	passed, passing float64       // rates of the epoch before the latest two raises

	share   float64   // share of the recent attempts that were refused
	noise   int       // refusals in a row that came sooner than a limit would explain
	settles int       // measurements since the latest probe that found no limit
	probed  int       // refusals of a probe
	epochs  epochs    // requests accepted in the latest epochs
	chance  chance    // refusals that have nothing to do with the rate
	spent   time.Time // until when the service may have nothing left
	alone   time.Time // the latest refusal that began no pace

	second      time.Time // when the count began
	count, past int       // attempts since then, and in the second before
}

// stage is the growth rate of a pace.
type stage int

const (
	searching stage = iota // the limit is somewhere above
	narrowing              // the limit is near
	settled                // the limit was measured
	probing                // faster than the measurement, to see whether there is a limit at all
)

const (
	slowestPace   = 0.2  // attempts a second that a pace never goes below
	firstPace     = 4    // least first guess: a little less than the service allows by default
	underPace     = 0.99 // share of the measured rate, see NewLimiter
	enough        = 10   // attempts between two refusals that make a measurement
	firstShare    = 0.3  // assumed share of refused attempts, before it is measured
	newShare      = 0.05 // weight of the latest attempt in that share
	quiet         = 80   // attempts between two refusals that a limit explains
	raiseSettled  = 35   // accepted attempts between two raises of a settled pace
	probePace     = 1.5  // factor on the measured rate
	probeAttempts = 12   // accepted attempts that make a probe
	aloneFor      = 10 * time.Second
	spentFor      = time.Second / 2 // many services count by the second
	mostGrowth    = 3               // attempts a second that one attempt adds to a pace
)

// turn is the permission to send one attempt.
type turn struct {
	epoch  int
	waited bool          // waited for the pace
	busy   time.Duration // what the attempt adds to that of the epoch
}

func (p *pace) spacing() time.Duration { return time.Duration(float64(time.Second) / p.perSecond) }

// next returns the time until the next attempt may be sent.
func (p *pace) next(now time.Time) time.Duration {
	if p.perSecond == 0 {
		return 0
	}
	return p.sent.Add(p.spacing()).Sub(now)
}

// sends records that an attempt is sent, and returns what it adds to the busy
// time of the epoch.
func (p *pace) sends(now time.Time) time.Duration {
	if p.perSecond == 0 {
		p.counts(now)
		return 0
	}
	gap, spacing := now.Sub(p.counted), p.spacing()
	if gap > spacing*5/4 { // nobody wanted to send
		gap = spacing
	}
	gap = max(0, gap)
	p.busy += gap
	p.sent, p.counted = now, now
	return gap
}

// lost takes back an attempt that may not have reached the limit.
func (p *pace) lost(t turn) {
	if t.epoch == p.epoch {
		p.busy -= t.busy
	}
}

// held records that the gate is closed until opens. The service replenishes its
// limit meanwhile.
func (p *pace) held(opens time.Time) {
	if p.perSecond > 0 && opens.After(p.counted) {
		p.busy += opens.Sub(p.counted)
		p.counted = opens
	}
}

// counts counts the attempts of a second, for the first estimate.
func (p *pace) counts(now time.Time) {
	if passed := now.Sub(p.second); passed >= time.Second {
		p.past = p.count
		if passed >= 2*time.Second {
			p.past = 0
		}
		p.second, p.count = now, 0
	}
	p.count++
}

// accepts adapts the pace to an attempt that was not refused.
func (p *pace) accepts(now time.Time, t turn) {
	if p.perSecond == 0 || t.epoch != p.epoch {
		return
	}
	p.share *= 1 - newShare
	p.accepted++
	if t.waited {
		p.waited++
	}
	switch {
	case p.chance.share > 0:
		p.endBlock(now)
	case p.stage == probing:
		if p.accepted >= probeAttempts && p.busy >= 2*spentFor && p.observedRate() > 1.15*p.measured { // there is no limit here
			p.stage, p.settles = searching, 0
		}
	case t.waited:
		p.grow()
	}
}

// observedRate returns the rate that the service accepted in this epoch.
func (p *pace) observedRate() float64 { return float64(p.accepted) / p.busy.Seconds() }

// grow raises the pace after an attempt that waited for it. An unused pace does
// not grow.
func (p *pace) grow() {
	switch {
	case p.stage == searching, p.stage == narrowing && p.waited > 2*quiet: // the limit is not near
		p.perSecond += min(0.1*p.perSecond, mostGrowth)
	case p.stage == narrowing, p.perSecond < p.measured*0.9: // back to what was measured
		p.perSecond *= 1.01
	case p.waited%raiseSettled == 0: // slowly at first, then faster: the limit may have been lifted
		steps := float64(p.waited / raiseSettled)
		p.passed, p.passing = p.passing, p.perSecond
		p.perSecond *= 1 + 0.001*steps*steps
	}
}

// refuses adapts the pace to a 429. It ignores attempts that were sent before
// the latest change, and those right after a measurement: a service that counts
// by the second has nothing left until the next one.
func (p *pace) refuses(now time.Time, t turn) {
	if t.epoch != p.epoch || p.accepted < enough && now.Before(p.spent) {
		return
	}
	p.share += newShare * (1 - p.share)
	switch {
	case p.perSecond == 0:
		if !p.begin(now) {
			return
		}
	case p.chance.share > 0:
		p.chance.refused++
		p.endBlock(now)
		return
	case p.stage == probing:
		if p.probed++; p.probed < 2 {
			return
		}
		p.perSecond, p.stage = p.measured*underPace, settled
	default:
		p.learn()
	}
	p.renew(now)
}

// begin makes the first estimate. The first refusal of a client that sends
// little is no evidence of a rate, unless another one follows soon.
func (p *pace) begin(now time.Time) bool {
	sent := max(p.count, p.past)
	if sent <= firstPace && now.Sub(p.alone) > aloneFor {
		p.alone = now
		return false
	}
	p.perSecond, p.share = max(firstPace, float64(sent)/2), firstShare
	return true
}

// learn changes the pace at the refusal that ends an epoch.
func (p *pace) learn() {
	p.epochs.add(p.accepted, p.busy)
	if p.accepted >= enough {
		p.spent = p.counted.Add(spentFor)
	}
	switch seen := p.observedRate(); {
	case p.isOdd():
		if p.accepted >= 3 { // fewer are too few to tell
			p.suspect()
		}
	case p.accepted < enough:
		p.slowDown()
	case p.stage == searching: // the observed rate is too low, because the service had capacity left
		p.perSecond, p.stage = math.Sqrt(min(p.perSecond, seen)*p.perSecond), narrowing
	case p.stage == narrowing:
		p.settle(max(seen, p.perSecond*0.9))
	default:
		p.settle(max(seen, p.passed))
	}
	if p.accepted >= quiet {
		p.chance.odd = 0
	}
}

// renew starts an epoch.
func (p *pace) renew(now time.Time) {
	p.epoch++
	p.sent, p.counted = now, now
	p.accepted, p.waited, p.busy, p.passed, p.passing = 0, 0, 0, 0, 0
}

// settle adopts a measured rate. It probes a measurement that came too soon,
// and occasionally any other.
func (p *pace) settle(rate float64) {
	p.noise++
	if p.accepted >= quiet {
		p.noise = 0
	}
	p.settles++
	p.measured = min(rate, p.perSecond)
	p.perSecond, p.stage = p.measured*underPace, settled
	if p.noise > 2 || p.settles == 8 || p.settles == 32 {
		p.perSecond, p.stage, p.probed, p.noise = p.measured*probePace, probing, 0, 0
	}
}

// slowDown lowers a rate that was refused too soon for a measurement, by more
// if more is refused.
func (p *pace) slowDown() {
	p.perSecond = max(slowestPace, p.perSecond*min(0.95, max(0.5, 1-2*p.share)))
	switch {
	case p.stage == settled:
		if p.noise++; p.noise > 2 || p.perSecond < p.measured/2 {
			p.noise, p.stage = 0, searching
		}
	case p.accepted == 0, p.stage == searching && p.accepted < 3:
		p.stage = searching
	default:
		p.stage = narrowing
	}
}
