package practicetest

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/google/uuid"
)

// idSource makes up identifiers and everything else that a seed decides.
type idSource struct{ *rand.Rand }

func newIDSource(seed, stream uint64) *idSource {
	return &idSource{rand.New(rand.NewPCG(seed, stream))}
}

// next is a random UUID in lower case.
func (s *idSource) next() string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], s.Uint64())
	binary.BigEndian.PutUint64(id[8:], s.Uint64())
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// pick takes one of several.
func pick[T any](s *idSource, from []T) T { return from[s.IntN(len(from))] }
