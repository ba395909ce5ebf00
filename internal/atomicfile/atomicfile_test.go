package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func placeAt(t *testing.T, path string) *Place {
	t.Helper()
	place, err := At(path)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, place.Close()) })
	return place
}

// replace replaces the content and leaves the new file open, as a journal does.
func replace(t *testing.T, place *Place, content string) *os.File {
	t.Helper()
	fresh, err := place.Create()
	require.NoError(t, err)
	_, err = fresh.WriteString(content)
	require.NoError(t, err)
	require.NoError(t, place.Replace())
	t.Cleanup(func() { assert.NoError(t, fresh.Close()) })
	return fresh
}

func TestAFileThatIsOpenIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	place := placeAt(t, filepath.Join(dir, "file"))
	replace(t, place, "one")
	reader, err := place.Open()
	require.NoError(t, err)
	defer func() { require.NoError(t, reader.Close()) }()
	writer := replace(t, place, "two")
	_, err = writer.WriteString(" and more")
	require.NoError(t, err)
	content, err := place.Read()
	require.NoError(t, err)
	assert.Equal(t, "two and more", string(content))
	old := make([]byte, 9)
	n, _ := reader.Read(old)
	assert.Equal(t, "one", string(old[:n]))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestWhatAKilledProcessLeftIsNeitherReadNorWrittenThrough(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	left := filepath.Join(dir, "file.new")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	require.NoError(t, os.WriteFile(elsewhere, []byte("of somebody else"), 0o600))
	if runtime.GOOS == "windows" { // symbolic links need a privilege on Windows
		require.NoError(t, os.WriteFile(left, []byte("half"), 0o600))
	} else {
		require.NoError(t, os.Symlink(elsewhere, left))
	}
	place := placeAt(t, filepath.Join(dir, "file"))
	_, err := place.Read()
	require.ErrorIs(t, err, fs.ErrNotExist)
	fresh := replace(t, place, "whole")
	content, err := os.ReadFile(elsewhere)
	require.NoError(t, err)
	assert.Equal(t, "of somebody else", string(content))
	if info, err := fresh.Stat(); assert.NoError(t, err) && runtime.GOOS != "windows" {
		assert.Equal(t, fs.FileMode(0o600), info.Mode())
	}
}

// TestAnErrorNamesTheWholePathAndLeavesNothing checks that replacing a folder
// fails and leaves no file beside it.
func TestAnErrorNamesTheWholePathAndLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	require.NoError(t, os.Mkdir(path, 0o700))
	place := placeAt(t, path)
	fresh, err := place.Create()
	require.NoError(t, err)
	require.NoError(t, fresh.Close())
	require.ErrorContains(t, place.Replace(), path)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
	_, err = placeAt(t, filepath.Join(dir, "other")).Open()
	require.ErrorContains(t, err, filepath.Join(dir, "other"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestALinkLeadsWhereTheSystemFollowsIt checks links whose text begins at the
// place where they really are.
func TestALinkLeadsWhereTheSystemFollowsIt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join("a", "b"), filepath.Join(dir, "short")))
	up := func(name string) string { return ".." + string(filepath.Separator) + name }
	require.NoError(t, os.Symlink(up("file"), filepath.Join(dir, "a", "b", "link")))
	require.NoError(t, os.Symlink(up("short")+string(filepath.Separator)+up("other"), filepath.Join(dir, "a", "twice")))
	for path, want := range map[string]string{
		filepath.Join(dir, "file"):                                            filepath.Join(dir, "file"),
		filepath.Join(dir, "short", "link"):                                   filepath.Join(dir, "a", "file"),
		filepath.Join(dir, "short") + string(filepath.Separator) + up("file"): filepath.Join(dir, "a", "file"),
		filepath.Join(dir, "a", "twice"):                                      filepath.Join(dir, "a", "other"),
		filepath.Join(dir, "missing", "file"):                                 filepath.Join(dir, "missing", "file"),
	} {
		assert.Equal(t, want, Target(path), path)
	}
	for path := range map[string]bool{filepath.Join(dir, "short", "link"): true, filepath.Join(dir, "a", "twice"): true} {
		replace(t, placeAt(t, path), "content")
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, "content", string(content))
		info, err := os.Lstat(path)
		require.NoError(t, err)
		assert.Equal(t, fs.ModeSymlink, info.Mode().Type(), "the file is replaced, and not the link")
	}
}
