package practice_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

func TestTheDirectoryOfALargeArchiveTakesFewRequests(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for i := range 10_000 {
		f, err := writer.Create(fmt.Sprintf("Evidence/Exhibit %05d.txt", i))
		require.NoError(t, err)
		_, err = io.WriteString(f, "content")
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	inTransferWorld(t, 10, func(t *testing.T, w *transferWorld) {
		_, err := w.client.Documents.UploadVersion(t.Context(), w.matter, w.fileID, practice.Upload{Body: &archive})
		require.NoError(t, err)
		w.reset()
		r := w.open()
		files, err := zip.NewReader(r, r.Size())
		require.NoError(t, err)
		assert.Len(t, files.File, 10_000)
		assert.LessOrEqual(t, len(w.server.Requests()), 5, "%q", w.ranges())
		require.NoError(t, r.Close())
	})
}

// TestARangeThatIsServedMovesLittle serves a file whose type is found in its first
// bytes: they are read, and the position goes back.
func TestARangeThatIsServedMovesLittle(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 5<<20, func(t *testing.T, w *transferWorld) {
		_, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Name: "unknown", Body: bytes.NewReader(w.content)})
		require.NoError(t, err)
		handler := http.FileServerFS(w.client.Documents.FS(t.Context(), w.matter))
		for _, test := range []struct {
			name, rang, body string
			asked            []string
		}{
			{"100 bytes of the beginning", "bytes=0-99", string(w.content[:100]), []string{"bytes=0-65535"}},
			{"100 bytes of the middle", "bytes=3000000-3000099", string(w.content[3_000_000:3_000_100]), []string{"bytes=0-65535", "bytes=3000000-3065535"}},
			{"everything", "", string(w.content), []string{"bytes=0-65535", "bytes=65536-327679", "bytes=327680-1376255", "bytes=1376256-"}},
		} {
			w.reset()
			request, answer := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/unknown", nil), httptest.NewRecorder()
			request.Header.Set("Range", test.rang)
			handler.ServeHTTP(answer, request)
			assert.True(t, bytes.Equal([]byte(test.body), answer.Body.Bytes()), test.name)
			assert.Equal(t, test.asked, w.ranges(), test.name)
		}
	})
}
