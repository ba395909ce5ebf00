package practicetest

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
)

// TestAnUnknownIDMakesNothingUp requests unknown ids, for which no matter's
// records may be generated.
func TestAnUnknownIDMakesNothingUp(t *testing.T) {
	t.Parallel()
	s := New(t, WithMatters(2000))
	bare := len(s.state.bare)
	for n := range 100 {
		id := uuidOf(7, "nothing", uint64(n))
		_, found := s.Fee(id)
		assert.False(t, found)
		_, found = s.Transaction(id)
		assert.False(t, found)
		assert.False(t, s.DeleteFile(id))
	}
	for _, id := range []string{"", "_p", "p0", uuidOf(7, "nothing", 0) + "_p", "-1", "nothing"} {
		_, found := s.ProtectedBalance(id)
		assert.False(t, found, id)
	}
	assert.GreaterOrEqual(t, len(s.state.bare), bare-1)
}

// TestARecordBelowAMatterIsFoundByItsIDAlone takes ids from another service
// with the same seed. Only the records of the matter in the id may be
// generated.
func TestARecordBelowAMatterIsFoundByItsIDAlone(t *testing.T) {
	t.Parallel()
	whole := New(t, WithMatters(40))
	whole.mu.Lock()
	whole.state.furnishAll()
	whole.mu.Unlock()
	tried := map[string]bool{}
	for key, place := range whole.state.All() {
		if len(key.Of.segments) < 2 || tried[key.Of.path] || place.Now == nil || place.Now.deleted || len(place.At.above) != 1 {
			continue
		}
		b := whole.state.bare[place.At.above[0]]
		require.Nil(t, b)
		if key.Of.segments[0] != "matters" && key.Of.target != "transactions" && key.Of.target != "protected-balances" {
			continue
		}
		tried[key.Of.path] = true
		s := New(t, WithMatters(40))
		bare := len(s.state.bare)
		found := s.state.lookUp(s.catalog.byPath(key.Of.path), key.ID)
		if assert.NotNil(t, found, "%s %s", key.Of.path, key.ID) {
			assert.Equal(t, place.At.above, found.At.above)
		}
		assert.GreaterOrEqual(t, len(s.state.bare), bare-2, key.Of.path)
	}
	assert.GreaterOrEqual(t, len(tried), 12, "%v", tried)
}

// workOfMakingUp measures the cost of generating the records below all matters
// of a firm: the comparisons for sorting, and the allocations.
func workOfMakingUp(t *testing.T, matters int) (comparisons, objects, bytes float64) {
	t.Helper()
	s := New(t, WithMatters(matters))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, of := range s.catalog.resources {
		order := of.order
		defer func() { of.order = order }() // all services use the resource
		of.order = func(a, b *record) int {
			comparisons++
			if order == nil {
				return 0
			}
			return order(a, b)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a garbage collection empties pools, which would then be filled again
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.state.furnishAll()
	runtime.ReadMemStats(&after)
	return comparisons, float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)
}

// TestMakingUpEveryMatterGrowsWithTheirNumber generates the records of ten
// times as many matters. The cost must grow about tenfold, since each list is
// sorted only once.
func TestMakingUpEveryMatterGrowsWithTheirNumber(t *testing.T) { //nolint:paralleltest // it counts what the process allocates
	soak.NotWithRaceDetector(t, "it counts allocations")
	workOfMakingUp(t, 20) // allocates what is needed only once
	comparisons, objects, bytes := workOfMakingUp(t, 100)
	moreComparisons, moreObjects, moreBytes := workOfMakingUp(t, 1000)
	assert.Less(t, moreComparisons, 12*comparisons)
	assert.Less(t, moreObjects, 12*objects)
	assert.Less(t, moreBytes, 12*bytes)
}
