package report_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/benchmarks/internal/report"
)

func TestADocumentSaysHowToRepeatIt(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, report.Document(&out, "go run ./race", "0123456789ab", "require (\n\texample.test/hare v1.2.3 // indirect\n)\n", []string{"example.test/hare"},
		[]report.Table{{
			Title: "Race", Intro: "Two run.", Header: []string{"runner"}, Rows: [][]string{{"hare"}},
			Figures: []report.Figure{report.AtLeast("ahead", 2, 1.5, " times")},
		}}))
	text := out.String()
	assert.Contains(t, text, "`go run ./race`")
	assert.Contains(t, text, runtime.Version())
	assert.Contains(t, text, "- example.test/hare v1.2.3\n")
	assert.Contains(t, text, "| Race  |  ahead | at least 2 times | 1.5 times | **not met** |\n")
	assert.Less(t, strings.Index(text, "not met"), strings.Index(text, "## Race"), "the figures come first")
	assert.True(t, strings.HasSuffix(text, "|\n"))
}
