package house_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// maxLines is the limit for one source of the root package.
const maxLines = 450

func TestNoSourceOfTheRootIsLong(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../*.go")
	require.NoError(t, err)
	sources := 0
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "zz_") || strings.HasSuffix(name, "_test.go") {
			continue // zz_ files are generated and do not count
		}
		sources++
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.LessOrEqual(t, bytes.Count(text, []byte("\n")), maxLines, "lines of %s", name)
	}
	t.Logf("%d files, %d of them sources by hand", len(paths), sources)
}

func TestTheServicesOfAClientAreInOrder(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../client.go")
	require.NoError(t, err)
	for name, service := range map[string]*regexp.Regexp{
		"fields of Client": regexp.MustCompile(`(?m)^\t(\w+) +\*\w+Service$`),
		"attachServices":   regexp.MustCompile(`(?m)^\tc\.(\w+) = \(\*\w+Service\)\(s\)$`),
	} {
		var names []string
		for _, match := range service.FindAllStringSubmatch(string(text), -1) {
			names = append(names, strings.ToLower(match[1]))
		}
		assert.Greater(t, len(names), 20, name)
		assert.True(t, slices.IsSorted(names), "%s: %v", name, names)
	}
}
