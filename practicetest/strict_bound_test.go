package practicetest

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestOnlyTheLatestViolationsAreKept checks that a program which repeats a
// mistake does not fill the memory.
func TestOnlyTheLatestViolationsAreKept(t *testing.T) {
	t.Parallel()
	s := &Server{strict: &strictness{on: true}}
	const more = 10
	for i := range maxRecorded + more {
		s.strict.violate("%d", i)
	}
	found := s.Violations()
	assert.Len(t, found, maxRecorded)
	assert.Equal(t, []string{strconv.Itoa(more), strconv.Itoa(maxRecorded + more - 1)}, []string{found[0], found[len(found)-1]})
	for range 3 {
		assert.Len(t, s.Tolerate(func() { s.strict.violate("on purpose") }), 1)
		assert.Empty(t, s.strict.excused)
	}
	nested := s.Tolerate(func() {
		s.strict.violate("outer")
		assert.Equal(t, []string{"inner"}, s.Tolerate(func() { s.strict.violate("inner") }))
	})
	assert.Equal(t, []string{"outer", "inner"}, nested)
}
