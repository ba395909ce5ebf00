package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
)

// number writes three significant digits, and no zeros that say nothing.
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

// Number writes a count or a size with three significant digits.
func Number(x float64) string { return number(x) }

// Duration writes nanoseconds with three significant digits.
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

// DurationSpread writes the quartiles of nanoseconds.
func DurationSpread(s measure.Spread) string { return Duration(s.Low) + " – " + Duration(s.High) }

// Ratio writes a median ratio with its quartiles.
func Ratio(s measure.Spread) string {
	return fmt.Sprintf("%.2f (%.2f – %.2f)", s.Median, s.Low, s.High)
}

// Mebibytes writes bytes in MiB.
func Mebibytes(bytes float64) string { return number(bytes/(1<<20)) + " MiB" }

// Kibibytes writes bytes in KiB.
func Kibibytes(bytes float64) string { return number(bytes/(1<<10)) + " KiB" }
