package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/testmain"
)

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}

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
		require.NoError(t, err, "run .ci/generate")
		if string(program.Header(name))+string(want) != string(got) {
			t.Errorf("docs/reference/%s: is not what api/ and the registry say\nrun .ci/generate", name)
		}
	}
	present, err := filepath.Glob(filepath.Join(dir, "*.md"))
	require.NoError(t, err)
	for _, path := range present {
		assert.NotNil(t, pages[filepath.Base(path)], "%s: nothing writes this page any more\nrun .ci/generate", path)
	}
}
