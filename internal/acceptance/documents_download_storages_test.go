package acceptance_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
)

// served returns a client whose storage is handle. It imitates storages without
// versions or ranges.
func served(t *testing.T, content []byte, handle http.HandlerFunc) *practice.Client {
	t.Helper()
	storage := httptest.NewServer(handle)
	address := storage.URL + "/b?Signature=x"
	api := fmt.Sprintf(`{"downloadUrl":%q,"sizeBytes":%d,"name":"a","fileExtension":".bin"}`, address, len(content))
	client := testkit.WithStorage(t, api, func(req *http.Request) (*http.Response, error) { return storage.Client().Transport.RoundTrip(req) },
		practice.WithMaxRetryWait(time.Millisecond))
	t.Cleanup(func() {
		storage.Client().CloseIdleConnections()
		storage.Close()
	})
	return client
}

func TestStoragesThatKnowLess(t *testing.T) {
	t.Parallel()
	content := contentOf(t, 100_000)
	options := practice.DownloadOptions{Ranges: 4, RangeSize: 1000}
	for _, test := range []struct {
		name   string
		etag   string
		ranges bool
	}{
		{"versions and ranges", `"v1"`, true},
		{"versions, no ranges", `"v1"`, false},
		{"ranges, no versions", "", true},
		{"neither", "", false},
		{"weak versions", `W/"v1"`, true},
	} {
		// The first response breaks off in the middle.
		handler := func() http.HandlerFunc {
			var once sync.Once
			return func(w http.ResponseWriter, r *http.Request) {
				if test.etag != "" {
					w.Header().Set("ETag", test.etag)
				}
				if !test.ranges {
					r.Header.Del("Range")
				}
				broken := false
				once.Do(func() { broken = true })
				if broken {
					w = &breaking{ResponseWriter: w, left: 20_000}
				}
				http.ServeContent(w, r, "", testkit.SomeTime, bytes.NewReader(content))
			}
		}
		t.Run(test.name+", to a file", func(t *testing.T) {
			t.Parallel()
			file, err := served(t, content, handler()).Documents.DownloadFile(t.Context(), "m1", "f1", t.TempDir(), options)
			require.NoError(t, err)
			got, err := os.ReadFile(file.Path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, got))
			assert.Equal(t, "a.bin", filepath.Base(file.Path))
		})
		t.Run(test.name+", to a writer", func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			_, err := served(t, content, handler()).Documents.Download(t.Context(), "m1", "f1", &got, options)
			if test.etag != `"v1"` {
				require.ErrorIs(t, err, practice.ErrNotResumable)
				require.ErrorIs(t, err, io.ErrUnexpectedEOF, "and what broke it")
				assert.True(t, bytes.HasPrefix(content, got.Bytes()))
				return
			}
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, got.Bytes()))
		})
	}
}

// TestAStorageThatIgnoresTheVersionAskedFor checks that the ETag reveals
// another version if the storage ignores If-Match.
func TestAStorageThatIgnoresTheVersionAskedFor(t *testing.T) {
	t.Parallel()
	first, second := contentOf(t, 100_000), bytes.Repeat([]byte("second"), 100_000)[:100_000]
	handler := func() http.HandlerFunc {
		var requests atomic.Int32
		return func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("If-Match")
			if requests.Add(1) == 1 {
				w.Header().Set("ETag", `"v1"`)
				http.ServeContent(&breaking{ResponseWriter: w, left: 20_000}, r, "", testkit.SomeTime, bytes.NewReader(first))
				return
			}
			w.Header().Set("ETag", `"v2"`)
			http.ServeContent(w, r, "", testkit.SomeTime, bytes.NewReader(second))
		}
	}
	var got bytes.Buffer
	_, err := served(t, first, handler()).Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
	require.ErrorIs(t, err, practice.ErrVersionChanged)
	assert.True(t, bytes.HasPrefix(first, got.Bytes()))
	for _, ranges := range []int{1, 4} {
		file, err := served(t, first, handler()).Documents.DownloadFile(t.Context(), "m1", "f1", t.TempDir(), practice.DownloadOptions{Ranges: ranges, RangeSize: 1000})
		require.NoError(t, err)
		onDisk, err := os.ReadFile(file.Path)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(second, onDisk))
	}
}

// breaking closes the connection after a number of bytes.
type breaking struct {
	http.ResponseWriter
	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	n, err := b.ResponseWriter.Write(p[:min(len(p), b.left)])
	if b.left -= n; b.left == 0 {
		panic(http.ErrAbortHandler)
	}
	return n, err
}

func TestContentOfUnknownLength(t *testing.T) {
	t.Parallel()
	content := contentOf(t, 100_000)
	for name, chunked := range map[string]bool{"the storage knows it": false, "nobody knows it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := testkit.WithStorage(t, `{"downloadUrl":"`+testkit.SignedAddress+`"}`, func(req *http.Request) (*http.Response, error) {
				w := httptest.NewRecorder()
				w.Header().Set("ETag", `"v1"`)
				if chunked {
					req.Header.Del("Range")
				}
				http.ServeContent(w, req, "", testkit.SomeTime, bytes.NewReader(content))
				answer := w.Result()
				if chunked {
					answer.ContentLength, answer.TransferEncoding = -1, []string{"chunked"}
				}
				return answer, nil
			})
			var got bytes.Buffer
			n, err := client.Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
			require.NoError(t, err)
			assert.EqualValues(t, len(content), n)
			assert.True(t, bytes.Equal(content, got.Bytes()))

			file, err := client.Documents.DownloadFile(t.Context(), "m1", "f1", filepath.Join(t.TempDir(), "a.bin"), practice.DownloadOptions{Ranges: 4, RangeSize: 1000})
			require.NoError(t, err)
			onDisk, err := os.ReadFile(file.Path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(content, onDisk))

			reader, err := client.Documents.Open(t.Context(), "m1", "f1", practice.OpenOptions{})
			if chunked {
				testkit.FailedTransfer(t, err, "Documents.Open")
				require.ErrorIs(t, err, practice.ErrSizeUnknown)
				return
			}
			require.NoError(t, err)
			assert.EqualValues(t, len(content), reader.Size())
			require.NoError(t, reader.Close())
		})
	}
}

// TestADocumentThatEndsWithItsConnectionIsNotCutOff checks that a content of
// unknown size, whose end is the early end of the connection, does not pass as
// complete.
func TestADocumentThatEndsWithItsConnectionIsNotCutOff(t *testing.T) {
	t.Parallel()
	content := contentOf(t, 100_000)
	copy(content, "%PDF-1.7\n") // one of the contents is that of an invoice
	for rule, knows := range map[string]bool{"the storage tells the size when it is asked": true, "nobody tells it": false} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("ETag", `"v1"`)
				if knows && r.Header.Get("Range") != "" {
					http.ServeContent(w, r, "", testkit.SomeTime, bytes.NewReader(content))
					return
				}
				connection, _, err := w.(http.Hijacker).Hijack()
				if assert.NoError(t, err) {
					_, _ = io.WriteString(connection, "HTTP/1.0 200 OK\r\nETag: \"v1\"\r\n\r\n"+string(content[:5000]))
					assert.NoError(t, connection.Close())
				}
			}))
			t.Cleanup(storage.Close)
			transport := &http.Transport{}
			t.Cleanup(transport.CloseIdleConnections)
			client := testkit.WithStorage(t, `{"downloadUrl":"`+storage.URL+`/b?Signature=x"}`, transport.RoundTrip)
			dir := t.TempDir()
			for name, download := range map[string]func(path string) error{
				"a document to a writer": func(path string) error {
					var got bytes.Buffer
					_, err := client.Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
					return errors.Join(err, os.WriteFile(path, got.Bytes(), 0o600))
				},
				"a document to a file": func(path string) error {
					_, err := client.Documents.DownloadFile(t.Context(), "m1", "f1", path, practice.DownloadOptions{})
					return err
				},
				"an invoice": func(path string) error {
					_, err := client.Invoices.DownloadFile(t.Context(), "m1", "i1", path)
					return err
				},
			} {
				path := filepath.Join(dir, name)
				err := download(path)
				if !knows {
					require.ErrorIs(t, err, practice.ErrSizeUnknown, name)
					continue
				}
				require.NoError(t, err, name)
				got, err := os.ReadFile(path)
				require.NoError(t, err)
				assert.True(t, bytes.Equal(content, got), name)
			}
		})
	}
}

// TestACodingThatNobodyAskedForIsRefused checks that an unexpected
// Content-Encoding is refused if the size of the content is unknown. A known
// size shows whether the bytes are the stored ones.
func TestACodingThatNobodyAskedForIsRefused(t *testing.T) {
	t.Parallel()
	coded := func(*http.Request) (*http.Response, error) {
		answer := testkit.AnswerOf(200, "content")
		answer.Header = http.Header{"Content-Encoding": {"gzip"}}
		answer.ContentLength = 7
		return answer, nil
	}
	unknown := strings.Replace(testkit.DownloadFrom(testkit.SignedAddress, 7), `"sizeBytes":7`, `"sizeBytes":null`, 1)
	for answer, refused := range map[string]bool{unknown: true, testkit.DownloadFrom(testkit.SignedAddress, 7): false} {
		client := testkit.WithStorage(t, answer, coded, practice.WithRetries(0))
		var got bytes.Buffer
		_, err := client.Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
		assert.Equal(t, refused, err != nil, "%s: %v", answer, err)
	}
}
