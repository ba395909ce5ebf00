package acceptance_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// TestAFileThatIsSentByTheSystem uploads over TCP, where the operating system
// may send the file itself. The same rules apply as for a body that is read.
func TestAFileThatIsSentByTheSystem(t *testing.T) {
	t.Parallel()
	const size = 12 << 20
	for _, test := range []struct {
		name   string
		change func(t *testing.T, file *os.File) // called as soon as a part was sent
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
				require.ErrorIs(t, err, practice.ErrBodyChanged)
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

// TestAStreamOfKnownLengthIsRelayed checks a program that relays an upload and
// knows its length from a header.
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

// TestTheIDOfANewFileIsToldBeforeItsBytesAreSent checks that a program that is
// killed while it sends has learned the id of the file.
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

// TestAnUploadWithoutAnIDSaysSo checks the error for a record that was accepted
// without an id, so that its content cannot be sent.
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

// TestTransfersKeepToTheBandwidthOfTheirClient checks that all transfers of a
// client share its limit of bandwidth.
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

// brokenSeeker is a body whose n-th Seek fails.
type brokenSeeker struct {
	io.ReadSeeker
	good int
}

func (b *brokenSeeker) Seek(offset int64, whence int) (int64, error) {
	if b.good--; b.good < 0 {
		return 0, errors.New("cannot go there")
	}
	return b.ReadSeeker.Seek(offset, whence)
}

func TestBodiesThatCannotBeMeasuredAreRefused(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]io.Reader{
		"none":                  nil,
		"lost on the way back":  &brokenSeeker{strings.NewReader("content"), 2},
		"a file that is closed": closedFile(t),
	} {
		t.Run(name, func(t *testing.T) {
			server := practicetest.New(t)
			client := server.Client(t)
			_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "Body", refused.Argument)
			assert.Equal(t, "Documents.Upload", refused.Operation)
			if broken, ok := body.(*brokenSeeker); ok {
				broken.good = 2 // it fails at the same place again
			}
			_, err = client.Documents.UploadVersion(t.Context(), server.Firm().MatterID, server.Firm().FileID, practice.Upload{Body: body})
			refused, ok = errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "Documents.UploadVersion", refused.Operation)
			assert.Empty(t, server.Requests(), "no file is made for what cannot be sent")
		})
	}
}

// TestBodiesOfUnknownLengthAreSent checks that a body that cannot seek is read
// to its end before the file is created.
func TestBodiesOfUnknownLengthAreSent(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 7, 1 << 20, 1<<20 + 1, 3 << 20} {
		data := contentOf(t, int64(size))
		for name, body := range map[string]func(t *testing.T) io.Reader{
			"a stream":                            func(*testing.T) io.Reader { return io.LimitReader(bytes.NewReader(data), int64(size)) },
			"a buffer":                            func(*testing.T) io.Reader { return bytes.NewBuffer(bytes.Clone(data)) },
			"what cannot seek, though it says so": func(*testing.T) io.Reader { return &brokenSeeker{bytes.NewReader(data), 0} },
			"a pipe": func(t *testing.T) io.Reader {
				reader, writer, err := os.Pipe()
				require.NoError(t, err)
				written := make(chan error, 1)
				go func() {
					_, err := writer.Write(data)
					written <- errors.Join(err, writer.Close())
				}()
				t.Cleanup(func() { assert.NoError(t, errors.Join(<-written, reader.Close())) })
				return reader
			},
		} {
			t.Run(fmt.Sprintf("%s of %d bytes", name, size), func(t *testing.T) {
				t.Parallel()
				server, dir := practicetest.New(t), t.TempDir()
				file, err := server.Client(t).Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{
					Name: "a.txt", Body: body(t), TempDir: dir,
				})
				require.NoError(t, err)
				stored, _ := server.FileContent(file.ID)
				assert.True(t, bytes.Equal(data, stored))
				left, err := os.ReadDir(dir)
				require.NoError(t, err)
				assert.Empty(t, left)
				sent := testkit.RequestsTo(server, practicetest.PartStorage)
				require.Len(t, sent, 1)
				assert.Equal(t, http.Header{"Content-Length": {strconv.Itoa(size)}}, sent[0].Header)
			})
		}
	}
}

func closedFile(t *testing.T) *os.File {
	t.Helper()
	file, err := os.Open(os.DevNull)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return file
}

// TestTheBodyIsTheCallersAgainWhenTheCallHasEnded checks that no Read happens
// after the call. The storage may respond before it has read everything; a
// transport of net/http then reads the body a while longer.
func TestTheBodyIsTheCallersAgainWhenTheCallHasEnded(t *testing.T) {
	t.Parallel()
	proceed, ended := make(chan struct{}), make(chan error, 1)
	client := testkit.WithStorage(t, testkit.UploadTo(testkit.SignedAddress), func(req *http.Request) (*http.Response, error) {
		_, _ = io.CopyN(io.Discard, req.Body, 3)
		go func() {
			<-proceed
			_, err := io.Copy(io.Discard, req.Body)
			ended <- err
		}()
		return testkit.AnswerOf(400, ""), nil
	})
	body := strings.NewReader("content")
	var reported int64
	_, err := client.Documents.Upload(t.Context(), "m1", practice.Upload{
		Name: "a.txt", Body: body, Progress: func(done, _ int64) { reported = done },
	})
	assert.Equal(t, 400, testkit.FailedTransfer(t, err, "Documents.Upload").StatusCode)
	at(t, body, 0)
	close(proceed)
	require.Error(t, <-ended, "a transport that still reads gets no more")
	assert.Equal(t, 7, body.Len(), "nobody has read the body meanwhile")
	assert.EqualValues(t, 3, reported)
}

func TestABodyThatChangesItsSizeOnTheWay(t *testing.T) {
	t.Parallel()
	t.Run("shorter", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			body := &resized{ReadSeeker: strings.NewReader("content"), announced: 70_000}
			_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
			require.ErrorIs(t, err, practice.ErrSizeMismatch)
			failed := testkit.FailedTransfer(t, err, "Documents.Upload")
			_, stored := server.FileContent(failed.FileID)
			assert.False(t, stored, "half a file is not stored")
		}, practicetest.WithStrict(false))
	})
	t.Run("longer", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			body := &resized{ReadSeeker: strings.NewReader("content and more"), announced: 7}
			_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
			require.ErrorIs(t, err, practice.ErrSizeMismatch)
			failed := testkit.FailedTransfer(t, err, "Documents.Upload")
			_, stored := server.FileContent(failed.FileID)
			assert.False(t, stored, "a file that is cut off is not stored")
		}, practicetest.WithStrict(false))
	})
}

// resized is a body whose size when read differs from its size when measured.
type resized struct {
	io.ReadSeeker
	announced int64
}

func (r *resized) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		return r.announced, nil
	}
	return r.ReadSeeker.Seek(offset, whence)
}

func TestABodyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		lost := errors.New("the disk is gone")
		body := &unreadable{strings.NewReader("content"), lost}
		_, err := client.Documents.Upload(t.Context(), server.Firm().MatterID, practice.Upload{Name: "a.txt", Body: body})
		require.ErrorIs(t, err, lost)
		assert.NotEmpty(t, testkit.FailedTransfer(t, err, "Documents.Upload").FileID)
	}, practicetest.WithStrict(false))
}

type unreadable struct {
	io.Seeker
	err error
}

func (u *unreadable) Read([]byte) (int, error) { return 0, u.err }

// TestADeviceIsNotUploaded checks that a pipe is refused: opening it would wait
// for a writer, perhaps for ever.
func TestADeviceIsNotUploaded(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		server.ResetRequests()
		for _, path := range []string{os.DevNull, t.TempDir()} {
			_, err := client.Documents.UploadFile(t.Context(), server.Firm().MatterID, path, practice.Upload{Name: "a"})
			require.ErrorContains(t, err, "not a regular file")
			testkit.FailedTransfer(t, err, "Documents.UploadFile")
		}
		assert.Empty(t, server.Requests())
	})
}

func TestAnUploadWithATimeThatHasNoFormIsRefused(t *testing.T) {
	t.Parallel()
	answer := `{"fileId":"f1"}`
	client, writes := answering(t, &answer)
	for _, at := range []time.Time{time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)} {
		_, err := client.Documents.Upload(t.Context(), askedID, practice.Upload{Name: "a.txt", Body: strings.NewReader("a"), DateCreated: at})
		refused, ok := errors.AsType[*practice.ArgumentError](err)
		require.True(t, ok, "%v", err)
		assert.Equal(t, "DateCreated", refused.Argument)
	}
	assert.Zero(t, *writes)
}

func TestTheAddressOfAnotherFileIsRefused(t *testing.T) {
	t.Parallel()
	sent := 0
	client := testkit.WithStorage(t, "", func(req *http.Request) (*http.Response, error) {
		sent++
		_, err := io.Copy(io.Discard, req.Body)
		return testkit.AnswerOf(200, ""), err
	})
	for fileID, puts := range map[string]int{"f2": 0, "F1": 1, "": 1} {
		sent = 0
		address := &models.UploadInfo{FileID: fileID, UploadURL: models.NewSecret(testkit.SignedAddress)}
		_, err := client.Documents.ResumeUpload(t.Context(), "m1", "f1", practice.Upload{Body: strings.NewReader("x"), Address: address})
		_, refused := errors.AsType[*practice.ArgumentError](err)
		assert.Equal(t, puts == 0, refused, "%q: %v", fileID, err)
		assert.Equal(t, puts, sent, fileID)
	}
}
