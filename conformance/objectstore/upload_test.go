package objectstore_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

type plainReader struct{ io.Reader }

func TestEveryKindOfBodyArrives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	file := func(data []byte) io.Reader {
		path := filepath.Join(t.TempDir(), "body.bin")
		require.NoError(t, os.WriteFile(path, data, 0o600))
		f, err := os.Open(path)
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, f.Close()) })
		return f
	}
	for _, test := range []struct {
		name string
		size int64
		body func([]byte) io.Reader
	}{
		{"bytes", 70_000, func(data []byte) io.Reader { return bytes.NewReader(data) }},
		{"one byte", 1, func(data []byte) io.Reader { return bytes.NewReader(data) }},
		{"zero bytes", 0, func(data []byte) io.Reader { return bytes.NewReader(data) }},
		{"a file", 9 << 20, file},
		{"an empty file", 0, file},
		{"a part of something", 2 << 20, func(data []byte) io.Reader { return io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))) }},
		{"a small reader of unknown length", 1000, func(data []byte) io.Reader { return plainReader{bytes.NewReader(data)} }},
		{"a large reader of unknown length", 5 << 20, func(data []byte) io.Reader { return plainReader{bytes.NewReader(data)} }},
		{"an empty reader of unknown length", 0, func(data []byte) io.Reader { return plainReader{bytes.NewReader(data)} }},
		{"a file of a file system", 100_000, func(data []byte) io.Reader {
			f, err := fstest.MapFS{"a": {Data: data}}.Open("a")
			require.NoError(t, err)
			return f
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, temp := content(t, 1, test.size), t.TempDir()
			made, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{
				Name: test.name + ".bin", Body: test.body(data), TempDir: temp,
			})
			require.NoError(t, err)
			assert.Equal(t, test.size, made.Size)
			w.holds(made.ID, data)
			left, err := os.ReadDir(temp)
			require.NoError(t, err)
			assert.Empty(t, left)

			second := content(t, 2, test.size+1)
			_, err = w.client.Documents.UploadVersion(t.Context(), w.matter, made.ID, practice.Upload{Body: test.body(second), TempDir: temp})
			require.NoError(t, err)
			w.holds(made.ID, second)
		})
	}
	for _, head := range w.line.heads(http.MethodPut) {
		assert.NotEmpty(t, head.Get("Content-Length"))
		head.Del("Content-Length")
		assert.Empty(t, head, "no header beyond Host and Content-Length")
	}
}

// putsOf runs a test for both ways of sending content.
func putsOf(t *testing.T, test func(t *testing.T, w *world, send func(context.Context, []byte) (*practice.UploadedFile, error), made int)) {
	t.Helper()
	t.Run("a new file", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		test(t, w, func(ctx context.Context, data []byte) (*practice.UploadedFile, error) {
			return w.client.Documents.Upload(ctx, w.matter, practice.Upload{Name: "a.bin", Body: bytes.NewReader(data)})
		}, 1)
	})
	t.Run("a new version", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		file := w.stored([]byte("before"))
		test(t, w, func(ctx context.Context, data []byte) (*practice.UploadedFile, error) {
			return w.client.Documents.UploadVersion(ctx, w.matter, file, practice.Upload{Body: bytes.NewReader(data)})
		}, 0)
	})
}

func TestAnUploadOverALineThatBreaks(t *testing.T) {
	t.Parallel()
	putsOf(t, func(t *testing.T, w *world, send func(context.Context, []byte) (*practice.UploadedFile, error), made int) {
		w.line.breaks(
			&cut{method: http.MethodPut, up: 100},
			&cut{method: http.MethodPut, up: 5 << 20},
			&cut{method: http.MethodPut, down: 1},
		)
		data := content(t, 3, 8<<20)
		file, err := send(t.Context(), data)
		require.NoError(t, err)
		w.line.allCut(t)
		w.holds(file.ID, data)
		assert.Equal(t, made, w.calls("createFile"), "one file")
		assert.Len(t, w.line.heads(http.MethodPut), 4)
	})
}

func TestAnUploadAfterTheEndOfItsAddress(t *testing.T) {
	t.Parallel()
	putsOf(t, func(t *testing.T, w *world, send func(context.Context, []byte) (*practice.UploadedFile, error), made int) {
		w.signer.onRequest(func(r *practicetest.PresignRequest) {
			if len(w.signer.signed) == 0 { // issued long ago, unknown to the service
				r.Issued, r.Expiry = r.Issued.Add(-time.Hour), r.Expiry.Add(-time.Hour)
			}
		})
		data := content(t, 4, 3<<20)
		file, err := send(t.Context(), data)
		require.NoError(t, err)
		w.holds(file.ID, data)
		assert.Len(t, w.signer.addresses(http.MethodPut), 2, "a second address")
		assert.Equal(t, made, w.calls("createFile"), "for the same file")
		assert.Equal(t, 2-made, w.calls("getFileUpload"))
	})
}

// untilExpired waits until the first URL of a method has expired.
func (w *world) untilExpired(method string) func() {
	return func() {
		if given := w.signer.addresses(method); len(given) > 0 {
			<-time.After(time.Until(given[0].Expiry.Add(time.Second)))
		}
	}
}

// expireSoon shortens the validity of the first URL below the time that the
// service returns.
func (w *world) expireSoon() {
	w.signer.onRequest(func(r *practicetest.PresignRequest) {
		if len(w.signer.signed) == 0 {
			r.Expiry = r.Issued.Add(10 * time.Second) // the first request is sent in this time
		}
	})
}

func TestAnAddressThatEndsDuringAnUpload(t *testing.T) {
	t.Parallel()
	putsOf(t, func(t *testing.T, w *world, send func(context.Context, []byte) (*practice.UploadedFile, error), made int) {
		w.expireSoon()
		w.line.breaks(&cut{method: http.MethodPut, up: 2 << 20, before: w.untilExpired(http.MethodPut)})
		data := content(t, 5, 4<<20)
		file, err := send(t.Context(), data)
		require.NoError(t, err)
		w.line.allCut(t)
		w.holds(file.ID, data)
		assert.Len(t, w.signer.addresses(http.MethodPut), 2, "a second address")
		assert.Equal(t, made, w.calls("createFile"), "for the same file")
	})
}

func TestAnUploadWithAWrongSignature(t *testing.T) {
	t.Parallel()
	putsOf(t, func(t *testing.T, w *world, send func(context.Context, []byte) (*practice.UploadedFile, error), made int) {
		w.signer.signWrongly(true)
		data := content(t, 6, 100_000)
		_, err := send(t.Context(), data)
		require.ErrorIs(t, err, practice.ErrForbidden)
		broken := failed(t, err, http.StatusForbidden, "SignatureDoesNotMatch")
		w.signer.signWrongly(false)
		_, err = w.client.Documents.ResumeUpload(t.Context(), w.matter, broken.FileID, practice.Upload{Body: bytes.NewReader(data)})
		require.NoError(t, err)
		w.holds(broken.FileID, data)
		assert.Equal(t, made, w.calls("createFile"), "one file")
	})
}
