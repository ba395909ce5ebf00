package codec

import "strings"

// arena holds the strings of one record together, so that they need only one
// allocation and do not keep the page in memory. It returns substrings of the
// string of its builder. The builder only appends, so they do not change.
type arena struct {
	block strings.Builder
	size  int // expected total length of the strings
	used  int // bytes used in previous blocks
}

// smallBlock is the minimum size of a block.
const smallBlock = 64

func (a *arena) text(s []byte) string {
	if len(s) == 0 {
		return ""
	}
	if len(s) > a.block.Cap()-a.block.Len() && !a.grow(len(s)) {
		return string(s)
	}
	a.used += len(s)
	start := a.block.Len()
	a.block.Write(s)
	return a.block.String()[start:]
}

// grow starts a new block for a string of n bytes. It returns false if the
// string would take most of a block and is better allocated alone.
func (a *arena) grow(n int) bool {
	room, fair := a.size, a.size
	if a.used > 0 {
		room = max(a.used/2, smallBlock)
		fair = room / 2
	}
	if n > fair {
		return false
	}
	a.block.Reset()
	a.block.Grow(room)
	return true
}

// next prepares the arena for another record of the same type. The expected
// size is adjusted to the size of previous records, plus an eighth.
func (a *arena) next() {
	if need := a.used + a.used/8; a.used > 0 {
		a.size += (need - a.size) / 2
	}
	a.block.Reset()
	a.used = 0
}
