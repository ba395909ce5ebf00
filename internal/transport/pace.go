package transport

import (
	"math"
	"time"
)

// pace is the rate that a client learned from 429s, guarded by the mutex of its
// Limiter. It can only slow the client down. Its rules:
//
//  1. For a slow client, two consecutive refusals or a dozen scattered ones are
//     needed before it gets a pace.
//  2. After a refusal the pace is a little below the refused one. It grows back
//     to it, remains there for a while, and then grows faster and faster.
//  3. A refusal is judged only after 2 s and some accepted attempts. Until then
//     each consecutive refusal doubles the wait of the refused attempts.
//  4. If a large share is refused, the pace becomes the accepted rate.
//  5. If refusals go on although the pace, or the accepted rate, is below one
//     that was accepted, the pace is restored, and that share of refusals,
//     measured below the limit, is taken as chance.
//  6. Consecutive refusals of an endpoint, while others are accepted, slow down
//     only that endpoint.
type pace struct {
	perSecond float64 // 0 if there is no pace
	most      float64 // configured limit in attempts per second; 0 if there is none
	top       float64 // pace that growth reaches and keeps for a while
	grown     float64 // growth since the latest change, see shape
	from      float64 // growth at the latest change
	measured  float64 // accepted attempts per second before the latest change
	trust     float64 // 1 if the refused pace is the limit, 0 if the accepted rate is
	epoch     int     // number of refusals that were judged
	accepted  int     // number of attempts of the epoch that were not refused
	seen      observation
	row       row
	suspicion suspicion
	chance    chance
	traffic   traffic
	sent      time.Time // time of the latest attempt
	counted   time.Time // end of the time counted so far
	unpaced   unpaced
}

const (
	slowestPace  = 0.2 // minimum pace in attempts per second
	firstPace    = 4   // minimum first guess, a little below the service's default limit
	slowClient   = 6   // maximum attempts per second of a slow client
	scattered    = 12  // refusals that start no pace of a slow client
	aloneFor     = 10 * time.Second
	underRefused = 0.97 // share of a refused pace
	underPace    = 0.98 // share of a measured rate, see NewLimiter
	fewAccepted  = 4    // minimum number of attempts for a measurement
	depth        = 0.07 // share by which a pace is reduced after a refusal
	measuredPart = 0.6  // growth during which the pace is below the refused one
	lateGrowth   = 0.85 // growth after which a refusal is expected
	cautious     = 1.3  // initial growth of a guess
	hurried      = 1.6  // initial growth of the first guess
)

// unpaced counts the refusals before there is a pace.
type unpaced struct {
	refused, inRow int
	latest         time.Time
}

// turn is the permission to send one attempt.
type turn struct {
	endpoint string
	epoch    int
	waited   bool          // it waited for the pace
	busy     time.Duration // time since the previous attempt, if the client followed the pace
}

// shape returns the pace after the given growth, as a share of its top.
func (p *pace) shape(growth float64) float64 {
	const steep = 4
	switch x := growth - 1; {
	case x > 0:
		return math.Exp(steep * x * x * x)
	case p.chance.share > 0 && growth < measuredPart: // chance is measured at a constant pace
		return 1 - max(depth, p.chance.tolerated())
	default:
		return 1 + depth*x*x*x
	}
}

// unit returns the time in which the growth of a pace increases by 1.
func (p *pace) unit() time.Duration {
	const attempts = 110
	unit := min(12*time.Second, max(6*time.Second, seconds(attempts/p.perSecond)))
	switch {
	case p.measured == 0:
		return 4 * time.Second
	case p.from > 0: // the limit is unknown
		return min(unit, 6*time.Second)
	case p.chance.share > 0:
		return unit * 3 / 2
	}
	return unit
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// rate returns the pace in attempts per second, or the limit if that is slower.
func (p *pace) rate() float64 {
	if p.most > 0 {
		return min(p.perSecond, p.most)
	}
	return p.perSecond
}

func (p *pace) spacing() time.Duration { return seconds(1 / p.rate()) }

// next returns the time until the next attempt may be sent.
func (p *pace) next(now time.Time, endpoint string) time.Duration {
	if p.perSecond == 0 {
		return 0
	}
	return max(p.sent.Add(p.spacing()).Sub(now), p.row.next(now, endpoint))
}

// sends records that an attempt is sent. It returns the time since the previous
// one, if the client followed the pace.
func (p *pace) sends(now time.Time, endpoint string) time.Duration {
	p.traffic.sends(now)
	if p.perSecond == 0 {
		return 0
	}
	gap, wanted := now.Sub(p.counted), p.spacing()
	if p.row.covers(endpoint) {
		wanted, p.row.sent = max(wanted, p.row.idle), now
	}
	if gap > wanted*5/4 { // the client was idle
		gap = wanted
	}
	p.sent, p.counted = now, now
	return max(0, gap)
}

// held records that the gate is closed until opens. Meanwhile the service
// replenishes its limit.
func (p *pace) held(opens time.Time) {
	if p.perSecond > 0 && opens.After(p.counted) {
		p.seen.took += opens.Sub(p.counted)
		p.counted = opens
	}
}

// accepts adapts the pace to an accepted attempt.
func (p *pace) accepts(t turn) {
	if p.perSecond == 0 {
		p.unpaced.inRow = 0
		return
	}
	p.seen.add(t, false)
	if t.epoch != p.epoch {
		return
	}
	p.row.others = p.row.others || !p.row.covers(t.endpoint)
	p.accepted++
	p.chance.accepts(p.grown, p.perSecond)
	if p.row.covers(t.endpoint) {
		idle := p.row.idle > 0
		p.row.accepts(p.spacing())
		if idle {
			return
		}
	}
	switch {
	case p.chance.isDue():
		p.set(min(p.perSecond, max(firstPace, p.traffic.rate(p.sent))), 0)
	case t.waited: // an unused pace does not grow
		p.grown += t.busy.Seconds() / p.unit().Seconds()
		p.perSecond = max(slowestPace, min(2*p.perSecond, p.top*p.shape(p.grown)))
	}
}

// refuses adapts the pace to a 429. It ignores attempts that were sent before
// the latest judged refusal.
func (p *pace) refuses(now time.Time, t turn) {
	switch {
	case p.perSecond == 0:
		if t.epoch == p.epoch {
			p.begin(now)
		}
		return
	case p.row.isAlone(t.endpoint):
		p.row.refuses(now, t.endpoint, false)
		p.row.slowDown(p.spacing())
		return
	}
	p.seen.add(t, true)
	switch {
	case t.epoch != p.epoch:
		return
	case p.chance.explains(p.grown):
		return
	}
	p.judge(now, t.endpoint)
	p.epoch++
	p.accepted, p.chance.excess = 0, 0
}

// begin makes the first guess. Scattered refusals of a client that sends little
// do not indicate a rate.
func (p *pace) begin(now time.Time) {
	before := &p.unpaced
	if now.Sub(before.latest) > aloneFor {
		before.refused = 0
	}
	before.latest = now
	before.refused++
	before.inRow++
	rate := p.traffic.rate(now)
	if rate <= slowClient && before.refused <= scattered && before.inRow == 1 {
		return
	}
	p.change(max(firstPace, 0.55*rate), hurried)
	p.measured, p.trust, p.sent, p.counted = 0, 1, now, now
	p.epoch++
	p.accepted = 0
}

// set sets the pace to perSecond, and continues its growth from the given one.
func (p *pace) set(perSecond, growth float64) {
	perSecond = max(slowestPace, perSecond)
	p.top, p.grown, p.from, p.row.idle = perSecond/p.shape(max(1, growth)), growth, growth, 0
	p.perSecond = max(slowestPace, p.top*p.shape(growth))
	if growth == 0 {
		p.chance.since = 0
	}
}

// change calls set after a refusal and starts a new observation.
func (p *pace) change(perSecond, growth float64) {
	p.set(perSecond, growth)
	p.seen = observation{since: p.epoch + 1}
}
