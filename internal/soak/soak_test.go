package soak_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/internal/soak"
)

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
