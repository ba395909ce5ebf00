package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
)

// number formats a number with three significant digits and without trailing
// zeros.
func number(x float64) string {
	switch size := math.Abs(x); {
	case math.IsNaN(x):
		return "none"
	case size >= 100:
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	case size >= 10:
		return trimmed(x, 1)
	default:
		return trimmed(x, 2)
	}
}

func trimmed(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'f', digits, 64)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// Number formats a count or a size with three significant digits.
func Number(x float64) string { return number(x) }

// Duration formats nanoseconds, with a unit, to three significant digits.
func Duration(nanoseconds float64) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Second, " s"}, {time.Millisecond, " ms"}, {time.Microsecond, " µs"}} {
		if nanoseconds >= float64(unit.size) {
			return number(nanoseconds/float64(unit.size)) + unit.name
		}
	}
	return number(nanoseconds) + " ns"
}

// DurationSpread formats the quartiles of durations in nanoseconds.
func DurationSpread(s measure.Spread) string { return Duration(s.Low) + " – " + Duration(s.High) }

// Ratio formats a median ratio with its quartiles.
func Ratio(s measure.Spread) string {
	return fmt.Sprintf("%.2f (%.2f – %.2f)", s.Median, s.Low, s.High)
}

// Mebibytes formats bytes in MiB.
func Mebibytes(bytes float64) string { return number(bytes/(1<<20)) + " MiB" }
