package generated_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/cmd/generated"
)

const program = generated.Program("generate")

func TestOnlyOwnFilesAreReplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		present string // text of the file a.md before; empty: no file
		want    string // text of the file afterwards
		err     bool
	}{
		"a new file":                      {"", string(program.Header("a.md")) + "new", false},
		"a file of its own":               {string(program.Header("a.md")) + "old", string(program.Header("a.md")) + "new", false},
		"a file that somebody else wrote": {"by hand", "by hand", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "a.md")
			if test.present != "" {
				require.NoError(t, os.WriteFile(path, []byte(test.present), 0o600))
			}
			assert.Equal(t, test.err, program.Replace(dir, "*.md", map[string][]byte{"a.md": []byte("new")}) != nil)
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
	require.NoError(t, os.WriteFile(own, program.Header("own.md"), 0o600))
	require.NoError(t, os.WriteFile(other, []byte("by hand"), 0o600))

	require.NoError(t, program.Replace(dir, "*.md", nil))
	assert.NoFileExists(t, own)
	assert.FileExists(t, other)
}
