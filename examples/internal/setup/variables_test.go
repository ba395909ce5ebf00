package setup

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The table lists what programs read, and programs read what it lists.
func TestTheVariablesOfTheProgramsAreInTheGuide(t *testing.T) {
	t.Parallel()
	read := map[string]bool{}
	accessFrom(func(name string) string {
		read[name] = true
		return ""
	})
	sources, err := filepath.Glob("../../*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	named := regexp.MustCompile(`(?:\.ID|\b(?:get|need|Variable))\("([A-Z_]+)"\)|\.key\(ctx, env, "([A-Z_]+)"`)
	for _, source := range sources {
		text, err := os.ReadFile(source)
		require.NoError(t, err)
		for _, match := range named.FindAllStringSubmatch(string(text), -1) {
			read[Variable(match[1]+match[2])] = true
		}
	}
	guide, err := os.ReadFile("../../../docs/getting-started.md")
	require.NoError(t, err)
	listed := map[string]bool{}
	for _, match := range regexp.MustCompile("`(PRACTICE_[A-Z_]+)`").FindAllStringSubmatch(string(guide), -1) {
		listed[match[1]] = true
	}
	assert.Equal(t, slices.Sorted(maps.Keys(read)), slices.Sorted(maps.Keys(listed)))
}
