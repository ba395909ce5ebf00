package transport

import "sync"

// rooms lends the memory into which answers are read: a walk over pages of
// half a megabyte would otherwise spend its time on fresh memory.
type rooms struct{ pool sync.Pool }

// room is memory on loan. Whoever has it last gives it back; one that is never
// given back is collected like anything else.
type room struct {
	data []byte
	home *rooms
}

// mostKept bounds the memory of one room at rest.
const mostKept = 4 << 20

func (r *rooms) lend() *room {
	if lent, ok := r.pool.Get().(*room); ok {
		return lent
	}
	return &room{home: r}
}

func (r *room) giveBack() {
	if cap(r.data) <= mostKept {
		r.home.pool.Put(r)
	}
}
