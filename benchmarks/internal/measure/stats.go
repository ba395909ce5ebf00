package measure

import (
	"math"
	"slices"
)

// Spread summarises samples. The quartiles show how reliable the median is.
type Spread struct{ Min, Low, Median, High, Max float64 }

// SpreadOf returns the spread of samples. Without samples, all members are NaN.
func SpreadOf(samples []float64) Spread {
	sorted := slices.Sorted(slices.Values(samples))
	return Spread{
		Min: quantile(sorted, 0), Low: quantile(sorted, 0.25), Median: quantile(sorted, 0.5),
		High: quantile(sorted, 0.75), Max: quantile(sorted, 1),
	}
}

// quantile interpolates between the two nearest samples.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	place := q * float64(len(sorted)-1)
	below := math.Floor(place)
	low, high := sorted[int(below)], sorted[int(math.Ceil(place))]
	return low + (high-low)*(place-below)
}

// Ratios divides the samples pairwise. The contestants of one round run on the
// same machine, so other load cancels out.
func Ratios(numerators, denominators []float64) []float64 {
	ratios := make([]float64, min(len(numerators), len(denominators)))
	for i := range ratios {
		ratios[i] = numerators[i] / denominators[i]
	}
	return ratios
}
