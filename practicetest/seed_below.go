package practicetest

import (
	"encoding/binary"
	"hash/fnv"
	"strings"

	"github.com/google/uuid"
)

// bareMatter is a matter whose members, documents, fees and so on are generated
// at first use, so that a firm of many matters starts quickly.
type bareMatter struct {
	seeder *seeder
	matter *record
	number int // among those of the firm
	place  int // among those of the service
}

// below returns a seeder of the records of the matter, for one purpose. It
// follows from the seed, the matter and the purpose alone.
func (b *bareMatter) below(purpose string) *seeder {
	sd := *b.seeder
	sd.below, sd.placeBelow, sd.count = b.matter.id, uint32(b.place), map[string]uint64{} // there are fewer matters than that
	sd.rand = sd.source(purpose, 0)
	return &sd
}

// furnish generates the records below a matter, unless they exist. They follow
// from the seed and the matter alone, and do not depend on when they are
// generated.
func (st *state) furnish(id string) {
	b, bare := st.bare[id]
	if !bare {
		return
	}
	delete(st.bare, id)
	sd := b.below("")
	b.matter.Furnish()
	for _, one := range sd.server.catalog.areas {
		if one.below != nil {
			sd.rand = sd.source(one.name, 0)
			one.below(sd, b.matter, b.number)
		}
	}
}

// furnishAll generates the records below every matter. It sorts the lists once.
func (st *state) furnishAll() {
	if len(st.bare) == 0 {
		return
	}
	st.SortOnce(func() {
		for _, b := range st.seeded {
			st.furnish(b.matter.id)
		}
	})
}

// newID returns the next identifier of a kind, of the firm or below the matter.
// The latter holds the place of the matter, so that its record is found by the
// id alone.
func (sd *seeder) newID(kind string) string {
	if sd.below == "" {
		return sd.store.newID(kind)
	}
	sd.count[kind]++
	id := uuid.MustParse(sd.uuid(kind+" below "+sd.below, sd.count[kind]))
	binary.BigEndian.PutUint32(id[12:], sd.placed(id, sd.placeBelow))
	return id.String()
}

// placed returns the last bytes of an identifier that holds the place of a
// matter: hidden by the others, so that it looks like any other. Of such bytes
// it returns the place.
func (st *store) placed(id uuid.UUID, last uint32) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(id[:12]) // a hash never fails
	_, _ = h.Write(binary.BigEndian.AppendUint64(nil, st.seed))
	return h.Sum32() ^ last
}

// lookUp returns the place of a record by its id alone: if the id is one of a
// record below a matter, it generates that matter first. Any other id costs
// nothing.
func (st *state) lookUp(of *resource, id string) *slot {
	if place := st.slot(of, id); place != nil {
		return place
	}
	st.furnishFor(id)
	return st.slot(of, id)
}

// furnishFor generates what lies below the matter of an id.
func (st *state) furnishFor(id string) {
	number, _, _ := strings.Cut(id, "_") // that of a protection has more behind it
	parsed, err := uuid.Parse(number)
	if err != nil {
		return
	}
	st.furnish(parsed.String()) // what there is one of has the id of the matter
	place := st.placed(parsed, binary.BigEndian.Uint32(parsed[12:]))
	if uint64(place) < uint64(len(st.seeded)) {
		st.furnish(st.seeded[place].matter.id)
	}
}
