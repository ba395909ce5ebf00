package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestThePagesAreCurrent names the page that differs; "go generate ./..." fixes
// it.
func TestThePagesAreCurrent(t *testing.T) {
	t.Parallel()
	root, err := generated.Root()
	require.NoError(t, err)
	pages, err := reference(t.Context(), root)
	require.NoError(t, err)
	dir := filepath.Join(root, "docs", "reference")
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err, "run: go generate ./...")
		assert.Equal(t, string(program.Header(name))+string(want), string(got), "docs/reference/%s is stale; run: go generate ./...", name)
	}
	present, err := filepath.Glob(filepath.Join(dir, "*.md"))
	require.NoError(t, err)
	assert.Len(t, present, len(pages), "a page that nothing writes any more; run: go generate ./...")
}
