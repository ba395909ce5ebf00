package transfer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/partfile"
)

func folder(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	return root, dir
}

func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestAnUnfinishedFileIsResumedByTheNextDownload(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	broken := given(version{"0123456789", "v1"}, fault{after: 4}, fault{err: missing})
	_, err := broken.object().ToFile(t.Context(), root, "a.txt", true, "m1", "f1")
	require.ErrorIs(t, err, missing)
	left := namesIn(t, dir)
	require.Len(t, left, 1)
	assert.True(t, strings.HasPrefix(left[0], partfile.Prefix), "half a file has another name")

	s := given(version{"0123456789", "v1"})
	file, err := s.object().ToFile(t.Context(), root, "a.txt", true, "m1", "f1")
	require.NoError(t, err)
	assert.Equal(t, File{Size: 10, Resumed: 4, ETag: "v1", Requests: 1}, file)
	assert.EqualValues(t, 4, s.asked()[0].From)
	assert.Equal(t, "0123456789", contentOf(t, filepath.Join(dir, "a.txt")))
	assert.Equal(t, []string{"a.txt"}, namesIn(t, dir))
}

func TestAnUnfinishedFileIsNotResumed(t *testing.T) {
	t.Parallel()
	for name, later := range map[string]struct {
		stored   version
		identity string
	}{
		"when the content is another version": {version{"newer text", "v2"}, "f1"},
		"when it is that of another file":     {version{"0123456789", "v1"}, "f2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, dir := folder(t)
			broken := given(version{"0123456789", "v1"}, fault{after: 4}, fault{err: missing})
			_, err := broken.object().ToFile(t.Context(), root, "a.txt", true, "f1")
			require.ErrorIs(t, err, missing)
			s := given(later.stored)
			file, err := s.object().ToFile(t.Context(), root, "a.txt", true, later.identity)
			require.NoError(t, err)
			assert.EqualValues(t, 10, file.Size)
			assert.Zero(t, file.Resumed)
			assert.Equal(t, later.stored.etag, file.ETag)
			assert.Equal(t, later.stored.content, contentOf(t, filepath.Join(dir, "a.txt")))
		})
	}
}

func TestAFileThatExistsIsReplacedOnlyWhenAskedTo(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("precious"), 0o600))
	s := given(version{"content", "v1"})
	_, err := s.object().ToFile(t.Context(), root, "a.txt", false)
	require.ErrorIs(t, err, fs.ErrExist)
	assert.Empty(t, s.asked())
	_, err = s.object().ToFile(t.Context(), root, "a.txt", true)
	require.NoError(t, err)
	assert.Equal(t, "content", contentOf(t, filepath.Join(dir, "a.txt")))

	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	before := len(s.asked())
	_, err = s.object().ToFile(t.Context(), root, "folder", true)
	require.ErrorIs(t, err, fs.ErrExist, "a folder is never replaced")
	assert.Len(t, s.asked(), before, "nor is its content fetched in vain")
}

func TestOnlyFilesAndLinksAreReplaced(t *testing.T) {
	t.Parallel()
	for mode, replaced := range map[fs.FileMode]bool{
		0o644: true, fs.ModeSymlink | 0o777: true,
		fs.ModeDir: false, fs.ModeDevice: false, fs.ModeDevice | fs.ModeCharDevice: false, fs.ModeNamedPipe: false, fs.ModeSocket: false,
	} {
		assert.Equal(t, replaced, replaceable(mode), "%v", mode)
	}
}

// TestADownloadThatBroughtNothingLeavesNothing checks that a download that
// failed before its first byte leaves no file.
func TestADownloadThatBroughtNothingLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int64{"of a size that is known": 7, "of a size that nobody knows yet": -1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root, dir := folder(t)
			s := given(version{"content", "v1"}, fault{err: missing})
			s.service.size = size
			_, err := s.object().ToFile(t.Context(), root, "a.txt", true)
			require.ErrorIs(t, err, missing)
			assert.Empty(t, namesIn(t, dir))
		})
	}
}

func TestAFileMayRefuseToBeReplacedOnceTheContentHasArrived(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("precious"), 0o600))
	s, refused := given(version{"content", "v1"}), errors.New("somebody works on it")
	object := s.object()
	object.Options().Replace = func() error { return refused }
	_, err := object.ToFile(t.Context(), root, "a.txt", true, "f1")
	require.ErrorIs(t, err, refused)
	assert.Equal(t, "precious", contentOf(t, filepath.Join(dir, "a.txt")))
	object = s.object()
	object.Options().Replace = func() error { return nil }
	_, err = object.ToFile(t.Context(), root, "a.txt", true, "f1")
	require.NoError(t, err)
	assert.Equal(t, "content", contentOf(t, filepath.Join(dir, "a.txt")))
}

// TestTheSHA256OfAFileIsOfItsWholeContent checks contents that arrive in one
// piece, in parallel ranges, from two processes, or with an unknown size.
func TestTheSHA256OfAFileIsOfItsWholeContent(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789", 20_000)
	sum := sha256.Sum256([]byte(content))
	want := hex.EncodeToString(sum[:])
	for rule, test := range map[string]struct {
		before []fault // faults of an earlier process
		ranges int
		noSize bool
	}{
		"in one piece":                   {ranges: 1},
		"in parts":                       {ranges: 4},
		"resumed":                        {before: []fault{{after: 70_000}, {err: missing}}, ranges: 1},
		"resumed in parts":               {before: []fault{{after: 70_000}, {err: missing}}, ranges: 4},
		"of a size that nobody tells of": {ranges: 1, noSize: true},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			root, dir := folder(t)
			if test.before != nil {
				_, err := given(version{content, "v1"}, test.before...).object().ToFile(t.Context(), root, "a.txt", true)
				require.Error(t, err)
			}
			s := given(version{content, "v1"})
			s.noSize = test.noSize
			object := s.ranged(test.ranges, 1<<10)
			object.Options().SHA256 = true
			file, err := object.ToFile(t.Context(), root, "a.txt", true)
			require.NoError(t, err)
			assert.Equal(t, want, file.SHA256)
			assert.Equal(t, test.before != nil, file.Resumed > 0)
			assert.Equal(t, content, contentOf(t, filepath.Join(dir, "a.txt")))
		})
	}
}

func TestTheSHA256IsOfAnEmptyFileToo(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	object := given(version{"", "v1"}).object()
	object.Options().SHA256 = true
	file, err := object.ToFile(t.Context(), root, "a.txt", true)
	require.NoError(t, err)
	assert.Equal(t, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", file.SHA256)
}

// TestAFileThatIsWholeWhenTheCallEndsIsKept checks that a context that ends
// after all bytes have arrived does not lose the file.
func TestAFileThatIsWholeWhenTheCallEndsIsKept(t *testing.T) {
	t.Parallel()
	root, dir := folder(t)
	s := given(version{"0123456789", "v1"})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	object := s.transfer.Object(s.service.place(), Options{SHA256: true, Progress: func(done, _ int64) {
		if done == 10 {
			cancel()
		}
	}})
	file, err := object.ToFile(ctx, root, "a.txt", true)
	require.NoError(t, err)
	assert.Empty(t, file.SHA256, "the caller does not wait for it")
	assert.Equal(t, "0123456789", contentOf(t, filepath.Join(dir, "a.txt")))
}

// TestWhatWasNotedOutlivesTheProcess simulates a kill after more than half of
// the content has arrived.
func TestWhatWasNotedOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := given(version{"0123456789", "v1"})
		s.transfer.Storage = slowStorage{s.fakeStorage}
		root, dir := folder(t)
		later, laterDir := folder(t)
		o := s.transfer.Object(s.service.place(), Options{Progress: func(done, _ int64) {
			if done == 7 { // the six bytes before are saved
				for _, name := range namesIn(t, dir) {
					assert.NoError(t, later.WriteFile(name, []byte(contentOf(t, filepath.Join(dir, name))), 0o600))
				}
			}
		}})
		_, err := o.ToFile(t.Context(), root, "a.txt", false)
		require.NoError(t, err)
		file, err := s.object().ToFile(t.Context(), later, "a.txt", false)
		require.NoError(t, err)
		assert.EqualValues(t, 6, file.Resumed)
		assert.Equal(t, "0123456789", contentOf(t, filepath.Join(laterDir, "a.txt")))
	})
}
