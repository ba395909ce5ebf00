package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
	"github.com/practicesdk/practice-go/internal/description"
)

// TestWhatIsGeneratedIsCurrent names the file that differs; "go generate ./..."
// fixes it.
func TestWhatIsGeneratedIsCurrent(t *testing.T) {
	t.Parallel()
	root, err := generated.Root()
	require.NoError(t, err)
	document, err := description.Load(os.DirFS(filepath.Join(root, "api")))
	require.NoError(t, err)
	for _, o := range outputs() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			files, err := o.write(document)
			require.NoError(t, err)
			for name, want := range files {
				path := filepath.Join(root, o.dir, name)
				got, err := os.ReadFile(path)
				require.NoError(t, err, "run .ci/generate")
				if string(program.Header(name))+string(want) != string(got) {
					t.Errorf("%s/%s: is not what api/ says\nrun .ci/generate", o.dir, name)
				}
			}
			present, err := filepath.Glob(filepath.Join(root, o.dir, o.pattern))
			require.NoError(t, err)
			for _, path := range present {
				own, err := program.IsOwn(path)
				require.NoError(t, err)
				if own {
					assert.NotNil(t, files[filepath.Base(path)], "%s: nothing writes this file any more\nrun .ci/generate", path)
				}
			}
		})
	}
}

func TestAnUnknownOutputIsRefused(t *testing.T) {
	t.Parallel()
	root, err := generated.Root()
	require.NoError(t, err)
	assert.ErrorContains(t, run(root, []string{"nonsense"}), "nonsense")
}
