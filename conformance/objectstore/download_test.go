package objectstore_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

var parallel = practice.DownloadOptions{Ranges: 4, RangeSize: 1 << 20}

// way is one way to read a file: it returns the content.
type way struct {
	name string
	read func(ctx context.Context, w *world, client *practice.Client, fileID string) ([]byte, error)
}

func ways() []way {
	toFile := func(options practice.DownloadOptions) func(context.Context, *world, *practice.Client, string) ([]byte, error) {
		return func(ctx context.Context, w *world, client *practice.Client, fileID string) ([]byte, error) {
			path := filepath.Join(w.t.TempDir(), "local.bin")
			local, err := client.Documents.DownloadFile(ctx, w.matter, fileID, path, options)
			if err != nil {
				return nil, err
			}
			got, err := os.ReadFile(local.Path)
			w.onlyFile(path, got)
			return got, err
		}
	}
	return []way{
		{"to a writer", func(ctx context.Context, w *world, client *practice.Client, fileID string) ([]byte, error) {
			var got bytes.Buffer
			_, err := client.Documents.Download(ctx, w.matter, fileID, &got, practice.DownloadOptions{})
			return got.Bytes(), err
		}},
		{"to a file", toFile(practice.DownloadOptions{Ranges: 1})},
		{"to a file, over four ranges", toFile(parallel)},
		{"by reading", func(ctx context.Context, w *world, client *practice.Client, fileID string) ([]byte, error) {
			r, err := client.Documents.Open(ctx, w.matter, fileID, practice.OpenOptions{})
			if err != nil {
				return nil, err
			}
			defer r.Close()
			return io.ReadAll(r)
		}},
	}
}

// onEveryWay runs a test with a new store for each way to read.
func onEveryWay(t *testing.T, test func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error))) {
	t.Helper()
	for _, way := range ways() {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			test(t, newWorld(t), way.read)
		})
	}
}

func TestEverySizeComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, size := range []int64{0, 1, 100_000, 9<<20 + 1} {
		data := content(t, 1, size)
		file := w.stored(data)
		for _, way := range ways() {
			for transport, client := range map[string]*practice.Client{"own transport": w.client, "a transport of the caller's": w.clientThroughMiddleware()} {
				t.Run(fmt.Sprintf("%d bytes %s, %s", size, way.name, transport), func(t *testing.T) {
					got, err := way.read(t.Context(), w, client, file)
					require.NoError(t, err)
					assert.True(t, bytes.Equal(data, got), "the right content")
				})
			}
		}
	}
}

func TestALargeFileComesOverSeveralConnections(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := content(t, 2, 8<<20)
	file := w.stored(data)
	path := filepath.Join(t.TempDir(), "a.bin")
	_, err := w.client.Documents.DownloadFile(t.Context(), w.matter, file, path, parallel)
	require.NoError(t, err)
	w.onlyFile(path, data)
	heads := w.line.heads(http.MethodGet)
	require.GreaterOrEqual(t, len(heads), 4)
	for _, head := range heads[1:] {
		assert.NotEmpty(t, head.Get("Range"))
		assert.NotEmpty(t, head.Get("If-Match"), "of one version")
		head.Del("Range")
		head.Del("If-Match")
		assert.Empty(t, head, "no header beyond Host, Range and If-Match")
	}
}

func TestAFileCanBeReadFromAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := content(t, 3, 300_000)
	r, err := w.client.Documents.Open(t.Context(), w.matter, w.stored(data), practice.OpenOptions{})
	require.NoError(t, err)
	defer func() { assert.NoError(t, r.Close()) }()
	require.EqualValues(t, len(data), r.Size())
	part := make([]byte, 1000)
	for _, off := range []int64{299_000, 0, 150_001} {
		_, err := r.ReadAt(part, off)
		require.NoError(t, err)
		assert.Equal(t, data[off:off+1000], part)
	}
	n, err := r.ReadAt(part, 299_999)
	require.ErrorIs(t, err, io.EOF)
	assert.Equal(t, 1, n)

	small := content(t, 4, 90)
	r2, err := w.client.Documents.Open(t.Context(), w.matter, w.stored(small), practice.OpenOptions{})
	require.NoError(t, err)
	defer func() { assert.NoError(t, r2.Close()) }()
	require.NoError(t, iotest.TestReader(r2, small))
}

func TestADownloadGoesOnWhereTheLineBroke(t *testing.T) {
	t.Parallel()
	onEveryWay(t, func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error)) {
		data := content(t, 5, 8<<20)
		file := w.stored(data)
		w.line.breaks(
			&cut{method: http.MethodGet, down: 10}, // within the header
			&cut{method: http.MethodGet, down: 1 << 20},
			&cut{method: http.MethodGet, down: 400_000},
		)
		got, err := read(t.Context(), w, w.client, file)
		require.NoError(t, err)
		w.line.allCut(t)
		assert.True(t, bytes.Equal(data, got), "the right content")
		heads := w.line.heads(http.MethodGet)
		last := heads[len(heads)-1]
		assert.Regexp(t, `^bytes=[1-9][0-9]*-`, last.Get("Range"))
		assert.NotEmpty(t, last.Get("If-Match"), "of the same version")
		assert.Len(t, w.signer.addresses(http.MethodGet), 1, "the address was still good")
	})
}

func TestALaterProcessGoesOnWithAFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data := content(t, 6, 8<<20)
	file, path := w.stored(data), filepath.Join(t.TempDir(), "a.bin")
	w.line.breaks(&cut{method: http.MethodGet, down: 3 << 20})
	one := practice.DownloadOptions{Ranges: 1}
	_, err := w.client.Documents.DownloadFile(t.Context(), w.matter, file, path, one, practice.WithRetries(0))
	failed(t, err, 0, "")
	_, err = os.Stat(path)
	require.ErrorIs(t, err, os.ErrNotExist, "a half file never bears the name")

	local, err := w.server.Client(t).Documents.DownloadFile(t.Context(), w.matter, file, path, one)
	require.NoError(t, err)
	assert.Positive(t, local.Resumed)
	w.onlyFile(path, data)
}

func TestADownloadAfterTheEndOfItsAddress(t *testing.T) {
	t.Parallel()
	onEveryWay(t, func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error)) {
		data := content(t, 7, 5<<20)
		file := w.stored(data)
		w.signer.onRequest(func(r *practicetest.PresignRequest) {
			if len(w.signer.signed) == 0 { // issued long ago, unknown to the service
				r.Issued, r.Expiry = r.Issued.Add(-time.Hour), r.Expiry.Add(-time.Hour)
			}
		})
		got, err := read(t.Context(), w, w.client, file)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(data, got), "the right content")
		assert.Len(t, w.signer.addresses(http.MethodGet), 2, "a second address")
		assert.Equal(t, 2, w.calls("getFileDownload"))
	})
}

func TestAnAddressThatEndsDuringADownload(t *testing.T) {
	t.Parallel()
	onEveryWay(t, func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error)) {
		data := content(t, 8, 8<<20)
		file := w.stored(data)
		w.expireSoon()
		w.line.breaks(&cut{method: http.MethodGet, down: 1 << 20, before: w.untilExpired(http.MethodGet)})
		got, err := read(t.Context(), w, w.client, file)
		require.NoError(t, err)
		w.line.allCut(t)
		assert.True(t, bytes.Equal(data, got), "the right content")
		assert.Len(t, w.signer.addresses(http.MethodGet), 2, "a second address")
	})
}

func TestADownloadWithAWrongSignature(t *testing.T) {
	t.Parallel()
	onEveryWay(t, func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error)) {
		file := w.stored(content(t, 9, 5<<20))
		w.signer.signWrongly(true)
		got, err := read(t.Context(), w, w.client, file)
		require.ErrorIs(t, err, practice.ErrForbidden)
		failed(t, err, http.StatusForbidden, "SignatureDoesNotMatch")
		assert.Empty(t, got)
	})
}

func TestAnObjectThatIsGone(t *testing.T) {
	t.Parallel()
	onEveryWay(t, func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error)) {
		file := w.stored(content(t, 10, 5<<20))
		w.signer.onRequest(func(r *practicetest.PresignRequest) { assert.NoError(t, os.Remove(w.store.object(r.Key))) })
		_, err := read(t.Context(), w, w.client, file)
		require.ErrorIs(t, err, practice.ErrNotFound)
		failed(t, err, http.StatusNotFound, "NoSuchKey")
	})
}

// TestTwoVersionsAreNeverMixed replaces an object while it is read: readers
// that can start again get the new content, the others the beginning of the old
// one.
func TestTwoVersionsAreNeverMixed(t *testing.T) {
	t.Parallel()
	onEveryWay(t, func(t *testing.T, w *world, read func(context.Context, *world, *practice.Client, string) ([]byte, error)) {
		before, after := content(t, 11, 8<<20), content(t, 12, 8<<20)
		file := w.stored(before)
		w.line.breaks(&cut{method: http.MethodGet, down: 1 << 20, before: func() { w.replace(after) }})
		got, err := read(t.Context(), w, w.client, file)
		w.line.allCut(t)
		if err == nil {
			assert.True(t, bytes.Equal(after, got), "all of the new content")
			return
		}
		require.ErrorIs(t, err, practice.ErrVersionChanged)
		failed(t, err, http.StatusPreconditionFailed, "PreconditionFailed")
		assert.True(t, bytes.HasPrefix(before, got), "the beginning of the old content")
	})
}

func TestATreeGoesThereAndBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	folder, err := w.client.Documents.EnsureFolder(t.Context(), w.matter, models.FolderWrite{Name: "Tree"}, practice.EnsureFolderOptions{})
	require.NoError(t, err)
	tree := fstest.MapFS{
		"empty.txt":             {Data: []byte{}},
		"letter.txt":            {Data: []byte("Dear Sir or Madam\n")},
		"evidence/scan.pdf":     {Data: content(t, 13, 5<<20)},
		"evidence/old/note.txt": {Data: []byte("a note\n")},
	}
	err = mirror.Push(t.Context(), w.client, w.matter, "", mirror.Options{FolderID: folder, Tree: tree})
	require.NoError(t, err)
	dir := t.TempDir()
	for range 2 {
		w.forget()
		require.NoError(t, mirror.Pull(t.Context(), w.client, w.matter, dir, mirror.Options{FolderID: folder}))
		for name, file := range tree {
			got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			require.NoError(t, err)
			assert.True(t, bytes.Equal(file.Data, got), name)
		}
	}
	assert.Empty(t, w.line.heads(http.MethodGet), "the second time nothing is read")
}
