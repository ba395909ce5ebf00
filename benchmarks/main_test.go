package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/picture"
	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

// race returns a table that takes no time.
func race(name string) table {
	return table{name, func(run) (report.Table, error) {
		return report.Table{Title: name, Intro: "Two run.", Header: []string{"runner"}, Rows: [][]string{{"hare"}}}, nil
	}}
}

// drawn returns the tables that the picture shows.
func drawn() []table {
	times := func(title string) table {
		return table{title, func(run) (report.Table, error) {
			return report.Table{Title: title, Header: []string{"", "latency", "median", "time", "answers 429", "all pages"},
				Rows: [][]string{{"hare", "60ms", "2 ms", "2 s", "7", "yes"}}}, nil
		}}
	}
	return []table{times("5 calendar events"), times("5 events over 2 pages"), times("5 pages at 5 requests a second")}
}

func TestAFullRunWritesTheResultsAndTheirPicture(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "RESULTS.md")
	var out strings.Builder
	require.NoError(t, benchmarks([]string{"-out", path}, &out, drawn()))
	written, err := os.ReadFile(path)
	require.NoError(t, err)
	image, err := os.ReadFile(strings.TrimSuffix(path, ".md") + ".svg")
	require.NoError(t, err)
	for _, text := range []string{out.String(), string(written), string(image)} {
		assert.Contains(t, text, "5 calendar events")
		assert.Contains(t, text, "5 events over 2 pages")
	}
	assert.Contains(t, string(image), "2 s, 7 refused")
	for _, peer := range peers {
		assert.Regexp(t, "- "+peer+" v[0-9]", string(written))
	}
}

func TestThePictureIsThatOfTheResults(t *testing.T) {
	t.Parallel()
	results, err := os.ReadFile("RESULTS.md")
	require.NoError(t, err)
	image, err := os.ReadFile("RESULTS.svg")
	require.NoError(t, err)
	drawn, err := picture.Draw(string(results))
	require.NoError(t, err)
	assert.Equal(t, drawn, string(image), "stale: go run ./benchmarks -draw")
}

func TestResultsThatCannotBeDrawnAreReported(t *testing.T) {
	t.Parallel()
	err := benchmarks([]string{"-draw", "-out", filepath.Join(t.TempDir(), "none.md")}, &strings.Builder{}, nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	path := filepath.Join(t.TempDir(), "RESULTS.md")
	err = benchmarks([]string{"-out", path}, &strings.Builder{}, []table{race("first")})
	require.ErrorContains(t, err, "the results have no table")
	assert.FileExists(t, path, "what was measured is kept")
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
