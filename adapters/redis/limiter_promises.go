package redis

import "time"

// promises are the turns that Redis granted to this process and that somebody
// still waits for.
type promises map[*promise]struct{}

type promise struct {
	at    time.Time
	queue int64 // that it stands in, see returns
	name  int64 // in that queue
}

func (p promises) add(at time.Time, queue, name int64) *promise {
	one := &promise{at, queue, name}
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
