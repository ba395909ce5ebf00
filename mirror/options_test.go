package mirror_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

// foreseeBackup checks a dry run, which must change nothing.
func (m *testMatter) foreseeBackup(t *testing.T, dir string, options mirror.Options) dirResults {
	t.Helper()
	before := everything(t, dir)
	options.DryRun = true
	results, err := m.backup(t, dir, options)
	require.NoError(t, err)
	assert.Equal(t, before, everything(t, dir), "a dry run changes nothing")
	return results
}

// foreseePush is the same for the other direction.
func (m *testMatter) foreseePush(t *testing.T, dir string, options mirror.Options) dirResults {
	t.Helper()
	before := everything(t, dir)
	m.server.ResetRequests()
	options.DryRun = true
	results, err := m.push(t, dir, options)
	require.NoError(t, err)
	assert.Equal(t, before, everything(t, dir), "a dry run changes nothing")
	assert.Empty(t, m.writes(), "on neither side")
	return results
}

// everything returns the files in a folder, including those of the library, or
// nil if the folder does not exist.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return nil
	}
	return contents(t, os.DirFS(dir))
}

func TestADryRunOfANewMirror(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := filepath.Join(t.TempDir(), "made", "by it")
		assert.Equal(t, actions(localTree(), mirror.Created), m.foreseeBackup(t, dir, mirror.Options{}))
		assert.NoDirExists(t, dir)
		assert.Empty(t, testkit.RequestsTo(m.server, practicetest.PartStorage))

		require.NoError(t, os.MkdirAll(dir, 0o700))
		for name, content := range map[string]string{"readme.txt": "read me", "letters": "a file in the way"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		require.NoError(t, os.Remove(filepath.Join(dir, "letters")))
		results, err := m.backup(t, dir, mirror.Options{DryRun: true, ByContent: true})
		require.NoError(t, err)
		assert.Equal(t, mirror.Kept, mirror.Action(results["readme.txt"]), "nobody knows it, and it is the same")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("READ ME"), 0o600))
		results, err = m.backup(t, dir, mirror.Options{DryRun: true})
		require.NoError(t, err)
		assert.Equal(t, "conflict", results["readme.txt"], "it has the size, and not the content")
		results, err = m.backup(t, dir, mirror.Options{DryRun: true, Overwrite: true})
		require.NoError(t, err)
		assert.Equal(t, "updated", results["readme.txt"])
	})
}

func TestADryRunOfAnUpload(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, localTree()))
		assert.Equal(t, actions(localTree(), mirror.Created), m.foreseePush(t, dir, mirror.Options{}))
		assert.Equal(t, actions(localTree(), mirror.Created), m.foreseePush(t, dir, mirror.Options{}))
		assert.Empty(t, m.contents(t))
	})
}

// The test changes bytes of a local file and restores its time, as a faulty
// disk would.
func TestContentsAreComparedWhenAskedTo(t *testing.T) {
	t.Parallel()
	rot := func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, "readme.txt")
		before, err := os.Stat(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte("RAED ME"), 0o600))
		require.NoError(t, os.Chtimes(path, before.ModTime(), before.ModTime()))
	}
	verify := mirror.Options{DryRun: true, ByContent: true}
	t.Run("a mirror is verified", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			assert.Equal(t, actions(localTree(), mirror.Kept), m.foreseeBackup(t, dir, verify), "true to the byte")
			rot(t, dir)
			assert.Equal(t, dirResults{"readme.txt": "waiting"}, m.foreseeBackup(t, dir, verify).changed())
			overwrite := verify
			overwrite.Overwrite = true
			assert.Equal(t, dirResults{"readme.txt": "updated"}, m.foreseeBackup(t, dir, overwrite).changed())

			results, err := m.backup(t, dir, mirror.Options{ByContent: true, Overwrite: true})
			require.NoError(t, err)
			assert.Equal(t, dirResults{"readme.txt": "updated"}, results.changed())
			assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
			assert.Empty(t, m.foreseeBackup(t, dir, verify).changed())
		})
	})
	t.Run("a file that was only touched is the same", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			require.NoError(t, os.Chtimes(filepath.Join(dir, "readme.txt"), time.Time{}, time.Now().Add(time.Hour)))
			results, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
			assert.Empty(t, m.foreseeBackup(t, dir, mirror.Options{}).changed(), "and this is noted")
		})
	})
	t.Run("a change of the same size and time is sent", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			rot(t, dir)
			assert.Equal(t, dirResults{"readme.txt": "updated"}, m.foreseePush(t, dir, mirror.Options{ByContent: true}).changed())
			results, err := m.push(t, dir, mirror.Options{ByContent: true})
			require.NoError(t, err)
			assert.Equal(t, dirResults{"readme.txt": "updated"}, results.changed())
			assert.Equal(t, "RAED ME", m.contents(t)["readme.txt"])
			assert.Empty(t, m.foreseePush(t, dir, mirror.Options{ByContent: true}).changed())
		})
	})
	t.Run("a content that cannot be read is a failure of its file", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			m.server.Inject(practicetest.Fault{Operation: "storage.get", Status: 404})
			err := pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{ByContent: true, Concurrency: 1})
			require.ErrorIs(t, err, practice.ErrNotFound)
			m.server.ResetRequests()
			require.NoError(t, pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{ByContent: true}))
			assert.Empty(t, m.writes())
		})
	})
}

func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	tree := localTree()
	for _, name := range []string{"~$readme.txt", ".DS_Store", "letters/Thumbs.db", ".Trashes/x", "._readme.txt", ".~lock.a.odt#", "letters/desktop.ini", "~WRL0003.tmp"} {
		tree[name] = &fstest.MapFile{Data: []byte("x")}
	}
	t.Run("what systems keep does not go up", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Exclude: mirror.SystemFiles}))
			m.server.Settle()
			assert.Equal(t, contents(t, localTree()), m.contents(t))
		})
	})
	t.Run("what is left out is deleted on neither side", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			exclude := func(item mirror.Item) bool {
				return item.IsDir && item.Path == "letters" || item.Path == "readme.txt"
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("edited"), 0o600))
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters", "2026")))
			m.server.ResetRequests()
			results, err := m.push(t, dir, mirror.Options{Delete: true, Exclude: exclude})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
			assert.NotContains(t, results, "readme.txt", "nor is it reported")
			assert.Empty(t, m.writes())

			m.deleteFile(t, m.idOf(t, "readme.txt"))
			m.deleteFile(t, m.idOf(t, "letters/a.pdf"))
			results, err = m.backup(t, dir, mirror.Options{Delete: true, Exclude: exclude})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
			assert.FileExists(t, filepath.Join(dir, "letters", "a.pdf"))
			assert.FileExists(t, filepath.Join(dir, "readme.txt"))
		})
	})
	t.Run("a folder that is left out is not read", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			var items []mirror.Item
			results, err := m.backup(t, dir, mirror.Options{Exclude: func(item mirror.Item) bool {
				items = append(items, item)
				return item.Folder != nil && item.Folder.Name == "letters" || item.File != nil && item.Size > 1<<20
			}})
			require.NoError(t, err)
			assert.NotContains(t, results, "letters/a.pdf")
			assert.NoDirExists(t, filepath.Join(dir, "letters"))
			for _, item := range items {
				assert.NotContains(t, item.Path, "letters/")
				assert.Equal(t, item.IsDir, item.Folder != nil)
			}
			paths := make([]string, len(items))
			for i, item := range items {
				paths[i] = item.Path
			}
			assert.Len(t, slices.Compact(slices.Sorted(slices.Values(paths))), len(items), "each is asked for once")
		})
	})
	t.Run("an item that is gone has the path of the walk, whatever its name", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			dir, in := t.TempDir(), m.folder(t, "", "a/b")
			ids := []string{m.file(t, "", "/etc", "1"), m.file(t, "", "..", "2"), m.file(t, in, "c//d", "3")}
			paths := map[string]bool{}
			exclude := func(item mirror.Item) bool {
				paths[item.Path] = true
				return item.Path == "a/b/c//d"
			}
			_, err := m.backup(t, dir, mirror.Options{Exclude: func(item mirror.Item) bool { return exclude(item) && false }})
			require.NoError(t, err)
			walked := paths
			paths = map[string]bool{}
			for _, id := range ids {
				m.deleteFile(t, id)
			}
			results, err := m.backup(t, dir, mirror.Options{Delete: true, Exclude: exclude})
			require.NoError(t, err)
			assert.Equal(t, walked, paths)
			assert.Len(t, results.changed(), 2, "the one that is left out stays")
		})
	})
	t.Run("a copy that is left out keeps its name", func(t *testing.T) {
		t.Parallel()
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			old := m.idOf(t, "readme.txt")
			m.file(t, "", "readme.txt", "another one")
			results, err := m.backup(t, dir, mirror.Options{Exclude: func(item mirror.Item) bool {
				return item.File != nil && item.File.ID == old
			}})
			require.NoError(t, err)
			assert.Len(t, results.changed(), 1)
			assert.Equal(t, "read me", onDisk(t, dir)["readme.txt"])
		})
	})
}

func TestPermissionsOfAMirror(t *testing.T) {
	t.Parallel()
	mode := func(t *testing.T, dir, name string) fs.FileMode {
		t.Helper()
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := filepath.Join(t.TempDir(), "mirror")
		_, err := m.backup(t, dir, mirror.Options{FileMode: 0o640})
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o640), mode(t, dir, "readme.txt"))
		assert.Equal(t, fs.FileMode(0o750), mode(t, dir, "letters"))
		assert.Equal(t, fs.FileMode(0o750), mode(t, dir, "."))

		require.NoError(t, os.Chmod(filepath.Join(dir, "readme.txt"), 0o660))
		m.newVersion(t, "readme.txt", "READ ME")
		m.server.Settle()
		m.file(t, "", "new.txt", "new")
		_, err = m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o660), mode(t, dir, "readme.txt"), "an update keeps them")
		assert.Equal(t, fs.FileMode(0o600), mode(t, dir, "new.txt"), "only its owner")

		_, err = m.backup(t, dir, mirror.Options{FileMode: fs.ModeDir | 0o700})
		require.True(t, testkit.IsArgumentError(err), "%v", err)
	})
}

func TestEachFileOfADirectoryTellsHowFarItIs(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		told := map[string]string{}
		tell := func(path string, done, total int64) { told[path] = fmt.Sprint(done, " of ", total) }
		var results []mirror.Result
		collect := func(r mirror.Result) { results = append(results, r) }
		m.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 503}, practicetest.Fault{Operation: "storage.get", Status: 503})
		tree := fstest.MapFS{"a.txt": {Data: []byte("content")}}
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{FileProgress: tell, Result: collect}))
		assert.Equal(t, map[string]string{"a.txt": "7 of 7"}, told)
		clear(told)
		m.server.Settle()
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, t.TempDir(), mirror.Options{FileProgress: tell, Result: collect}))
		assert.Equal(t, map[string]string{"a.txt": "7 of 7"}, told)

		require.Len(t, results, 2)
		sent, got := results[0], results[1]
		assert.NotEmpty(t, sent.ETag)
		assert.Equal(t, sent.ETag, got.ETag, "what was sent is what came")
		assert.Equal(t, []int{2, 2}, []int{sent.Requests, got.Requests})
		file, _ := m.server.File(got.ID)
		assert.Equal(t, file.VersionID, got.VersionID)
	})
}

// Pull ignores a field for Push.
func TestATreeMeansNothingToPull(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{Tree: fstest.MapFS{"a": {}}}))
		assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
	})
}
