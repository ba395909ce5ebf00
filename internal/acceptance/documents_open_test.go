package acceptance_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func (w *transferWorld) open() *practice.FileReader {
	r, err := w.client.Documents.Open(w.t.Context(), w.matter, w.fileID, practice.OpenOptions{})
	require.NoError(w.t, err)
	return r
}

func TestAFileReaderReadsLikeAFile(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 5000} {
		inTransferWorld(t, size, func(t *testing.T, w *transferWorld) {
			r := w.open()
			assert.EqualValues(t, size, r.Size())
			require.NoError(t, iotest.TestReader(r, w.content))
			require.NoError(t, r.Close())
		})
	}
}

func TestAFileReaderFetchesWhatIsRead(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 400_000, func(t *testing.T, w *transferWorld) {
		r := w.open()
		assert.Empty(t, w.ranges(), "nothing is fetched to open it")
		end, err := r.Seek(0, io.SeekEnd)
		require.NoError(t, err)
		assert.EqualValues(t, 400_000, end)
		at, err := r.Seek(-10_000, io.SeekCurrent)
		require.NoError(t, err)
		assert.EqualValues(t, 390_000, at)
		assert.Empty(t, w.ranges(), "nor to seek")
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.content[390_000:], rest))
		part := make([]byte, 100)
		n, err := r.ReadAt(part, 20_000)
		require.NoError(t, err)
		assert.Equal(t, 100, n)
		assert.True(t, bytes.Equal(w.content[20_000:20_100], part))
		assert.Equal(t, []string{"bytes=334464-", "bytes=20000-85535"}, w.ranges(), "and a little more")
		n, err = r.ReadAt(part, 399_950)
		require.ErrorIs(t, err, io.EOF)
		assert.Equal(t, 50, n)
		_, err = r.ReadAt(part, 400_000)
		require.ErrorIs(t, err, io.EOF)
		assert.Len(t, w.ranges(), 2, "of what is there, nothing is fetched again")
		n, err = r.ReadAt(nil, 5)
		assert.NoError(t, err)
		assert.Zero(t, n)
		_, err = r.ReadAt(part, -1)
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		_, err = r.Seek(-1, io.SeekStart)
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		_, err = r.Seek(0, 7)
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		require.NoError(t, r.Close())
	})
}

func TestAFileReaderSurvivesBrokenConnections(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		r := w.open()
		w.server.Inject(
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 7_000, Times: 3},
			practicetest.Fault{Operation: "storage.get", Status: 403},
			practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall, After: 100, Times: 2},
		)
		all, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.content, all))
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, Times: 2})
		part := make([]byte, 1000)
		_, err = r.ReadAt(part, 5)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.content[5:1005], part))
		require.NoError(t, r.Close())
	}, practice.WithRetries(10))
}

func TestAReadThatFailedCanBeRepeated(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		r := w.open()
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultResetAfter, After: 500, Times: 4}) // fewer bytes than a resumed read needs
		begin, err := io.ReadAll(r)
		testkit.FailedTransfer(t, err, "Documents.Open")
		rest, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.NotEmpty(t, rest)
		assert.True(t, bytes.Equal(w.content, append(begin, rest...)))
		require.NoError(t, r.Close())
	})
}

func TestAFileReaderReadsAnArchive(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for _, name := range []string{"one.txt", "two.txt"} {
		f, err := writer.Create(name)
		require.NoError(t, err)
		_, err = io.WriteString(f, "content of "+name)
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	inTransferWorld(t, 10, func(t *testing.T, w *transferWorld) {
		_, err := w.client.Documents.UploadVersion(t.Context(), w.matter, w.fileID, practice.Upload{Body: &archive})
		require.NoError(t, err)
		r := w.open()
		files, err := zip.NewReader(r, r.Size())
		require.NoError(t, err)
		content, err := fs.ReadFile(files, "two.txt")
		require.NoError(t, err)
		assert.Equal(t, "content of two.txt", string(content))
		require.NoError(t, r.Close())
	})
}

func TestAFileReaderReadsOneVersion(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 400_000, func(t *testing.T, w *transferWorld) {
		r := w.open()
		part := make([]byte, 100)
		_, err := r.ReadAt(part, 0)
		require.NoError(t, err)
		w.replace(w.fresh)
		_, err = r.ReadAt(part, 0)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.content[:100], part), "fetched before")
		_, err = r.ReadAt(part, 100_000)
		require.ErrorIs(t, err, practice.ErrVersionChanged)
		testkit.FailedTransfer(t, err, "Documents.Open")
		_, err = r.Read(part)
		require.ErrorIs(t, err, practice.ErrVersionChanged)
		require.NoError(t, r.Close())
	})
}

func TestReadAtMayBeUsedByManyAtOnce(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		r := w.open()
		var readers sync.WaitGroup
		for i := range int64(20) {
			readers.Go(func() {
				part := make([]byte, 2000)
				_, err := r.ReadAt(part, i*2000)
				assert.NoError(t, err)
				assert.True(t, bytes.Equal(w.content[i*2000:(i+1)*2000], part))
			})
		}
		readers.Wait()
		require.NoError(t, r.Close())
	})
}

func TestCloseEndsReadsUnderWay(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		r := w.open()
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStall, After: 1000, Times: -1})
		var readers sync.WaitGroup
		readers.Go(func() {
			_, err := io.ReadAll(r)
			assert.ErrorIs(t, err, fs.ErrClosed)
		})
		readers.Go(func() {
			_, err := r.ReadAt(make([]byte, 20_000), 0)
			assert.ErrorIs(t, err, fs.ErrClosed)
		})
		<-time.After(time.Second)
		require.NoError(t, r.Close())
		readers.Wait()
		require.ErrorIs(t, r.Close(), fs.ErrClosed)
		_, err := r.Read(make([]byte, 1))
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = r.Seek(0, io.SeekStart)
		require.ErrorIs(t, err, fs.ErrClosed)
		_, err = r.ReadAt(make([]byte, 1), 40_000)
		require.ErrorIs(t, err, fs.ErrClosed)
	})
}

func TestAFileReaderEndsWithItsContext(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 40_000, func(t *testing.T, w *transferWorld) {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := w.client.Documents.Open(ctx, w.matter, w.fileID, practice.OpenOptions{})
		require.NoError(t, err)
		_, err = r.Read(make([]byte, 10))
		require.NoError(t, err)
		cancel()
		_, err = io.ReadAll(r)
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, r.Close())
		_, err = w.client.Documents.Open(ctx, w.matter, w.fileID, practice.OpenOptions{})
		require.ErrorIs(t, err, context.Canceled)
	})
}

// TestReadingNoticesThatTheStorageSendsMore checks a response without a length,
// of which only the end shows that it is another content.
func TestReadingNoticesThatTheStorageSendsMore(t *testing.T) {
	t.Parallel()
	content := "content" + strings.Repeat(".", 100_000)
	open := func(t *testing.T) *practice.FileReader {
		t.Helper()
		client := testkit.WithStorage(t, testkit.DownloadFrom(testkit.SignedAddress, len(content)), func(*http.Request) (*http.Response, error) {
			answer := testkit.AnswerOf(200, content+" and more")
			answer.ContentLength = -1
			return answer, nil
		})
		r, err := client.Documents.Open(t.Context(), "m1", "f1", practice.OpenOptions{})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, r.Close()) })
		return r
	}
	t.Run("in one stream", func(t *testing.T) {
		t.Parallel()
		r := open(t)
		got, err := io.ReadAll(r)
		require.ErrorIs(t, err, practice.ErrSizeMismatch)
		assert.Equal(t, content, string(got))
		_, err = r.Read(make([]byte, 1))
		require.ErrorIs(t, err, practice.ErrSizeMismatch, "as often as it is asked")
	})
	t.Run("up to the end, at an offset", func(t *testing.T) {
		t.Parallel()
		_, err := open(t).ReadAt(make([]byte, 7), int64(len(content)-7))
		require.ErrorIs(t, err, practice.ErrSizeMismatch)
	})
	t.Run("not up to the end", func(t *testing.T) {
		t.Parallel()
		part := make([]byte, 3)
		_, err := open(t).ReadAt(part, 0)
		require.NoError(t, err)
		assert.Equal(t, "con", string(part))
	})
}

func TestTheDirectoryOfALargeArchiveTakesFewRequests(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	for i := range 3000 {
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
		assert.Len(t, files.File, 3000)
		assert.LessOrEqual(t, len(w.server.Requests()), 5, "%q", w.ranges())
		require.NoError(t, r.Close())
	})
}

// TestARangeThatIsServedMovesLittle checks how few bytes are fetched when
// http.FileServerFS reads the first bytes to detect the type and then seeks
// back.
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
