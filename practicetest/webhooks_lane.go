package practicetest

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// chaos sets how unreliable webhook deliveries are. The same seed and the same
// events give the same order.
type chaos struct {
	duplicates   float64 // share of deliveries sent twice, 0 to 1
	disorder     float64 // share of deliveries overtaken by later ones, 0 to 1
	redeliveries int     // how often a delivery that failed is tried again
	seed         uint64
}

const (
	maxHeld  = 8           // parcels a lane holds back at most
	maxAhead = 3           // maximum number of later parcels that overtake a held one
	holdTime = time.Second // how long they wait for those
)

// lane holds one subscription's deliveries in order, and those delayed to
// simulate reordering.
type lane struct {
	chaos         chaos
	rng           *rand.Rand
	queue         []parcel
	held          []heldParcel
	running       bool
	cancelRelease func()
}

// heldParcel waits until so many others were queued.
type heldParcel struct {
	parcel
	ahead int
}

func newLane(behaviour chaos, subscriptionID string) *lane {
	h := fnv.New64a()
	_, _ = h.Write([]byte(subscriptionID)) // a hash never fails
	return &lane{
		chaos: behaviour, rng: rand.New(rand.NewPCG(behaviour.seed, h.Sum64())), cancelRelease: func() {},
	}
}

// plan returns the copies of a parcel to send, one or two, and decides which of
// them are held back.
func (l *lane) plan(p parcel) []heldParcel {
	first := heldParcel{parcel: p}
	if l.rng.Float64() < l.chaos.disorder {
		first.ahead = 1 + l.rng.IntN(maxAhead)
	}
	if l.rng.Float64() >= l.chaos.duplicates {
		return []heldParcel{first}
	}
	second := heldParcel{parcel: p, ahead: l.rng.IntN(maxAhead + 1)}
	second.duplicate = true
	return []heldParcel{first, second}
}

// add queues a parcel or holds it back. A parcel that was held back long enough
// follows a queued one.
func (l *lane) add(p heldParcel) {
	if p.ahead > 0 && len(l.held) < maxHeld {
		l.held = append(l.held, p)
		return
	}
	l.queue = append(l.queue, p.parcel)
	waiting := l.held[:0]
	for _, h := range l.held {
		if h.ahead--; h.ahead > 0 {
			waiting = append(waiting, h)
		} else {
			l.queue = append(l.queue, h.parcel)
		}
	}
	l.held = waiting
}

// releaseAll queues everything that is held back, in any order.
func (l *lane) releaseAll() {
	l.cancelRelease()
	l.rng.Shuffle(len(l.held), func(i, j int) { l.held[i], l.held[j] = l.held[j], l.held[i] })
	for _, h := range l.held {
		l.queue = append(l.queue, h.parcel)
	}
	l.held = nil
}

func (l *lane) next() parcel {
	p := l.queue[0]
	l.queue = l.queue[1:]
	return p
}
