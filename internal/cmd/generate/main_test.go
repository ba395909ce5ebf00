package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/description"
)

// A failure says which file to look at; "go generate ./..." mends it.
func TestWhatIsGeneratedIsCurrent(t *testing.T) {
	t.Parallel()
	root, err := moduleRoot()
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
				require.NoError(t, err, "run: go generate ./...")
				assert.Equal(t, string(header(name))+string(want), string(got), "%s/%s is stale; run: go generate ./...", o.dir, name)
			}
			present, err := filepath.Glob(filepath.Join(root, o.dir, o.pattern))
			require.NoError(t, err)
			for _, path := range present {
				own, err := isOwn(path)
				require.NoError(t, err)
				if own {
					assert.Contains(t, files, filepath.Base(path), "nothing writes this file any more; run: go generate ./...")
				}
			}
		})
	}
}

func TestOnlyOwnFilesAreReplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		present string // text of the file a.md before; empty for none
		want    string // text afterwards
		err     bool
	}{
		"a new file":                      {"", string(header("a.md")) + "new", false},
		"a file of its own":               {string(header("a.md")) + "old", string(header("a.md")) + "new", false},
		"a file that somebody else wrote": {"by hand", "by hand", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "a.md")
			if test.present != "" {
				require.NoError(t, os.WriteFile(path, []byte(test.present), 0o600))
			}
			assert.Equal(t, test.err, replace(dir, "*.md", map[string][]byte{"a.md": []byte("new")}) != nil)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, test.want, string(text))
		})
	}
}

func TestFilesThatAreNotWantedAnyMoreAreTakenAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own, other := filepath.Join(dir, "own.md"), filepath.Join(dir, "other.md")
	require.NoError(t, os.WriteFile(own, header("own.md"), 0o600))
	require.NoError(t, os.WriteFile(other, []byte("by hand"), 0o600))

	require.NoError(t, replace(dir, "*.md", nil))
	assert.NoFileExists(t, own)
	assert.FileExists(t, other)
}

func TestAnUnknownOutputIsRefused(t *testing.T) {
	t.Parallel()
	root, err := moduleRoot()
	require.NoError(t, err)
	assert.ErrorContains(t, run(root, []string{"nonsense"}), "nonsense")
}
