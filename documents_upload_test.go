package practice_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// Over TCP the system may send a file by itself. The rules for a body that is read
// hold for it as well.
func TestAFileThatIsSentByTheSystem(t *testing.T) {
	t.Parallel()
	const size = 12 << 20
	for _, test := range []struct {
		name   string
		change func(t *testing.T, file *os.File) // as soon as some of it was sent
		wrong  error
	}{
		{"stays as it is", func(*testing.T, *os.File) {}, nil},
		{"shrinks", func(t *testing.T, file *os.File) { assert.NoError(t, file.Truncate(size-1)) }, practice.ErrSizeMismatch},
		{"shrinks to nothing", func(t *testing.T, file *os.File) { assert.NoError(t, file.Truncate(0)) }, practice.ErrSizeMismatch},
		{"grows", func(t *testing.T, file *os.File) {
			_, err := file.WriteAt([]byte("x"), size)
			assert.NoError(t, err)
		}, practice.ErrSizeMismatch},
		{"is written to in place", func(t *testing.T, file *os.File) {
			_, err := file.WriteAt([]byte("another text"), 100)
			assert.NoError(t, err)
		}, practice.ErrBodyChanged},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server, err := practicetest.Start(practicetest.WithEvents(0), practicetest.WithMatters(1), practicetest.WithWriteDelay(0), practicetest.WithStrict(true))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, server.Close()) })
			content := contentOf(t, size)
			file, err := os.Create(filepath.Join(t.TempDir(), "a.bin"))
			require.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, file.Close()) })
			_, err = file.Write(content)
			require.NoError(t, err)
			_, err = file.Seek(7, io.SeekStart)
			require.NoError(t, err)
			var change sync.Once
			last := int64(-1)
			stored, err := server.Client(t).Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{
				Name: "a.bin", Body: file, Progress: func(done, total int64) {
					change.Do(func() { test.change(t, file) })
					assert.Greater(t, done, last)
					assert.EqualValues(t, size-7, total)
					last = done
				},
			})
			at, seekErr := file.Seek(0, io.SeekCurrent)
			require.NoError(t, seekErr)
			assert.EqualValues(t, 7, at, "the file stands where it stood")
			if test.wrong != nil {
				require.ErrorIs(t, err, test.wrong)
				_, ok := server.FileContent(testkit.FailedTransfer(t, err, "Documents.Upload").FileID)
				assert.False(t, ok, "half a file is not stored")
				return
			}
			require.NoError(t, err)
			got, _ := server.FileContent(stored.ID)
			assert.True(t, bytes.Equal(content[7:], got))
			assert.EqualValues(t, size-7, last)
		})
	}
}

// A program that relays an upload knows its length from a header, and the storage asks for it.
func TestAStreamOfKnownLengthIsRelayed(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 300_000, func(t *testing.T, w *transferWorld) {
		file, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{
			Name: "a.bin", Body: plainReader{bytes.NewReader(w.fresh)}, Size: int64(len(w.fresh)), TempDir: filepath.Join(w.dir, "none"),
		})
		require.NoError(t, err, "no temporary file is needed")
		assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))
		for _, size := range []int64{-1, 5} {
			_, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Name: "a.bin", Body: bytes.NewReader(w.fresh), Size: size})
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "Size", refused.Argument)
		}
		_, err = w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Name: "a.bin", Body: plainReader{bytes.NewReader(w.fresh)}, Size: 5})
		require.ErrorIs(t, err, practice.ErrSizeMismatch)
		assert.Equal(t, w.files+1, w.countFiles(), "nothing is made for a body of the wrong length")
	})
}

// A program that is killed while it sends knows which record it has begun.
func TestTheIDOfANewFileIsToldBeforeItsBytesAreSent(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
		var told []string
		upload := practice.Upload{Name: "a.bin", Body: bytes.NewReader(w.fresh), Created: func(id string) error {
			told = append(told, id)
			assert.Empty(t, w.statuses("storage.put"), "nothing is sent yet")
			return nil
		}}
		file, err := w.client.Documents.Upload(t.Context(), w.matter, upload)
		require.NoError(t, err)
		_, err = w.client.Documents.ResumeUpload(t.Context(), w.matter, file.ID, upload)
		require.NoError(t, err)
		assert.Equal(t, []string{file.ID}, told, "once, by the method that creates the file")

		sent := len(w.statuses("storage.put"))
		stop := errors.New("the journal is full")
		upload.Created = func(string) error { return stop }
		_, err = w.client.Documents.Upload(t.Context(), w.matter, upload)
		require.ErrorIs(t, err, stop)
		assert.NotEmpty(t, testkit.FailedTransfer(t, err, "Documents.Upload").FileID)
		assert.Len(t, w.statuses("storage.put"), sent)
	})
}

// A record that was accepted without its id cannot get its content.
func TestAnUploadWithoutAnIDSaysSo(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{``, `null`, `{}`, `{"fileId":""}`, `{"uploadUrl":"https://storage.example.test/a"}`} {
		client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
			Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) { return testkit.AnswerOf(202, answer), nil }),
		}))
		require.NoError(t, err)
		_, err = client.Documents.Upload(t.Context(), testkit.SomeID, practice.Upload{Name: "a.txt", Body: strings.NewReader("a")})
		require.ErrorIs(t, err, practice.ErrNoID, answer)
	}
}

func TestATransferTellsWhichVersionTheStorageHas(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
		sent, err := w.client.Documents.UploadVersion(t.Context(), w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(w.fresh)})
		require.NoError(t, err)
		w.server.Settle()
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Status: 503})
		got, err := w.downloadFile(filepath.Join(w.dir, "a.bin"), practice.DownloadOptions{})
		require.NoError(t, err)
		assert.Regexp(t, `^".+"$`, sent.ETag)
		assert.Equal(t, sent.ETag, got.ETag, "what was sent is what came")
		assert.Equal(t, 1, sent.Requests)
		assert.Equal(t, 2, got.Requests)
		_, err = w.client.Documents.UploadVersion(t.Context(), w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(w.fresh), CheckMD5: true})
		require.ErrorIs(t, err, practice.ErrNotConfirmed, "the tags of this storage are no MD5")
	})
}

// An office line is not for one program alone.
func TestTransfersKeepToTheBandwidthOfTheirClient(t *testing.T) {
	t.Parallel()
	const size, perSecond = 1_000_000, 100_000
	path := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(path, contentOf(t, size), 0o600))
	synctest.Test(t, func(t *testing.T) {
		w := newTransferWorld(t, 7, size, practice.WithBandwidth(perSecond))
		began := time.Now()
		file, err := w.client.Documents.UploadFile(t.Context(), w.matter, path, practice.Upload{})
		require.NoError(t, err)
		assert.InDelta(t, 10, time.Since(began).Seconds(), 1)
		began = time.Now()
		n, err := w.client.With(practice.WithRetries(0)).Documents.Download(t.Context(), w.matter, file.ID, io.Discard, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.EqualValues(t, size, n)
		assert.InDelta(t, 10, time.Since(began).Seconds(), 1, "also those of a derived client")
	})
}
