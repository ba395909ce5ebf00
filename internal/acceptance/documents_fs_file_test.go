package acceptance_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
)

// TestAnOpenFileIsTheVersionOfItsFolder checks a file system that is in use for
// long, as in a server, while documents get new versions.
func TestAnOpenFileIsTheVersionOfItsFolder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		hides string // members that the service leaves out
		later string // content of a later version
		want  string // content read; empty: ErrVersionChanged
	}{
		{"a longer version", "", "a much longer content", "content"},
		{"a shorter version", "", "new", "content"},
		{"no size in the folder", "sizeBytes", "a much longer content", "content"},
		{"no version in the folder", "versionId", "a much longer content", ""},
		{"neither of them in the folder", "sizeBytes|versionId", "a much longer content", "a much longer content"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				id := m.file(t, "", "a.txt", "content")
				client := m.server.Client(t, practice.WithMiddleware(withoutMembers(test.hides)))
				fsys := client.Documents.FS(t.Context(), m.id)
				_, err := fs.Stat(fsys, "a.txt")
				require.NoError(t, err)
				_, err = m.client.Documents.UploadVersion(t.Context(), m.id, id, practice.Upload{Body: strings.NewReader(test.later)})
				require.NoError(t, err)
				m.server.Settle()
				for way, read := range fileReads() {
					got, err := read(fsys)
					if test.want == "" {
						require.ErrorIs(t, err, practice.ErrVersionChanged, way)
						continue
					}
					require.NoError(t, err, way)
					assert.Equal(t, test.want, got, way)
				}
				served := httptest.NewRecorder()
				http.FileServerFS(fsys).ServeHTTP(served, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/a.txt", nil))
				assert.Equal(t, test.want == "", served.Code != http.StatusOK || served.Body.String() == "", "a torn file is no success")
				if test.want != "" {
					assert.Equal(t, test.want, served.Body.String())
				}
			})
		})
	}
}

// fileReads returns the ways of reading a.txt.
func fileReads() map[string]func(fs.FS) (string, error) {
	return map[string]func(fs.FS) (string, error){
		"ReadFile": func(fsys fs.FS) (string, error) {
			content, err := fs.ReadFile(fsys, "a.txt")
			return string(content), err
		},
		"as many bytes as Stat says": func(fsys fs.FS) (string, error) {
			file, err := fsys.Open("a.txt")
			if err != nil {
				return "", err
			}
			defer func() { _ = file.Close() }()
			info, err := file.Stat()
			if err != nil {
				return "", err
			}
			content := make([]byte, info.Size())
			if _, err := io.ReadFull(file, content); err != nil {
				return "", err
			}
			if n, err := file.Read(make([]byte, 1)); n > 0 || !errors.Is(err, io.EOF) {
				return "", fmt.Errorf("%d bytes behind the end, %w", n, err)
			}
			return string(content), nil
		},
		"an archive": func(fsys fs.FS) (string, error) {
			var archive bytes.Buffer
			w := tar.NewWriter(&archive)
			if err := w.AddFS(fsys); err != nil {
				return "", err
			}
			r := tar.NewReader(&archive)
			for {
				if header, err := r.Next(); err != nil || header.Name == "a.txt" {
					content, readErr := io.ReadAll(r)
					return string(content), errors.Join(err, readErr)
				}
			}
		},
	}
}

// withoutMembers removes members from every response; names is an alternation
// of a regular expression.
func withoutMembers(names string) func(http.RoundTripper) http.RoundTripper {
	member := regexp.MustCompile(`"(?:` + names + `)":("[^"]*"|\d+),?`)
	return func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if err != nil || names == "" || !strings.HasSuffix(req.URL.Path, "/folder") && !strings.Contains(req.URL.Path, "/folders") {
				return resp, err
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(member.ReplaceAll(body, nil))), -1
			resp.Header.Del("Content-Length")
			return resp, err
		})
	}
}

func TestWhatAFileSaysOfItself(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		folder := m.folder(t, "", "Letters")
		id := m.file(t, folder, "a.txt", "content")
		fsys := m.client.Documents.FS(t.Context(), m.id)
		info, err := fs.Stat(fsys, "Letters/a.txt")
		require.NoError(t, err)
		assert.Equal(t, "a.txt", info.Name())
		assert.EqualValues(t, 7, info.Size())
		assert.Equal(t, fs.FileMode(0o444), info.Mode())
		record, ok := info.Sys().(*models.File)
		require.True(t, ok)
		assert.Equal(t, id, record.ID)
		assert.Equal(t, record.DateModified.Time(), info.ModTime())
		assert.True(t, strings.HasPrefix(fmt.Sprint(info), "-r--r--r-- 7 "), "%v", info)

		info, err = fs.Stat(fsys, "Letters")
		require.NoError(t, err)
		assert.Equal(t, fs.ModeDir|0o555, info.Mode())
		assert.Equal(t, folder, info.Sys().(*models.Folder).ID)
		assert.Zero(t, info.ModTime())

		info, err = fs.Stat(fsys, ".")
		require.NoError(t, err)
		assert.Equal(t, ".", info.Name())
		assert.Nil(t, info.Sys())
	})
}

func TestAFileCanSeek(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		m.file(t, "", "a.txt", "0123456789")
		file, err := m.client.Documents.FS(t.Context(), m.id).Open("a.txt")
		require.NoError(t, err)
		assert.Len(t, m.server.Requests(), 1, "no content before it is read")
		seeker := file.(io.ReadSeeker)
		position, err := seeker.Seek(-3, io.SeekEnd)
		require.NoError(t, err)
		assert.EqualValues(t, 7, position)
		rest, err := io.ReadAll(seeker)
		require.NoError(t, err)
		assert.Equal(t, "789", string(rest))
		part := make([]byte, 4)
		_, err = file.(io.ReaderAt).ReadAt(part, 2)
		require.NoError(t, err)
		assert.Equal(t, "2345", string(part))
		n, err := file.(io.ReaderAt).ReadAt(part, 8)
		assert.Equal(t, 2, n)
		assert.Equal(t, io.EOF, err)
		_, err = seeker.Seek(-1, io.SeekStart)
		require.Error(t, err)

		require.NoError(t, file.Close())
		_, err = file.Read(part)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = seeker.Seek(0, io.SeekStart)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = file.(io.ReaderAt).ReadAt(part, 0)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = file.Stat()
		require.ErrorIs(t, err, fs.ErrClosed)
		require.ErrorIs(t, file.Close(), fs.ErrClosed)
	})
}

func TestAnOpenFolder(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		file, err := m.client.Documents.FS(t.Context(), m.id).Open("a")
		require.NoError(t, err)
		folder := file.(fs.ReadDirFile)
		var got []string
		for {
			some, err := folder.ReadDir(2)
			got = append(got, names(some)...)
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
		assert.Equal(t, []string{"a1", "a2", "in a.txt"}, got)
		_, err = folder.Read(nil)
		require.ErrorContains(t, err, "read a: is a folder")
		require.NoError(t, folder.Close())
		require.ErrorIs(t, folder.Close(), fs.ErrClosed)
		_, err = folder.ReadDir(-1)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = folder.Stat()
		require.ErrorIs(t, err, fs.ErrClosed)
	})
}
