package redis

import "time"

// promises holds the granted turns for which callers of this process are
// waiting.
type promises map[*promise]struct{}

type promise struct {
	at    time.Time
	queue int64 // queue of the turn, see returns
	name  int64 // name of the turn in that queue
}

// last returns the time of the latest turn, or zero.
func (p promises) last() (last time.Time) {
	for one := range p {
		if one.at.After(last) {
			last = one.at
		}
	}
	return last
}
