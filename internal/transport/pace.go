package transport

import "time"

// pace is the rate that a client finds from 429s. Its methods are given the
// time and never wait, so that a simulation can run it. Its rules:
//
//  1. Before the first 429 nothing waits.
//  2. A 429 pauses the client for its Retry-After. Without one the pause is up
//     to a second, twice as long if nothing was accepted since the one before,
//     and at most 5 s. A 429 to an attempt from before the pause begins none.
//  3. Every pause cuts the rate by a fifth. The first rate is what was sent in
//     the second before, at least 5 a second; no rate is below 1 a second.
//  4. The rate then follows a cubic function, as in RFC 9438: within 12 s of
//     use it returns to the refused rate, remains near it, and grows faster
//     and faster after that.
type pace struct {
	top    float64   // attempts per second at the latest 429; 0 before the first
	used   float64   // seconds of use since then
	due    time.Time // when the next attempt may be sent
	opens  time.Time // end of the latest Retry-After
	paused time.Time // beginning of the latest pause
	vain   int       // pauses since an attempt was accepted

	second      time.Time // beginning of the current second of use
	count, past int       // attempts in that second and in the one before
}

const (
	cut                  = 0.2 // share by which a pause lowers the rate
	recovery             = 12  // seconds of use until the refused rate is reached again
	slowest              = 1   // minimum rate
	slowestNew           = 5   // minimum first rate, the limit that the service documents
	firstPause, maxPause = time.Second, 5 * time.Second
)

// MaxPause limits the time for which one response stops a client, since a
// Retry-After may hold the seconds of an epoch, or a date far away.
const MaxPause = time.Hour

// rate returns the attempts per second, or 0 before the first 429.
func (p *pace) rate() float64 {
	if p.top == 0 {
		return 0
	}
	x := p.used/recovery - 1
	return max(slowest, p.top*(1+cut*x*x*x))
}

// spacing returns the time between two attempts, or 0 before the first 429.
func (p *pace) spacing() time.Duration {
	if p.top == 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / p.rate())
}

// wait returns the time until the next attempt may be sent.
func (p *pace) wait(now time.Time) time.Duration { return max(0, p.due.Sub(now)) }

// send records an attempt. The rate grows only if attempts waited for it. The
// next one is due sooner after a late one, or delays of timers would add up.
func (p *pace) send(now time.Time, waited bool) {
	if since := now.Sub(p.second); since >= time.Second {
		p.past = p.count
		if since >= 2*time.Second {
			p.past = 0
		}
		p.second, p.count = now, 0
	}
	p.count++
	if p.top == 0 {
		return
	}
	spacing := p.spacing()
	if waited {
		p.used += spacing.Seconds()
	}
	p.due = later(p.due, now.Add(-spacing)).Add(spacing)
}

// accept adapts the pace to a response to an attempt, sent at the given time.
func (p *pace) accept(sent time.Time) {
	if sent.After(p.paused) {
		p.vain = 0
	}
}

// refuse adapts the pace to a 429 to an attempt, sent at the given time. asked is
// its Retry-After, or 0. A random part from 0 to 1 lets several clients end
// their pauses at different times.
func (p *pace) refuse(now, sent time.Time, asked time.Duration, random float64) {
	if asked > 0 {
		p.opens = later(p.opens, now.Add(min(asked, MaxPause)))
		p.due = later(p.due, p.opens)
	}
	if p.top > 0 && !sent.After(p.paused) {
		return
	}
	if p.top == 0 {
		p.top = max(slowestNew/(1-cut), float64(max(p.count, p.past)))
	} else {
		p.top = p.rate()
	}
	if asked == 0 {
		pause := min(maxPause, firstPause<<min(p.vain, 3))
		p.due = later(p.opens, now.Add(time.Duration((1+random)/2*float64(pause))))
	}
	p.used, p.paused = 0, now
	p.vain++
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
