package redis

import "time"

// promises are the turns that Redis granted to this process and that somebody still waits for.
type promises map[*promise]struct{}

type promise struct{ at time.Time }

func (p promises) add(at time.Time) *promise {
	one := &promise{at}
	p[one] = struct{}{}
	return one
}

// last is the time of the latest of them, or zero.
func (p promises) last() (last time.Time) {
	for one := range p {
		if one.at.After(last) {
			last = one.at
		}
	}
	return last
}
