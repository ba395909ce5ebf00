package practicetest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/practicetest"
)

// TestOnlyTheLatestViolationsAreKept checks that a program which repeats a
// mistake does not fill the memory. Each blank tag is a mistake.
func TestOnlyTheLatestViolationsAreKept(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithViolationHandler(func(string) {}), practicetest.WithRequestLog(0))
	const most, more = 1 << 16, 10
	call(t, s).do("POST", "/contacts/"+nobody+"/tags", "["+strings.Repeat(`"",`, most+more-1)+`""]`).want(404)
	found := s.Violations()
	assert.Len(t, found, most)
	assert.Contains(t, found[0], "[10]:")
	assert.Contains(t, found[most-1], "[65545]:")
}

func TestAViolationIsToldToAllWhoTolerateIt(t *testing.T) {
	t.Parallel()
	s := practicetest.New(t, practicetest.WithViolationHandler(func(string) {}))
	ask := func(path string) { call(t, s).get(path).want(404) }
	var inner []string
	outer := s.Tolerate(func() {
		ask("/outer")
		inner = s.Tolerate(func() { ask("/inner") })
		ask("/last")
	})
	assert.Equal(t, outer[1:2], inner)
	assert.Len(t, outer, 3)
	assert.Empty(t, s.Tolerate(func() {}))
	assert.Empty(t, s.Violations())
	ask("/later")
	assert.Len(t, s.Violations(), 1)
}
