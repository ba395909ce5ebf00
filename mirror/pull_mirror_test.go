package mirror_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
)

// changed returns the results other than Kept.
func (r dirResults) changed() dirResults {
	all := dirResults{}
	for path, action := range r {
		if action != "kept" {
			all[path] = action
		}
	}
	return all
}

// patchFile renames or moves a file of the matter.
func (m *testMatter) patchFile(t *testing.T, id string, patch models.FilePatch) {
	t.Helper()
	require.NoError(t, testkit.Discard(m.client.Documents.PatchFile(t.Context(), m.id, id, patch)))
	m.server.Settle()
}

func (m *testMatter) patchFolder(t *testing.T, id string, patch models.FolderPatch) {
	t.Helper()
	require.NoError(t, testkit.Discard(m.client.Documents.PatchFolder(t.Context(), m.id, id, patch)))
	m.server.Settle()
}

func (m *testMatter) deleteFile(t *testing.T, id string) {
	t.Helper()
	require.True(t, m.server.DeleteFile(id))
}

// A mirror follows the matter without losing local changes.
func TestAMirrorFollowsTheMatter(t *testing.T) {
	t.Parallel()
	edit := func(t *testing.T, dir, path, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600))
	}
	for _, test := range []struct {
		rule    string
		options mirror.Options
		change  func(t *testing.T, m *testMatter, dir string)
		want    dirResults        // results other than Kept
		files   map[string]string // differences from the initial tree; "-" is a missing file
	}{
		{"a renamed file is renamed", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			m.patchFile(t, m.idOf(t, "readme.txt"), models.FilePatch{FileName: models.Some("read this.txt")})
		}, dirResults{"read this.txt": "moved"}, map[string]string{"readme.txt": "-", "read this.txt": "read me"}},
		{"two that change names", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			a, b := m.idOf(t, "letters/a.pdf"), m.idOf(t, "letters/b.pdf")
			m.patchFile(t, a, models.FilePatch{FileName: models.Some("b.pdf")})
			m.patchFile(t, b, models.FilePatch{FileName: models.Some("a.pdf")})
		}, dirResults{"letters/a.pdf": "moved", "letters/b.pdf": "moved"}, map[string]string{"letters/a.pdf": "letter b", "letters/b.pdf": "letter a"}},
		{"a file that goes to another folder and gets a version", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			m.newVersion(t, "letters/a.pdf", "LETTER A")
			m.server.Settle()
			m.patchFile(t, m.idOf(t, "letters/a.pdf"), models.FilePatch{FolderID: models.Null[string]()})
		}, dirResults{"a.pdf": "updated"}, map[string]string{"letters/a.pdf": "-", "a.pdf": "LETTER A"}},
		{"a renamed folder takes everything along", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			m.patchFolder(t, m.folderID(t, "letters"), models.FolderPatch{Name: models.Some("Letters: all")})
			edit(t, dir, "letters/mine.txt", "mine")
		}, dirResults{"Letters_ all": "moved folder", "Letters_ all/a.pdf": "moved", "Letters_ all/b.pdf": "moved", "Letters_ all/2026/draft.txt": "moved", "Letters_ all/2026": "moved folder"}, map[string]string{
			"letters/": "-", "letters/a.pdf": "-", "letters/b.pdf": "-", "letters/2026/": "-", "letters/2026/draft.txt": "-",
			"Letters_ all/": "", "Letters_ all/a.pdf": "letter a", "Letters_ all/b.pdf": "letter b", "Letters_ all/2026/": "", "Letters_ all/2026/draft.txt": "draft",
			"Letters_ all/mine.txt": "mine",
		}},
		{"a second file of a name leaves the first one its name", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			m.newVersion(t, "readme.txt", "READ ME")
			m.file(t, "", "README.txt", "another")
		}, dirResults{"readme.txt": "updated", "README (*).txt": "created"}, map[string]string{"readme.txt": "READ ME", "README (*).txt": "another"}},
		{"a file that was moved locally stays there", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "readme.txt"), filepath.Join(dir, "letters", "mine.txt")))
			m.newVersion(t, "readme.txt", "READ ME")
		}, dirResults{"letters/mine.txt": "updated"}, map[string]string{"readme.txt": "-", "letters/mine.txt": "READ ME"}},
		{"a folder that was renamed locally stays there", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.Rename(filepath.Join(dir, "letters"), filepath.Join(dir, "mail")))
			m.file(t, m.folderID(t, "letters"), "c.pdf", "letter c")
		}, dirResults{"mail/c.pdf": "created"}, map[string]string{
			"letters/": "-", "letters/a.pdf": "-", "letters/b.pdf": "-", "letters/2026/": "-", "letters/2026/draft.txt": "-",
			"mail/": "", "mail/a.pdf": "letter a", "mail/b.pdf": "letter b", "mail/2026/": "", "mail/2026/draft.txt": "draft", "mail/c.pdf": "letter c",
		}},
		{"a file becomes a folder", mirror.Options{Delete: true}, func(t *testing.T, m *testMatter, _ string) {
			m.deleteFile(t, m.idOf(t, "readme.txt"))
			m.file(t, m.folder(t, "", "readme.txt"), "a", "a")
		}, dirResults{"readme.txt": "removed", "readme.txt/a": "created"}, map[string]string{"readme.txt": "-", "readme.txt/": "", "readme.txt/a": "a"}},
		{"what is gone is reported", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			m.deleteFile(t, m.idOf(t, "letters/2026/draft.txt"))
			require.True(t, m.server.DeleteFolder(m.folderID(t, "letters/2026")))
		}, dirResults{"letters/2026/draft.txt": "gone", "letters/2026": "gone folder"}, nil},
		{"and removed when asked", mirror.Options{Delete: true}, func(t *testing.T, m *testMatter, dir string) {
			m.deleteFile(t, m.idOf(t, "letters/2026/draft.txt"))
			m.deleteFile(t, m.idOf(t, "readme.txt"))
			require.True(t, m.server.DeleteFolder(m.folderID(t, "letters/2026")))
			edit(t, dir, "readme.txt", "local work")
		}, dirResults{"letters/2026/draft.txt": "removed", "letters/2026": "removed folder", "readme.txt": "gone"}, map[string]string{
			"letters/2026/": "-", "letters/2026/draft.txt": "-", "readme.txt": "local work",
		}},
		{"a local change stays", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			require.NoError(t, os.Truncate(filepath.Join(dir, "readme.txt"), 3))
		}, dirResults{"readme.txt": "waiting"}, map[string]string{"readme.txt": "rea"}},
		{"also one of the same size", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			edit(t, dir, "readme.txt", "READ ME")
		}, dirResults{"readme.txt": "waiting"}, map[string]string{"readme.txt": "READ ME"}},
		{"unless local changes are overwritten", mirror.Options{Overwrite: true}, func(t *testing.T, _ *testMatter, dir string) {
			edit(t, dir, "readme.txt", "local work")
		}, dirResults{"readme.txt": "updated"}, nil},
		{"of two changes both are kept", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			edit(t, dir, "readme.txt", "local work")
			edit(t, dir, "readme (local copy).txt", "an older one")
			m.newVersion(t, "readme.txt", "new version")
		}, dirResults{"readme.txt": "conflict"}, map[string]string{
			"readme.txt": "new version", "readme (local copy).txt": "an older one", "readme (local copy 2).txt": "local work",
		}},
		{"or the local one", mirror.Options{Conflict: always(mirror.KeepLocal)}, func(t *testing.T, m *testMatter, dir string) {
			edit(t, dir, "readme.txt", "local work")
			m.newVersion(t, "readme.txt", "new version")
		}, dirResults{"readme.txt": "conflict"}, map[string]string{"readme.txt": "local work"}},
		{"or the one of the service", mirror.Options{Conflict: always(mirror.KeepRemote)}, func(t *testing.T, m *testMatter, dir string) {
			edit(t, dir, "readme.txt", "local work")
			m.newVersion(t, "readme.txt", "new version")
		}, dirResults{"readme.txt": "updated"}, map[string]string{"readme.txt": "new version"}},
		{"two changes to the same content are none", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			edit(t, dir, "readme.txt", "both did")
			m.newVersion(t, "readme.txt", "both did")
		}, dirResults{}, map[string]string{"readme.txt": "both did"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				test.change(t, m, dir)
				m.server.Settle()
				foreseen := m.foreseeBackup(t, dir, test.options)
				results, err := m.backup(t, dir, test.options)
				require.NoError(t, err)
				assert.Equal(t, results, foreseen)
				want := contents(t, localTree())
				for path, content := range test.files {
					if want[path] = content; content == "-" {
						delete(want, path)
					}
				}
				unmarked := map[string]string{}
				for path, content := range onDisk(t, dir) {
					unmarked[withoutMark(path)] = content
				}
				assert.Equal(t, want, unmarked)
				got := dirResults{}
				for path, action := range results.changed() {
					got[withoutMark(path)] = action
				}
				assert.Equal(t, test.want, got)
				again, err := m.backup(t, dir, test.options)
				require.NoError(t, err)
				for path, action := range again {
					assert.Contains(t, []string{"kept", "gone", "gone folder", "waiting"}, action, "another call has nothing to do: %s", path)
				}
			})
		})
	}
}

// withoutMark replaces the part of an id in a name.
func withoutMark(path string) string {
	before, rest, found := strings.Cut(path, " (")
	if _, after, closed := strings.Cut(rest, ")"); found && closed && !strings.HasPrefix(rest, "local copy") {
		return before + " (*)" + after
	}
	return path
}

// folderID returns the id of a folder of the matter.
func (m *testMatter) folderID(t *testing.T, path string) string {
	t.Helper()
	defer synctest.Wait() // a walk that ends early may leave a request under way
	for entry, err := range m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.Folder != nil && entry.Path() == path {
			return entry.ID()
		}
	}
	require.Fail(t, "no folder "+path)
	return ""
}

func TestTwoCallsInOneFolderExcludeEachOther(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		var second error
		tried := false
		client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if !tried {
					tried = true
					second = mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{})
				}
				return next.RoundTrip(r)
			})
		}))
		require.NoError(t, mirror.Pull(t.Context(), client, m.id, dir, mirror.Options{}))
		require.ErrorIs(t, second, mirror.ErrDirInUse)
		assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
	})
}

// Matter ids may be written in upper or lower case.
func TestTheCaseOfAnIDMakesNoOtherMirror(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		for _, id := range []string{strings.ToLower(m.id), strings.ToUpper(m.id)} {
			require.NoError(t, mirror.Pull(t.Context(), m.client, id, dir, mirror.Options{}))
		}
		assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
	})
}

func TestWhatDeadProcessesLeftIsRemoved(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		for _, name := range []string{".practice-0123456789abcdef.part", "letters/.practice-0123456789abcdef-RANDOM.part", ".practice-manifest.jsonl.new", ".practice-notes.txt"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("a part of a document"), 0o600))
		}
		_, err = m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		want := contents(t, localTree())
		want[".practice-notes.txt"] = "a part of a document"
		assert.Equal(t, want, onDisk(t, dir))
	})
}
