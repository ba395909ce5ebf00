package measure_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
)

func TestSpread(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		samples []float64
		want    measure.Spread
	}{
		"one sample is all there is":              {[]float64{7}, measure.Spread{Min: 7, Low: 7, Median: 7, High: 7, Max: 7}},
		"an odd count has a sample in the middle": {[]float64{5, 1, 3}, measure.Spread{Min: 1, Low: 2, Median: 3, High: 4, Max: 5}},
		"an even count has a mean in the middle":  {[]float64{4, 1, 3, 2}, measure.Spread{Min: 1, Low: 1.75, Median: 2.5, High: 3.25, Max: 4}},
		"one outlier does not move the median":    {[]float64{1, 1, 1, 1, 1000}, measure.Spread{Min: 1, Low: 1, Median: 1, High: 1, Max: 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, measure.SpreadOf(test.samples))
		})
	}
}

func TestSpreadOfNothingIsNoNumber(t *testing.T) {
	t.Parallel()
	assert.True(t, math.IsNaN(measure.SpreadOf(nil).Median))
}

func TestSpreadLeavesTheSamplesInTheirOrder(t *testing.T) {
	t.Parallel()
	samples := []float64{3, 1, 2}
	measure.SpreadOf(samples)
	assert.Equal(t, []float64{3, 1, 2}, samples)
}

// TestRatiosAreTakenRoundByRound checks that a round on a machine twice as slow
// does not affect the ratios.
func TestRatiosAreTakenRoundByRound(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []float64{5, 5, 5}, measure.Ratios([]float64{10, 20, 10}, []float64{2, 4, 2}))
}
