package transport

import "time"

// chance estimates refusals that do not depend on the rate. A limit refuses
// nothing to a client that is much slower than what the service accepted
// before. If such a client is refused, the pace counts refusals by blocks of
// attempts, and slows down only for more than chance explains.
type chance struct {
	share   float64 // of the attempts that are refused by chance; 0 while none are known
	odd     int     // refusals that no limit explains
	refused int     // attempts of the block that were refused
	step    float64 // by which the pace grows after the block
	good    int     // blocks in a row that chance explains
	control control
}

// control is a block that is too slow for a limit to refuse anything, and so
// measures chance.
type control struct {
	on     bool
	before float64 // share of the refused in a faster control just before; 0 if there was none
	resume float64 // pace to go on with, if it is faster
	step   float64 // growth to go on with
}

const (
	firstBlock    = 20   // attempts in a block while the pace is doubled after each
	block         = 40   // attempts in a block
	mostByChance  = 0.4  // share of the attempts beyond which only a rate explains refusals
	leastByChance = 0.01 // share of the attempts below which chance is forgotten
	smallStep     = 0.01 // first growth near a limit
	controlEvery  = 8    // blocks
)

// isOdd reports whether no limit explains the refusal that ends this epoch.
func (p *pace) isOdd() bool {
	if p.accepted == 0 || p.accepted >= quiet {
		return false
	}
	return p.perSecond < 0.6*p.epochs.best() || p.perSecond == slowestPace
}

// suspect starts to measure chance at the second refusal that no limit
// explains. A lowered limit could explain the first one.
func (p *pace) suspect() {
	if p.chance.odd++; p.chance.odd > 1 {
		p.chance = chance{share: min(mostByChance, p.epochs.refused())}
		p.beginControl(p.perSecond*0.6, control{step: 1})
	}
}

// endBlock evaluates the block as soon as its result is certain.
func (p *pace) endBlock(now time.Time) {
	c, size := &p.chance, block
	if c.step == 1 {
		size = firstBlock
	}
	attempts := p.accepted + c.refused
	share := float64(c.refused) / float64(attempts)
	tooMany := float64(c.refused) > 1.5*c.share*float64(size)+3
	switch {
	case p.accepted == 0 && c.refused == 3: // far too fast
		p.beginControl(p.perSecond/2, control{step: smallStep})
	case tooMany && c.control.on:
		if share <= mostByChance && share >= 0.8*c.control.before && c.control.before > 0 {
			c.share = share // slower, and refused as often
		}
		p.beginControl(p.perSecond*0.7, control{before: share, step: c.control.step})
	case tooMany:
		p.beginControl(min(p.perSecond, p.observedRate())*0.95, control{step: smallStep})
	case attempts < size:
		return
	case c.control.on:
		p.endControl(share)
	default:
		p.growAfterBlock()
	}
	p.chance.refused = 0
	p.renew(now)
}

func (p *pace) beginControl(perSecond float64, c control) {
	c.on = true
	p.perSecond = max(slowestPace, perSecond)
	p.chance.control, p.chance.step, p.chance.good = c, c.step, 0
}

// endControl adopts the share that the control measured.
func (p *pace) endControl(share float64) {
	c := &p.chance
	if c.control.step < 1 { // the first control alone tells
		share = (c.share + share) / 2
	}
	was := c.share
	if c.share = min(mostByChance, share); share < leastByChance {
		p.chance, p.stage, p.measured = chance{}, settled, p.perSecond
		return
	}
	if share > 0.8*was {
		p.perSecond = max(p.perSecond, c.control.resume)
	}
	c.control = control{}
}

// growAfterBlock raises the pace after a block that chance explains, if the
// pace is in use. It inserts controls, so that chance does not hide a limit.
func (p *pace) growAfterBlock() {
	c := &p.chance
	if p.waited == 0 {
		return
	}
	if c.good++; c.good >= controlEvery && c.step < 1 {
		p.beginControl(0.8*min(p.perSecond, p.observedRate()), control{resume: p.perSecond, step: smallStep})
		return
	}
	p.perSecond *= 1 + c.step
	c.step = min(1, 2*c.step)
}

// epochs holds what the service accepted between its latest refusals.
type epochs struct {
	latest [8]epoch
	count  int
}

type epoch struct {
	accepted int
	busy     time.Duration
	rate     float64 // over this epoch and as many before it as make a measurement; 0 if they do not
}

func (e *epochs) add(accepted int, busy time.Duration) {
	const size = len(e.latest)
	now := &e.latest[e.count%size]
	*now = epoch{accepted: accepted, busy: busy}
	e.count++
	accepted, busy = 0, 0
	for i := range min(e.count, size) {
		one := e.latest[(e.count-1-i)%size]
		if accepted, busy = accepted+one.accepted, busy+one.busy; accepted >= enough && busy > 0 {
			now.rate = float64(accepted) / busy.Seconds()
			return
		}
	}
}

// best returns the highest rate that was measured lately, or 0.
func (e *epochs) best() float64 {
	best := 0.0
	for _, one := range e.latest {
		best = max(best, one.rate)
	}
	return best
}

// refused returns the share of the attempts that were refused lately.
func (e *epochs) refused() float64 {
	refused, accepted := min(e.count, len(e.latest)), 0
	for _, one := range e.latest {
		accepted += one.accepted
	}
	return float64(refused) / float64(refused+accepted)
}
