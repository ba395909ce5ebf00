package mirror_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/mirror"
)

// A manifest in another directory leaves the tree unchanged.
func TestTheManifestCanLieElsewhere(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		state := filepath.Join(t.TempDir(), "state")
		tree := localTree()
		options := mirror.Options{Tree: tree}
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, state, options))
		delete(tree, "readme.txt")
		tree["please read.txt"] = localTree()["readme.txt"]
		tree["please read.txt"].ModTime = time.Time{}
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, state, options))
		list, err := os.ReadDir(state)
		require.NoError(t, err)
		assert.Len(t, list, 1)
		require.NoError(t, os.WriteFile(filepath.Join(state, "a file"), nil, 0o600))
		require.Error(t, mirror.Push(t.Context(), m.client, m.id, filepath.Join(state, "a file"), options))
	})
}

// An empty file system does not show the working directory.
func TestAFileSystemThatShowsNothingHasNoManifest(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		require.Error(t, mirror.Push(t.Context(), m.client, m.id, "", mirror.Options{Delete: true}))
		list, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, list)
	})
}

// A mirror through a symbolic link is the same mirror: two calls exclude each
// other.
func TestALinkLeadsToTheSameMirror(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(dir, link))
		busy := 0
		err := mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{Result: func(mirror.Result) {
			if errors.Is(mirror.Pull(t.Context(), m.client, m.id, link, mirror.Options{}), mirror.ErrDirInUse) {
				busy++
			}
		}})
		require.NoError(t, err)
		assert.Equal(t, 5, busy)
		results, err := m.push(t, link, mirror.Options{Delete: true})
		require.NoError(t, err)
		assert.Empty(t, results.changed())
		assert.Empty(t, m.writes())
	})
}

// A tree with a manifest is refused if the call cannot write one, because the
// manifest has the names that Pull changed.
func TestATreeThatShowsItsManifestIsRefused(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		m.file(t, "", "Re: offer.msg", "x")
		for range 2 {
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			require.ErrorIs(t, pushTree(t.Context(), m.client, m.id, os.DirFS(dir), mirror.Options{}), mirror.ErrMismatch)
			require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{Tree: os.DirFS(dir)}))
		}
		assert.Len(t, m.contents(t), 1)
	})
}

// The same holds for a folder of a mirror that is pushed alone, unless it is a
// mirror of its own.
func TestAPartOfAMirrorIsNotPushedWithoutItsManifest(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir, letters := t.TempDir(), m.folder(t, "", "Letters")
		open := m.folder(t, letters, "Open")
		m.file(t, open, "Re: offer.msg", "x")
		before := m.contents(t)
		part := filepath.Join(dir, "Letters", "Open")
		for range 2 {
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			_, err = m.push(t, part, mirror.Options{FolderID: open})
			require.ErrorIs(t, err, mirror.ErrMismatch)
			require.ErrorContains(t, err, dir)
		}
		_, err := m.backup(t, part, mirror.Options{FolderID: open})
		require.NoError(t, err)
		_, err = m.push(t, part, mirror.Options{FolderID: open})
		require.NoError(t, err, "a mirror of its own")
		assert.Equal(t, before, m.contents(t))
		_, err = m.push(t, part, mirror.Options{FolderID: letters})
		require.NoError(t, err, "a folder that goes somewhere else")
	})
}
