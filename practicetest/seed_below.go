package practicetest

import (
	"encoding/binary"
	"hash/fnv"
	"strings"

	"github.com/google/uuid"
)

// bareMatter is a seeded matter whose members and related records are generated
// on first use, so that a firm with many matters starts quickly.
type bareMatter struct {
	seeder *seeder
	matter *record
	number int // index within the firm
	place  int // index within the service
}

// below returns a seeder for records of the matter. Its random values depend
// only on the seed, the matter and the purpose.
func (b *bareMatter) below(purpose string) *seeder {
	sd := *b.seeder
	sd.below, sd.placeBelow, sd.count = b.matter.id, uint32(b.place), map[string]uint64{} // place fits, since there are fewer than 2^32 matters
	sd.rand = sd.source(purpose, 0)
	return &sd
}

// furnish generates the records below a matter if they do not exist yet. They
// depend only on the seed and the matter, not on the time or order of their
// generation.
func (st *state) furnish(id string) {
	b, bare := st.bare[id]
	if !bare {
		return
	}
	delete(st.bare, id)
	sd := b.below("")
	b.matter.Furnish()
	for _, one := range sd.by.areas {
		if one.below != nil {
			sd.rand = sd.source(one.name, 0)
			one.below(sd, b.matter, b.number)
		}
	}
}

// furnishAll generates the records below all matters.
func (st *state) furnishAll() {
	if len(st.bare) == 0 {
		return
	}
	for _, b := range st.seeded {
		st.furnish(b.matter.id)
	}
}

// newID returns the next id of a kind. Below a matter, the id contains the
// index of the matter, so that the id alone identifies the matter whose records
// must be generated.
func (sd *seeder) newID(kind string) string {
	if sd.below == "" {
		return sd.store.newID(kind)
	}
	sd.count[kind]++
	id := uuid.MustParse(sd.uuid(kind+" below "+sd.below, sd.count[kind]))
	binary.BigEndian.PutUint32(id[12:], sd.placed(id, sd.placeBelow))
	return id.String()
}

// placed XORs the last four bytes of an id with a hash of the others and of the
// seed. This hides the index of a matter in an id, or recovers it.
func (st *store) placed(id uuid.UUID, last uint32) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(id[:12]) // writes to a hash do not fail
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, st.seed))
	return h.Sum32() ^ last
}

// lookUp returns the slot of a record, or nil if there is none. If the id
// belongs to a matter whose records are not generated yet, it generates them
// first.
func (st *state) lookUp(of *resource, id string) *slot {
	if place := st.slot(of, id); place != nil {
		return place
	}
	st.furnishFor(id)
	return st.slot(of, id)
}

// furnishFor generates the records of the matter that the id contains, if any.
func (st *state) furnishFor(id string) {
	number, _, _ := strings.Cut(id, "_") // the id of a protection has a suffix
	parsed, err := uuid.Parse(number)
	if err != nil {
		return
	}
	st.furnish(parsed.String()) // a record that exists once per matter has the matter's id
	place := st.placed(parsed, binary.BigEndian.Uint32(parsed[12:]))
	if uint64(place) < uint64(len(st.seeded)) {
		st.furnish(st.seeded[place].matter.id)
	}
}
