package house_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheListOfChecksIsComplete(t *testing.T) {
	t.Parallel()
	run, soak := map[string]bool{}, map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| [^|]+ \|([^|]*)\|([^|]*)\|$`).FindAllStringSubmatch(readText(t, ".ci/README.md"), -1)[1:] {
		ran, soaked := matches("`([^`]+)`", row[1]), matches("`([^`]+)`", row[2])
		assert.NotEmpty(t, slices.Concat(ran, soaked), "nothing does this: %s", row[0])
		for _, name := range ran {
			run[name] = true
		}
		for _, name := range soaked {
			soak[name] = true
		}
	}
	assert.ElementsMatch(t, steps(t), slices.Collect(maps.Keys(run)))
	assert.ElementsMatch(t, parts(t), slices.Collect(maps.Keys(soak)))
}

func TestTheWorkflowsRunAllChecks(t *testing.T) {
	t.Parallel()
	groups := matches(`(?m)^(\w+)\(\) \{\n\tstep '`, readText(t, ".ci/run"))
	require.NotEmpty(t, groups)
	for _, row := range []struct {
		workflow, key, command string
		want                   []string
	}{
		{"test", "group", ".ci/run", groups},
		{"soak", "part", ".ci/soak", parts(t)},
	} {
		text := readText(t, ".github/workflows/"+row.workflow+".yml")
		list := matches(`\n        `+row.key+`: \[(.+)\]\n`, text)
		require.Len(t, list, 1, row.workflow)
		assert.ElementsMatch(t, row.want, strings.Split(list[0], ", "), row.workflow)
		assert.Contains(t, text, "- run: "+row.command+" ${{ matrix."+row.key+" }}\n")
	}
	assert.Contains(t, readText(t, ".github/workflows/soak.yml"), "schedule:\n")
}

// steps returns the names of the steps in .ci/run.
func steps(t *testing.T) []string {
	t.Helper()
	names := matches(`(?m)^\tstep '([^']+)' `, readText(t, ".ci/run"))
	require.NotEmpty(t, names)
	return names
}

// parts returns the names of the parts in .ci/soak.
func parts(t *testing.T) []string {
	t.Helper()
	list := matches(`(?m)^parts=\(([^)]+)\)$`, readText(t, ".ci/soak"))
	require.Len(t, list, 1)
	return strings.Fields(list[0])
}

// matches returns the first group of each match.
func matches(pattern, text string) []string {
	var found []string
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}
