package practice_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// A manifest in another place keeps the tree as it is.
func TestTheManifestCanLieElsewhere(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		state := filepath.Join(t.TempDir(), "state")
		tree := localTree()
		options := practice.UploadDirOptions{ManifestDir: state}
		require.NoError(t, m.client.Documents.UploadDir(t.Context(), m.id, tree, options))
		delete(tree, "readme.txt")
		tree["please read.txt"] = localTree()["readme.txt"]
		tree["please read.txt"].ModTime = time.Time{}
		require.NoError(t, m.client.Documents.UploadDir(t.Context(), m.id, tree, options))
		list, err := os.ReadDir(state)
		require.NoError(t, err)
		assert.Len(t, list, 1)
		require.NoError(t, os.WriteFile(filepath.Join(state, "a file"), nil, 0o600))
		options.ManifestDir = filepath.Join(state, "a file")
		require.Error(t, m.client.Documents.UploadDir(t.Context(), m.id, tree, options))
	})
}

// However the folder of the manifest is spelled, the tree in it is that on
// disk: the manifest is no file of it, and a local change that is kept gets a
// name of its own there.
func TestTheFolderOfAManifestMayBeSpelledInAnyWay(t *testing.T) {
	t.Parallel()
	for _, spelling := range []func(t *testing.T, dir string) string{
		func(_ *testing.T, dir string) string { return dir },
		func(_ *testing.T, dir string) string { return dir + "/./" },
		func(t *testing.T, dir string) string {
			t.Helper()
			link := filepath.Join(t.TempDir(), "link")
			require.NoError(t, os.Symlink(dir, link))
			return link
		},
	} {
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, practice.DownloadDirOptions{})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("local work"), 0o600))
			m.newVersion(t, "readme.txt", "work elsewhere")
			m.server.Settle()
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			defer func() { assert.NoError(t, root.Close()) }()
			results := dirResults{}
			options := practice.UploadDirOptions{ManifestDir: spelling(t, dir), Result: results.add}
			require.NoError(t, m.client.Documents.UploadDir(t.Context(), m.id, root.FS(), options))
			assert.Equal(t, dirResults{"readme.txt": "conflict"}, results.changed())
			_, err = m.backup(t, dir, practice.DownloadDirOptions{})
			require.NoError(t, err)
			assert.Equal(t, "work elsewhere", onDisk(t, dir)["readme.txt"])
			assert.Equal(t, "local work", onDisk(t, dir)["readme (local copy).txt"])
			assert.Equal(t, m.contents(t), onDisk(t, dir))
		})
	}
}

// The file system of an empty path shows nothing, not the working directory.
func TestAFileSystemThatShowsNothingHasNoManifest(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		require.Error(t, m.client.Documents.UploadDir(t.Context(), m.id, os.DirFS(""), practice.UploadDirOptions{Delete: true}))
		list, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, list)
	})
}

// A mirror through a link is the same mirror: two calls exclude each other.
func TestALinkLeadsToTheSameMirror(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(dir, link))
		busy := 0
		err := m.client.Documents.DownloadDir(t.Context(), m.id, dir, practice.DownloadDirOptions{Result: func(practice.DirResult) {
			if errors.Is(m.client.Documents.DownloadDir(t.Context(), m.id, link, practice.DownloadDirOptions{}), practice.ErrMirrorBusy) {
				busy++
			}
		}})
		require.NoError(t, err)
		assert.Equal(t, 5, busy)
		results, err := m.push(t, link, practice.UploadDirOptions{Delete: true})
		require.NoError(t, err)
		assert.Empty(t, results.changed())
		assert.Empty(t, m.writes())
	})
}

// A name that DownloadDir had to change is noted beside it; a file system that
// shows the same folder finds the note, or says that it does not.
func TestADocumentIsNotMadeAgainWhateverShowsItsMirror(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		show func(t *testing.T, dir string) fs.FS
		err  error
	}{
		"os.DirFS": {func(_ *testing.T, dir string) fs.FS { return os.DirFS(dir) }, nil},
		"os.Root": {func(t *testing.T, dir string) fs.FS {
			root, err := os.OpenRoot(dir)
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, root.Close()) })
			return root.FS()
		}, nil},
		"another file system": {func(_ *testing.T, dir string) fs.FS { return struct{ fs.FS }{os.DirFS(dir)} }, practice.ErrMirrorMismatch},
		"fs.Sub": {func(t *testing.T, dir string) fs.FS {
			part, err := fs.Sub(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
			require.NoError(t, err)
			return part
		}, practice.ErrMirrorMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				m.file(t, "", "Re: offer.msg", "x")
				for range 2 {
					_, err := m.backup(t, dir, practice.DownloadDirOptions{})
					require.NoError(t, err)
					err = m.client.Documents.UploadDir(t.Context(), m.id, test.show(t, dir), practice.UploadDirOptions{})
					require.ErrorIs(t, err, test.err)
					require.NoError(t, m.client.Documents.UploadDir(t.Context(), m.id, test.show(t, dir), practice.UploadDirOptions{ManifestDir: dir}))
				}
				assert.Len(t, m.contents(t), 1)
			})
		})
	}
}

// So is the folder of a mirror that is pushed by itself, unless it is a mirror
// of its own.
func TestAPartOfAMirrorIsNotPushedWithoutItsManifest(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir, letters := t.TempDir(), m.folder(t, "", "Letters")
		open := m.folder(t, letters, "Open")
		m.file(t, open, "Re: offer.msg", "x")
		before := m.contents(t)
		part := filepath.Join(dir, "Letters", "Open")
		for range 2 {
			_, err := m.backup(t, dir, practice.DownloadDirOptions{})
			require.NoError(t, err)
			_, err = m.push(t, part, practice.UploadDirOptions{FolderID: open})
			require.ErrorIs(t, err, practice.ErrMirrorMismatch)
			require.ErrorContains(t, err, dir)
		}
		_, err := m.backup(t, part, practice.DownloadDirOptions{FolderID: open})
		require.NoError(t, err)
		_, err = m.push(t, part, practice.UploadDirOptions{FolderID: open})
		require.NoError(t, err, "a mirror of its own")
		assert.Equal(t, before, m.contents(t))
		_, err = m.push(t, part, practice.UploadDirOptions{FolderID: letters})
		require.NoError(t, err, "a folder that goes somewhere else")
	})
}
