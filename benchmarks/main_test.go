package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// race returns a table that takes no time.
func race(name string) table {
	return table{name, func(run) (report.Table, error) {
		return report.Table{Title: name, Intro: "Two run.", Header: []string{"runner"}, Rows: [][]string{{"hare"}}}, nil
	}}
}

func TestAFullRunWritesTheResults(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "RESULTS.md")
	var out strings.Builder
	require.NoError(t, benchmarks([]string{"-out", path}, &out, []table{race("first"), race("second")}))
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, text := range []string{out.String(), string(written)} {
		assert.Contains(t, text, "first")
		assert.Contains(t, text, "second")
	}
	for _, peer := range peers {
		assert.Regexp(t, "- "+peer+" v[0-9]", string(written))
	}
}

func TestPartOfARunWritesNoFile(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-quick"}, {"-only", "second"}} {
		path := filepath.Join(t.TempDir(), "RESULTS.md")
		var out strings.Builder
		require.NoError(t, benchmarks(append(args, "-out", path), &out, []table{race("first"), race("second")}))
		assert.Contains(t, out.String(), "## second")
		assert.Equal(t, args[0] == "-quick", strings.Contains(out.String(), "## first"))
		assert.NoFileExists(t, path)
	}
}

func TestAnUnknownTableIsRefused(t *testing.T) {
	t.Parallel()
	err := benchmarks([]string{"-only", "third"}, &strings.Builder{}, []table{race("first"), race("second")})
	assert.EqualError(t, err, `no table "third", only first, second`)
}

// missing returns a table whose figure is measured as the values, in order.
func missing(values ...float64) table {
	return table{"limit", func(run) (report.Table, error) {
		now := values[0]
		values = values[1:]
		return report.Table{Title: "limit", Header: []string{"runner"}, Figures: []report.Figure{report.AtLeast("speed", 10, now, "")}}, nil
	}}
}

func TestOnlyAFigureThatIsMissedByFarTwiceFailsACheck(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		measured []float64
		fails    bool
	}{
		"met":                     {[]float64{10}, false},
		"missed by a tenth":       {[]float64{9}, false},
		"missed by far, then met": {[]float64{8, 10}, false},
		"missed by far twice":     {[]float64{8, 8.9}, true},
	} {
		err := benchmarks([]string{"-check"}, &strings.Builder{}, []table{missing(test.measured...)})
		assert.Equal(t, test.fails, err != nil, "%s: %v", name, err)
	}
}
