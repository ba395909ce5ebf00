package mirror_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// With the cursor of an event a mirror requests the changes instead of reading
// every folder, with the same result. If the changes may be incomplete, it
// reads the folders.
func TestACursorSparesAMirrorTheFolders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		change func(t *testing.T, m *testMatter, dir string)
		want   dirResults // results other than Kept
		lists  int        // folders that are read
	}{
		{"a new version", func(t *testing.T, m *testMatter, _ string) {
			m.newVersion(t, "letters/a.pdf", "LETTER A")
		}, dirResults{"letters/a.pdf": "updated"}, 0},
		{"a new file", func(t *testing.T, m *testMatter, _ string) {
			m.file(t, m.folderID(t, "letters/2026"), "new.txt", "new")
		}, dirResults{"letters/2026/new.txt": "created"}, 0},
		{"a renamed file that was moved as well", func(t *testing.T, m *testMatter, _ string) {
			m.patchFile(t, m.idOf(t, "readme.txt"), models.FilePatch{FileName: models.Some("read.txt"), FolderID: models.Some(m.folderID(t, "letters"))})
		}, dirResults{"letters/read.txt": "moved"}, 0},
		{"a file that was deleted", func(t *testing.T, m *testMatter, _ string) {
			m.deleteFile(t, m.idOf(t, "letters/a.pdf"))
		}, dirResults{"letters/a.pdf": "removed"}, 0},
		{"a second file of a name", func(t *testing.T, m *testMatter, _ string) {
			m.file(t, "", "readme.txt", "another")
		}, nil, 0},
		{"local work", func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "letters/a.pdf", "LETTER A")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("local work"), 0o600))
		}, dirResults{"letters/a.pdf": "updated", "readme.txt": "waiting"}, 0},
		{"a file in a new folder", func(t *testing.T, m *testMatter, _ string) {
			m.file(t, m.folder(t, "", "new"), "new.txt", "new")
		}, dirResults{"new/new.txt": "created"}, 5},
		{"a file that is missing locally", func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "letters/a.pdf", "LETTER A")
			require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
		}, dirResults{"letters/a.pdf": "updated", "readme.txt": "created"}, 0},
		{"a lost manifest", func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "letters/a.pdf", "LETTER A+")
			require.NoError(t, os.Remove(filepath.Join(dir, ".practice-manifest.jsonl")))
			require.NoError(t, os.Remove(filepath.Join(dir, "letters/a.pdf")))
		}, dirResults{"letters/a.pdf": "created"}, 4},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				cursors := cursorsOf(t, m.server)
				test.change(t, m, dir)
				m.server.Settle()
				m.server.ResetRequests()
				results, err := m.backup(t, dir, mirror.Options{Cursor: <-cursors, Delete: true})
				require.NoError(t, err)
				if test.want != nil {
					assert.Equal(t, test.want, results.changed())
				}
				assert.Equal(t, test.lists, m.requests()["getFolder"]+m.requests()["getRootFolder"])
				disk := onDisk(t, dir)
				results, err = m.backup(t, dir, mirror.Options{Delete: true})
				require.NoError(t, err)
				delete(results, "readme.txt")
				assert.Empty(t, results.changed(), "a call that reads the folders finds the same")
				assert.Equal(t, disk, onDisk(t, dir))
			})
		})
	}
}

// A file in the matter's root folder is not in the mirror of another folder.
func TestTheRootFolderIsOutsideAnotherMirroredFolder(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir, options := t.TempDir(), mirror.Options{FolderID: m.folderID(t, "letters"), Delete: true}
		_, err := m.backup(t, dir, options)
		require.NoError(t, err)
		cursors, toRoot := cursorsOf(t, m.server), models.FilePatch{FolderID: models.Null[string]()}
		m.patchFile(t, m.idOf(t, "letters/a.pdf"), toRoot)
		m.file(t, "", "secret.txt", "in the root folder")
		pull := options
		pull.Cursor = <-cursors
		results, err := m.backup(t, dir, pull)
		require.NoError(t, err)
		assert.Equal(t, dirResults{"a.pdf": "removed"}, results.changed())
		assert.Zero(t, m.requests()["getRootFolder"], "it is known to be outside")

		require.NoError(t, os.Remove(filepath.Join(dir, "b.pdf")))
		id, results := m.idOf(t, "letters/b.pdf"), dirResults{}
		options.Result = results.add
		client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/files/"+id) {
					m.patchFile(t, id, toRoot)
				}
				return next.RoundTrip(r)
			})
		}))
		require.NoError(t, mirror.Push(t.Context(), client, m.id, dir, options))
		assert.Equal(t, dirResults{"b.pdf": "gone"}, results.changed())
		assert.Contains(t, m.contents(t), "b.pdf")
	})
}

// A cursor that the service does not know is not an error: the folders are read
// instead.
func TestACursorThatIsRefusedIsDoneWithout(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		cursors := cursorsOf(t, m.server)
		m.newVersion(t, "letters/a.pdf", "LETTER A")
		m.server.Inject(practicetest.Fault{Operation: "listFiles", Kind: practicetest.FaultStatus, Status: 400})
		results, err := m.backup(t, dir, mirror.Options{Cursor: <-cursors})
		require.NoError(t, err)
		assert.Equal(t, dirResults{"letters/a.pdf": "updated"}, results.changed())
	})
}

// A mirror of very many files detects a changed file with two requests.
func TestTwoRequestsTellALargeMirrorWhatHasChanged(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := fstest.MapFS{}
		for i := range 600 {
			tree[fmt.Sprintf("%d/%04d.txt", i%3, i)] = &fstest.MapFile{Data: []byte{byte(i)}}
		}
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		cursors := cursorsOf(t, m.server)
		m.newVersion(t, "1/0001.txt", "changed")
		m.server.ResetRequests()
		results, err := m.backup(t, dir, mirror.Options{Cursor: <-cursors})
		require.NoError(t, err)
		assert.Equal(t, dirResults{"1/0001.txt": "updated"}, results.changed())
		assert.Len(t, results, 600)
		assert.Equal(t, map[string]int{"listFiles": 2, "getFileDownload": 1}, m.requests())
	})
}
