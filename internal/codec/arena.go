package codec

import "strings"

// arena holds the strings of one record together, so that a record costs one
// allocation for them and does not keep the page alive. It hands out parts of
// the string that its builder grows; the builder only ever appends, so a part
// that was handed out never changes.
type arena struct {
	block strings.Builder
	size  int // expected length of all strings together
	used  int // bytes handed out from blocks
}

// smallBlock is the least room worth asking for.
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

// grow starts a new block for a string of n bytes, or refuses when the string
// would take most of it: such a one is better alone.
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

// next prepares the arena for another record of the same kind. The expected
// size follows what the records needed, plus an eighth.
func (a *arena) next() {
	if need := a.used + a.used/8; a.used > 0 {
		a.size += (need - a.size) / 2
	}
	a.block.Reset()
	a.used = 0
}
