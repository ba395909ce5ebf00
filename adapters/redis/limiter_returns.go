package redis

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// returns holds the turns that this limiter has returned to a queue of turns.
// They are numbered, so that a lost response or a repeated call returns none
// twice. While Redis is down they are kept for the next call.
type returns struct {
	name  string // name of the limiter
	queue int64
	known int64      // number of returned turns that Redis has confirmed
	owed  []*promise // returned turns that Redis has not confirmed
}

func (r *returns) add(turn *promise) {
	if turn.queue == r.queue {
		r.owed = append(r.owed, turn)
	}
}

// text returns the names of the unconfirmed turns.
func (r *returns) text() string {
	names := make([]string, len(r.owed))
	for i, turn := range r.owed {
		names[i] = strconv.FormatInt(turn.name, 10)
	}
	return strings.Join(names, " ")
}

// forget drops turns whose time has passed while Redis was down.
func (r *returns) forget() {
	now := time.Now()
	r.owed = slices.DeleteFunc(r.owed, func(turn *promise) bool { return !turn.at.After(now) })
}

// learn records the number of turns that Redis has confirmed. For another
// queue, none are unconfirmed.
func (r *returns) learn(queue, known int64) {
	if queue != r.queue {
		r.queue, r.known, r.owed = queue, known, nil
		return
	}
	if more := known - r.known; more > 0 { // responses may arrive in another order
		r.known, r.owed = known, r.owed[min(more, int64(len(r.owed))):]
	}
}
