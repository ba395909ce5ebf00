package subscribe

import (
	"encoding/binary"
	"hash/maphash"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// folded holds the states of a world from which every history was tried. The
// value is whether these began after a fault.
type folded struct {
	seed maphash.Seed
	seen map[uint64]bool
}

func newFolded() *folded { return &folded{maphash.MakeSeed(), map[uint64]bool{}} }

// again reports whether the histories from a state were tried before, with at
// least as many faults. The clock of a world counts its moves, so equal states
// have equally many left. With 64 bits, ten million states collide with a
// probability of one in three hundred thousand.
func (f *folded) again(w *world, faulty bool) bool {
	var h maphash.Hash
	h.SetSeed(f.seed)
	for _, part := range []any{w.subscriptions, w.behind, w.slow, w.made, w.now, w.keepers} {
		write(&h, reflect.ValueOf(part))
	}
	spent, known := f.seen[h.Sum64()]
	if known && (faulty || !spent) {
		return true
	}
	f.seen[h.Sum64()] = faulty
	return false
}

// write adds a value to the hash, including all values that it points to.
func write(h *maphash.Hash, v reflect.Value) {
	number := func(n uint64) { _, _ = h.Write(binary.LittleEndian.AppendUint64(nil, n)) }
	switch v.Kind() {
	case reflect.Invalid:
		number(0)
	case reflect.Bool:
		number(boolOf(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		number(v.Uint())
	case reflect.String:
		number(uint64(v.Len()))
		_, _ = h.WriteString(v.String())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			number(0)
			return
		}
		number(1)
		write(h, v.Elem())
	case reflect.Slice, reflect.Array:
		number(uint64(v.Len()))
		for i := range v.Len() {
			write(h, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() { // its zone is irrelevant, and contains a pointer to itself
			number(v.Field(0).Uint())
			number(uint64(v.Field(1).Int()))
			return
		}
		for i := range v.NumField() {
			write(h, v.Field(i))
		}
	case reflect.Map: // the extra members of a record: not set here
		number(boolOf(v.IsNil()))
	default:
		panic("a state of a kind that is not folded: " + v.Type().String())
	}
}

func boolOf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// The earlier history finds everything that a folded one would find.
func TestOnlyEqualStatesAreFolded(t *testing.T) {
	t.Parallel()
	home := start{"ours", "a second machine", "keeps what is written"}
	one := worldOf(home)
	same, later := worldOf(home), worldOf(home)
	later.now = later.now.Add(time.Minute)
	asked := worldOf(home)
	asked.step(&asked.keepers[1], none)
	f := newFolded()
	assert.False(t, f.again(&one, true))
	assert.True(t, f.again(&same, true), "behind other pointers")
	assert.False(t, f.again(&same, false), "a fault is left")
	assert.True(t, f.again(&same, true))
	assert.True(t, f.again(&same, false))
	assert.False(t, f.again(&later, true))
	assert.False(t, f.again(&asked, true), "a check of a keeper is part of the state")
}
