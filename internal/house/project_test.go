package house_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/testkit"
)

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(testkit.Project(t), name)
	require.NoError(t, err)
	return string(text)
}

// filesLike returns the files that match a pattern, and fails if there are
// none.
func filesLike(t *testing.T, pattern string) []string {
	t.Helper()
	found, err := fs.Glob(testkit.Project(t), path.Clean(pattern))
	require.NoError(t, err)
	assert.NotEmpty(t, found, pattern)
	return found
}

// holds reports a text that a file lacks, with the remedy.
func holds(t *testing.T, file, text, remedy string) {
	t.Helper()
	if !strings.Contains(readText(t, file), text) {
		t.Errorf("%s: has no %q\n%s", file, text, remedy)
	}
}

// matchesIn reports a pattern that nothing in a file matches, with the remedy.
func matchesIn(t *testing.T, file, remedy, pattern string) {
	t.Helper()
	if !regexp.MustCompile(pattern).MatchString(readText(t, file)) {
		t.Errorf("%s: nothing matches %s\n%s", file, pattern, remedy)
	}
}
