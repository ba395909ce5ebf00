package redis

import "time"

// promises holds the turns of this process that a caller still waits for.
type promises map[*promise]struct{}

type promise struct {
	at    time.Time
	queue int64 // queue that the turn belongs to, see returns
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
