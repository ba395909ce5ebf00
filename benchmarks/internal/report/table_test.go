package report_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/measure"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

func TestATableIsMarkdownThatLinesUp(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, report.Table{
		Title: "Race", Intro: "Two run.",
		Header:  []string{"runner", "time"},
		Rows:    [][]string{{"hare", "10 µs"}, {"tortoise", "9 µs"}},
		Notes:   []string{"The hare slept."},
		Figures: []report.Figure{report.AtLeast("ahead of the hare", 1, 10.0/9, " times")},
	}.Write(&out))
	assert.Equal(t, `## Race

Two run.

| runner   |  time |
| -------- | ----: |
| hare     | 10 µs |
| tortoise |  9 µs |

The hare slept.

| figure            |         required |   this run |     |
| ----------------- | ---------------: | ---------: | --: |
| ahead of the hare | at least 1 times | 1.11 times | met |

`, out.String())
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		figure report.Figure
		met    bool
	}{
		"above a lower bound":   {report.AtLeast("", 5, 5.1, ""), true},
		"on a lower bound":      {report.AtLeast("", 5, 5, ""), true},
		"below a lower bound":   {report.AtLeast("", 5, 4.99, ""), false},
		"below an upper bound":  {report.AtMost("", 40, 39, ""), true},
		"on an upper bound":     {report.AtMost("", 40, 40, ""), true},
		"above an upper bound":  {report.AtMost("", 40, 41, ""), false},
		"nothing measured, low": {report.AtLeast("", 5, math.NaN(), ""), false},
		"nothing measured, top": {report.AtMost("", 5, math.NaN(), ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.met, test.figure.Met())
		})
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "12345", report.Number(12345.4))
	assert.Equal(t, "12.3", report.Number(12.345))
	assert.Equal(t, "1.23", report.Number(1.2345))
	assert.Equal(t, "40", report.Number(40))
	assert.Equal(t, "0.07", report.Number(0.07))
	assert.Equal(t, "none", report.Number(math.NaN()))
	assert.Equal(t, "999 ns", report.Duration(999))
	assert.Equal(t, "1.5 µs", report.Duration(1500))
	assert.Equal(t, "2.4 s", report.Duration(2.4e9))
	assert.Equal(t, "64 MiB", report.Mebibytes(64<<20))
	assert.Equal(t, "2.00 (1.50 – 2.50)", report.Ratio(measure.SpreadOf([]float64{1, 2, 3})))
}
