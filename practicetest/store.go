package practicetest

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"

	"github.com/google/uuid"

	"github.com/practicesdk/practice-go/practicetest/internal/recordstore"
)

// store holds the records of all firms. It is guarded by the server's lock. The
// ids of a resource are unique over all firms, so that a record of another firm
// can be told apart from a missing one.
type store struct {
	*recordstore.Store[*resource, *record]

	by       *catalog
	seed     uint64
	ordinals map[string]uint64 // number of ids assigned, by kind
	number   uint64            // sequence number of the latest record
	log      []Change
}

type (
	recordKey  = recordstore.Key[*resource]
	slot       = recordstore.Slot[*record]
	recordList = recordstore.List[*record]
)

func newStore(seed uint64, by *catalog) *store {
	return &store{Store: recordstore.New(compareRecords), seed: seed, by: by, ordinals: map[string]uint64{}}
}

// compareRecords compares records by the order of their resource, then by
// creation.
func compareRecords(a, b *record) int {
	if a.of.order != nil {
		if d := a.of.order(a, b); d != 0 {
			return d
		}
	}
	return cmp.Compare(a.number, b.number)
}

// newID returns the next id of a kind. It depends only on the seed, the kind
// and the number of ids assigned for that kind.
func (st *store) newID(kind string) string {
	st.ordinals[kind]++
	return st.uuid(kind, st.ordinals[kind])
}

func (st *store) uuid(of string, n uint64) string { return uuidOf(st.seed, of, n) }

// uuidOf derives a UUID from a seed, a kind and a number.
func uuidOf(seed uint64, of string, n uint64) string {
	var room [128]byte
	text := binary.BigEndian.AppendUint64(room[:0], seed)
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(text, n), of...))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// resource returns the resource with the target.
func (st *store) resource(target string) *resource { return st.by.byTarget[target] }

// slot returns the slot of a record, or nil if there is none.
func (st *store) slot(of *resource, id string) *slot { return st.Slot(recordKeyOf(of, id)) }

// latest returns the committed state of a record, or nil if it is not created
// yet.
func (st *store) latest(r *record) *record {
	if s := st.Slot(r.Key()); s != nil {
		return s.Now
	}
	return nil
}

// reserve reserves the id of a record that a later write creates.
func (st *store) reserve(of *resource, id string, a *account, above []string) {
	st.Reserve(&record{of: of, id: id, account: a, above: above})
}

// list returns the list of a resource below a parent or an account.
func (st *store) list(of *resource, owner string) *recordList {
	return st.List(recordKey{Of: of, ID: owner})
}

// keep stores a record for writes. Show and Enlist make it visible to reads and
// lists.
func (st *store) keep(r *record) {
	if r.number == 0 {
		st.number++
		r.number = st.number
	}
	st.Keep(r)
}

// put stores a record and makes it visible to writes, reads and lists.
func (st *store) put(r *record) {
	st.keep(r)
	st.Show(r)
	st.Enlist(r)
}
