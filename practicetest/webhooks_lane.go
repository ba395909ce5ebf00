package practicetest

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// chaos configures unreliable deliveries. Equal seeds and events result in the
// same behaviour.
type chaos struct {
	duplicates   float64 // share of deliveries to send twice, 0 to 1
	disorder     float64 // share of deliveries that later ones overtake, 0 to 1
	redeliveries int     // maximum number of retries of a failed delivery
	seed         uint64
}

const (
	maxHeld  = 8           // maximum number of parcels that a lane holds back
	maxAhead = 3           // maximum number of parcels that overtake a held one
	holdTime = time.Second // maximum time for which parcels are held back
)

// lane is the delivery queue of one subscription. held contains the parcels
// that are held back to change their order.
type lane struct {
	chaos         chaos
	rng           *rand.Rand
	queue         []parcel
	held          []heldParcel
	running       bool
	cancelRelease func()
}

// heldParcel is held back while others overtake it.
type heldParcel struct {
	parcel
	ahead int // number of parcels to be queued before it is released
}

func newLane(behaviour chaos, subscriptionID string) *lane {
	h := fnv.New64a()
	_, _ = h.Write([]byte(subscriptionID)) // writes to a hash do not fail
	return &lane{
		chaos: behaviour, rng: rand.New(rand.NewPCG(behaviour.seed, h.Sum64())), cancelRelease: func() {},
	}
}

// plan returns one copy of a parcel or two, and decides which of them to hold
// back.
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

// add queues a parcel or holds it back. After queueing one, it also queues the
// held ones that have waited long enough.
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

// releaseAll queues all parcels that are held back, in random order.
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
