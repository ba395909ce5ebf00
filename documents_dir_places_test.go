package practice_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// One side makes a file of a folder, or the reverse, while the other one works in it. The
// work is on both sides in the end, whichever direction goes first, and dry runs foretell it.
func TestWorkInWhatBecomesSomethingElseIsKept(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, dir, at, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, at), []byte(text), 0o600))
	}
	for rule, change := range map[string]func(t *testing.T, m *testMatter, dir string){
		"a folder of the service becomes a file": func(t *testing.T, m *testMatter, dir string) {
			write(t, dir, "letters/a.pdf", "work")
			require.True(t, m.server.DeleteFolder(m.folderID(t, "letters")))
			m.file(t, "", "letters", "the other")
		},
		"a local folder becomes a file": func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters")))
			write(t, dir, "letters", "the other")
			m.newVersion(t, "letters/a.pdf", "work")
		},
		"a local file becomes a folder": func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "readme.txt"), 0o700))
			write(t, dir, "readme.txt/inner", "the other")
			m.newVersion(t, "readme.txt", "work")
		},
		"a file of the service becomes a folder": func(t *testing.T, m *testMatter, dir string) {
			write(t, dir, "readme.txt", "work")
			m.deleteFile(t, m.idOf(t, "readme.txt"))
			m.file(t, m.folder(t, "", "readme.txt"), "inner", "the other")
		},
	} {
		for n := range 4 {
			downFirst, remove := n%2, n > 1
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, practice.DownloadDirOptions{})
				require.NoError(t, err)
				change(t, m, dir)
				m.server.Settle()
				var last dirResults
				for turn := range 6 {
					run := func(dry bool) (dirResults, error) {
						if turn%2 != downFirst {
							return m.backup(t, dir, practice.DownloadDirOptions{Delete: remove, DryRun: dry})
						}
						return m.push(t, dir, practice.UploadDirOptions{Delete: remove, DryRun: dry})
					}
					foretold, dryErr := run(true)
					results, err := run(false)
					assert.Equal(t, err == nil, dryErr == nil, "%s: %v, %v", rule, dryErr, err)
					if err == nil {
						assert.Equal(t, foretold, results, rule)
					}
					last = results
				}
				_, err = m.backup(t, dir, practice.DownloadDirOptions{Delete: remove})
				require.NoError(t, err, rule)
				if remove {
					assert.Empty(t, last.changed(), rule)
				}
				for _, text := range []string{"work", "the other"} {
					assert.Contains(t, slices.Collect(maps.Values(onDisk(t, dir))), text, rule)
					assert.Contains(t, slices.Collect(maps.Values(m.contents(t))), text, rule)
				}
			})
		}
	}
}
