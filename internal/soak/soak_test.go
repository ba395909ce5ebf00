package soak_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/soak"
)

func TestASliceDependsOnTheNamesOnly(t *testing.T) {
	var all []string
	for i := range 1000 {
		all = append(all, strconv.Itoa(i))
	}
	asItIs := func(name string) string { return name }
	t.Setenv(soak.Variable, "")
	some := soak.Slice(t, 8, all, asItIs)
	assert.InDelta(t, 125, len(some), 30)
	assert.Equal(t, some, soak.Slice(t, 8, some, asItIs), "whichever others there are")
	t.Setenv(soak.Variable, "1")
	assert.Equal(t, all, soak.Slice(t, 8, all, asItIs))
}

// failing is a test that records whether it failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Errorf(string, ...any) { f.failed = true }

func TestAnEmptySliceFails(t *testing.T) {
	t.Setenv(soak.Variable, "")
	f := &failing{TB: t}
	soak.Slice(f, 1<<31, []string{"one"}, func(name string) string { return name })
	assert.True(t, f.failed)
}

func TestATestOfTheNightIsSkippedByDay(t *testing.T) {
	for _, row := range []struct {
		name, value string
		skipped     bool
		times       int
	}{
		{"run", "", true, 2},
		{"soak", "1", false, 50},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv(soak.Variable, row.value)
			assert.Equal(t, row.times, soak.Times(2, 50))
			t.Run("only", func(t *testing.T) {
				t.Cleanup(func() { assert.Equal(t, row.skipped, t.Skipped()) })
				soak.Only(t, "it is an example")
			})
		})
	}
}
