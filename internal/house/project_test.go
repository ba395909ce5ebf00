package house_test

import (
	"io/fs"
	"path"
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
