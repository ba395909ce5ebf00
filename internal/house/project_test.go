package house_test

import (
	"io/fs"
	"path"
	"slices"
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
	assert.NotEmpty(t, found, "%s: there is no such file\ncorrect the name", pattern)
	return found
}

// sameNames reports names that a file lacks, and names that it has in vain.
func sameNames(t *testing.T, file string, want, got []string) {
	t.Helper()
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s: %s is missing\nadd it", file, name)
		}
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s: there is no %s\ntake it away", file, name)
		}
	}
}
