package acceptance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestADownloadThatFails(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		fault  practicetest.Fault
		status int
		code   string
		cause  error
		some   bool // a part of the content was written
	}{
		{"500", practicetest.Fault{Status: 500}, 500, "InternalError", nil, false},
		{"403", practicetest.Fault{Status: 403, Body: "<Error><Code>AccessDenied</Code></Error>", ContentType: "application/xml"}, 403, "AccessDenied", nil, false},
		{"an address that has expired", practicetest.Fault{Kind: practicetest.FaultLatency, Delay: 16 * time.Minute}, 403, "AccessDenied", nil, false},
		{"a reset before the answer", practicetest.Fault{Kind: practicetest.FaultResetBefore}, 0, "", syscall.ECONNRESET, false},
		{"a reset in the middle", practicetest.Fault{Kind: practicetest.FaultResetAfter, After: 5}, 0, "", syscall.ECONNRESET, true},
		{"cut short", practicetest.Fault{Kind: practicetest.FaultTruncated, After: 5}, 0, "", io.ErrUnexpectedEOF, true},
		{"another size than announced", practicetest.Fault{Status: 200, Body: "short"}, 0, "", practice.ErrSizeMismatch, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
				f := server.Firm()
				want, _ := server.FileContent(f.FileID)
				test.fault.Operation, test.fault.Times = "storage.get", -1
				server.Inject(test.fault)
				var got bytes.Buffer
				n, err := oneAttempt(client).Documents.Download(t.Context(), f.MatterID, f.FileID, &got, practice.DownloadOptions{})
				failed := testkit.FailedTransfer(t, err, "Documents.Download")
				assert.Equal(t, f.FileID, failed.FileID)
				assert.Equal(t, test.status, failed.StatusCode)
				assert.Equal(t, test.code, failed.Code)
				if test.cause != nil {
					require.ErrorIs(t, err, test.cause)
				}
				assert.EqualValues(t, got.Len(), n, "it tells how much was written")
				assert.Equal(t, test.some, n > 0)
				assert.True(t, bytes.HasPrefix(want, got.Bytes()))

				got.Reset()
				server.ClearFaults()
				n, err = client.Documents.Download(t.Context(), f.MatterID, f.FileID, &got, practice.DownloadOptions{})
				require.NoError(t, err)
				assert.EqualValues(t, len(want), n)
				assert.Equal(t, want, got.Bytes())
			})
		})
	}
}

func TestADownloadChecksTheSizeThatWasAnnounced(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, answer string
		length       int64 // Content-Length of the storage; -1: none
		refused      bool
	}{
		{"right", testkit.DownloadFrom(testkit.SignedAddress, 7), 7, false},
		{"without a length", testkit.DownloadFrom(testkit.SignedAddress, 7), -1, false},
		{"too long", testkit.DownloadFrom(testkit.SignedAddress, 6), 7, true},
		{"too long, without a length", testkit.DownloadFrom(testkit.SignedAddress, 6), -1, true},
		{"too short, without a length", testkit.DownloadFrom(testkit.SignedAddress, 8), -1, true},
		{"zero is a size", testkit.DownloadFrom(testkit.SignedAddress, 0), 7, true},
		{"nothing announced", `{"downloadUrl":"` + testkit.SignedAddress + `"}`, 7, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			client := testkit.WithStorage(t, test.answer, func(*http.Request) (*http.Response, error) {
				answer := testkit.AnswerOf(200, "content")
				answer.ContentLength = test.length
				return answer, nil
			}, practice.WithRetries(0))
			var got bytes.Buffer
			n, err := client.Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
			assert.EqualValues(t, got.Len(), n)
			if test.refused {
				require.ErrorIs(t, err, practice.ErrSizeMismatch)
				if strings.Contains(test.answer, `"sizeBytes":6`) {
					assert.LessOrEqual(t, got.Len(), 6, "never more than was announced")
				}
				testkit.FailedTransfer(t, err, "Documents.Download")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, "content", got.String())
		})
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestADownloadIntoAWriterThatFails(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		full := errors.New("disk full")
		n, err := client.Documents.Download(t.Context(), server.Firm().MatterID, server.Firm().FileID, failingWriter{full}, practice.DownloadOptions{})
		require.ErrorIs(t, err, full)
		testkit.FailedTransfer(t, err, "Documents.Download")
		assert.Zero(t, n)
	})
}

// TestAStorageThatHangsUpDoesNotEndAContent checks that a connection closed
// without a response, for which net/http returns io.EOF, does not pass as the
// end of the content.
func TestAStorageThatHangsUpDoesNotEndAContent(t *testing.T) {
	t.Parallel()
	content := contentOf(t, 100_000)
	for _, whole := range []int{0, 20_000} { // bytes that arrive before the end of the connection
		handler := func() http.HandlerFunc {
			var requests atomic.Int32
			return func(w http.ResponseWriter, r *http.Request) {
				if requests.Add(1) > 1 || whole == 0 {
					panic(http.ErrAbortHandler)
				}
				w.Header().Set("ETag", `"v1"`)
				http.ServeContent(&breaking{ResponseWriter: w, left: whole}, r, "", testkit.SomeTime, bytes.NewReader(content))
			}
		}
		t.Run(fmt.Sprint("after ", whole), func(t *testing.T) {
			t.Parallel()
			var got bytes.Buffer
			n, err := served(t, content, handler()).Documents.Download(t.Context(), "m1", "f1", &got, practice.DownloadOptions{})
			failed := testkit.FailedTransfer(t, err, "Documents.Download")
			require.ErrorIs(t, failed, io.ErrUnexpectedEOF)
			require.NotErrorIs(t, failed, io.EOF)
			assert.EqualValues(t, whole, n)

			dir := t.TempDir()
			_, err = served(t, content, handler()).Documents.DownloadFile(t.Context(), "m1", "f1", filepath.Join(dir, "a.bin"), practice.DownloadOptions{})
			testkit.FailedTransfer(t, err, "Documents.DownloadFile")
			assert.NoFileExists(t, filepath.Join(dir, "a.bin"))

			reader, err := served(t, content, handler()).Documents.Open(t.Context(), "m1", "f1", practice.OpenOptions{})
			require.NoError(t, err)
			read, err := io.ReadAll(reader)
			require.NotErrorIs(t, err, io.EOF)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			assert.Len(t, read, whole)
			require.NoError(t, reader.Close())
		})
	}
}

func (w *transferWorld) downloadFile(path string, options practice.DownloadOptions, opts ...practice.CallOption) (*practice.DownloadedFile, error) {
	return w.client.Documents.DownloadFile(w.t.Context(), w.matter, w.fileID, path, options, opts...)
}

func (w *transferWorld) onDisk(path string) []byte {
	content, err := os.ReadFile(path)
	require.NoError(w.t, err)
	return content
}

var inFour = practice.DownloadOptions{Ranges: 4, RangeSize: 1 << 10}

// breakOff makes a download to path fail after a part of the content.
func (w *transferWorld) breakOff(path string, fault practicetest.Fault) {
	w.t.Helper()
	fault.Operation, fault.Times = "storage.get", -1
	w.server.Inject(fault)
	_, err := w.client.With(practice.WithRetries(0)).Documents.DownloadFile(w.t.Context(), w.matter, w.fileID, path, inFour)
	testkit.FailedTransfer(w.t, err, "Documents.DownloadFile")
	require.Len(w.t, w.left(), 1)
	require.Equal(w.t, 1, unfinished(w.left()))
	w.reset()
}

func TestAnUnfinishedFileIsContinuedByTheNextCall(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 400_000, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "a.bin")
		w.breakOff(path, practicetest.Fault{Kind: practicetest.FaultResetAfter, After: 60_000})
		assert.NoFileExists(t, path)
		w.client = w.server.Client(t) // the client of another process
		options := inFour
		options.Progress = w.told.report
		file, err := w.downloadFile(path, options)
		require.NoError(t, err)
		assert.Equal(t, path, file.Path)
		assert.EqualValues(t, 400_000, file.Size)
		assert.GreaterOrEqual(t, file.Resumed, int64(60_000))
		assert.True(t, bytes.Equal(w.content, w.onDisk(path)))
		assert.Equal(t, []string{"a.bin"}, w.left())
		for _, r := range testkit.RequestsTo(w.server, practicetest.PartStorage) {
			assert.NotEmpty(t, r.Header.Get("If-Match"), "the version is that of the earlier call")
			assert.NotEmpty(t, r.Header.Get("Range"))
		}
		assert.EqualValues(t, 400_000, w.told.last)
		assert.False(t, w.told.wrong)
	})
}

func TestAnUnfinishedFileOfAnotherVersionIsNotContinued(t *testing.T) {
	t.Parallel()
	for _, size := range []int{400_000, 399_000} {
		inTransferWorld(t, 400_000, func(t *testing.T, w *transferWorld) {
			path := filepath.Join(w.dir, "a.bin")
			w.breakOff(path, practicetest.Fault{Kind: practicetest.FaultResetAfter, After: 60_000})
			w.replace(w.fresh[:size])
			file, err := w.downloadFile(path, inFour, practice.WithRetries(0))
			require.NoError(t, err)
			assert.Zero(t, file.Resumed)
			assert.True(t, bytes.Equal(w.fresh[:size], w.onDisk(path)))
			assert.Equal(t, []string{"a.bin"}, w.left())
		})
	}
}

// TestAnUnfinishedFileSurvivesTheEndOfItsProcess checks that a killed process
// loses at most the last ten seconds of a download.
func TestAnUnfinishedFileSurvivesTheEndOfItsProcess(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1<<20, func(t *testing.T, w *transferWorld) {
		path, killed := filepath.Join(w.dir, "a.bin"), t.TempDir()
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultLatency, Delay: 20 * time.Second, Skip: 1, Times: -1})
		options := practice.DownloadOptions{Ranges: 2, RangeSize: 300 << 10}
		var once sync.Once
		options.Progress = func(done, _ int64) {
			if done < 900<<10 {
				return
			}
			once.Do(func() { // the files that a process killed now would leave
				for _, name := range w.left() {
					require.NoError(t, os.WriteFile(filepath.Join(killed, name), w.onDisk(filepath.Join(w.dir, name)), 0o600))
				}
			})
		}
		_, err := w.downloadFile(path, options)
		require.NoError(t, err)
		w.server.ClearFaults()
		file, err := w.downloadFile(filepath.Join(killed, "a.bin"), inFour)
		require.NoError(t, err)
		assert.Greater(t, file.Resumed, int64(500<<10))
		assert.True(t, bytes.Equal(w.content, w.onDisk(file.Path)))
	})
}

func TestACanceledDownloadIsContinued(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 3<<20, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "a.bin")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := w.client.Documents.DownloadFile(ctx, w.matter, w.fileID, path, practice.DownloadOptions{Ranges: 1, Progress: func(done, _ int64) {
			if done > 1<<20 {
				cancel()
			}
		}})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 1, unfinished(w.left()))
		file, err := w.downloadFile(path, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.Greater(t, file.Resumed, int64(1<<20))
		assert.True(t, bytes.Equal(w.content, w.onDisk(path)))
	})
}

func TestNothingThatCannotBeContinuedIsKept(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]practicetest.Fault{
		"nothing has come": {Status: 404}, "no byte": {Kind: practicetest.FaultResetBefore},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 10_000, func(t *testing.T, w *transferWorld) {
				fault.Operation, fault.Times = "storage.get", -1
				w.server.Inject(fault)
				_, err := w.downloadFile(filepath.Join(w.dir, "a.bin"), practice.DownloadOptions{})
				testkit.FailedTransfer(t, err, "Documents.DownloadFile")
				assert.Empty(t, w.left())
			})
		})
	}
}

// TestAfterAPanicADownloadCanGoOn checks that a download can be resumed after a
// panic in a function of the caller.
func TestAfterAPanicADownloadCanGoOn(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 3<<20, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "a.bin")
		assert.PanicsWithValue(t, "the caller's", func() {
			_, _ = w.downloadFile(path, practice.DownloadOptions{Ranges: 1, Progress: func(done, _ int64) {
				if done > 1<<20 {
					panic("the caller's")
				}
			}})
		})
		assert.Equal(t, 1, unfinished(w.left()))
		file, err := w.downloadFile(path, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.Positive(t, file.Resumed)
		assert.Equal(t, []string{"a.bin"}, w.left())
		assert.True(t, bytes.Equal(w.content, w.onDisk(path)))
	})
}

func TestTheTargetIsReplacedAtTheEnd(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1_400_000, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "a.bin")
		require.NoError(t, os.WriteFile(path, []byte("before"), 0o600))
		seen := 0
		_, err := w.downloadFile(path, practice.DownloadOptions{Ranges: 1, Progress: func(int64, int64) {
			seen++
			assert.Equal(t, "before", string(w.onDisk(path)), "half a file never bears the name")
		}})
		require.NoError(t, err)
		assert.Greater(t, seen, 1)
		assert.True(t, bytes.Equal(w.content, w.onDisk(path)))
		assert.Equal(t, []string{"a.bin"}, w.left())
	})
}

func TestIntoAFolderAFileGetsItsOwnName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Agenda.docx":       "Agenda.docx",
		"../../etc/passwd":  ".._.._etc_passwd",
		`..\..\a.txt`:       ".._.._a.txt",
		"NUL.txt":           "_NUL.txt",
		"a/b.txt":           "a_b.txt",
		"C:a.txt":           "C_a.txt",
		"trailing.":         "trailing_",
		".practice-x.part":  "_.practice-x.part",
		"bell\a and \x00.t": "bell_ and _.t",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 10, func(t *testing.T, w *transferWorld) {
				made, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Name: name, Body: strings.NewReader("content")})
				require.NoError(t, err)
				inside := filepath.Join(w.dir, "inside")
				require.NoError(t, os.Mkdir(inside, 0o700))
				for _, folder := range []string{inside, inside + string(filepath.Separator)} {
					file, err := w.client.Documents.DownloadFile(t.Context(), w.matter, made.ID, folder, practice.DownloadOptions{})
					require.NoError(t, err)
					assert.Equal(t, filepath.Join(inside, want), file.Path)
					assert.Equal(t, "content", string(w.onDisk(file.Path)))
					require.NoError(t, os.Remove(filepath.Join(inside, want)))
				}
				assert.Equal(t, []string{"inside"}, w.left())
			})
		})
	}
}

func TestAChosenNameReplacesNothing(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 10_000, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "stored.bin")
		require.NoError(t, os.WriteFile(path, []byte("precious"), 0o600))
		_, err := w.downloadFile(w.dir, practice.DownloadOptions{})
		require.ErrorIs(t, err, fs.ErrExist)
		testkit.FailedTransfer(t, err, "Documents.DownloadFile")
		assert.Empty(t, w.ranges(), "nothing is fetched for nothing")

		require.NoError(t, os.Remove(path)) // a file that is created during the download
		_, err = w.downloadFile(w.dir, practice.DownloadOptions{Progress: func(int64, int64) {
			require.NoError(t, os.WriteFile(path, []byte("precious"), 0o600))
		}})
		require.ErrorIs(t, err, fs.ErrExist)
		assert.Equal(t, "precious", string(w.onDisk(path)))
		assert.Equal(t, []string{"stored.bin"}, w.left())
	})
}

func TestAPathThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 10, func(t *testing.T, w *transferWorld) {
		_, err := w.downloadFile("", practice.DownloadOptions{})
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		for _, path := range []string{filepath.Join(w.dir, "missing", "a.bin"), filepath.Join(w.dir, "missing") + string(filepath.Separator)} {
			_, err := w.downloadFile(path, practice.DownloadOptions{})
			require.ErrorIs(t, err, fs.ErrNotExist)
			testkit.FailedTransfer(t, err, "Documents.DownloadFile")
		}
		assert.Empty(t, w.server.Requests())
	})
}

func TestTwoDownloadsToOneFileAtOnce(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 300_000, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(w.dir, "a.bin")
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultLatency, Delay: time.Second, Times: -1})
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				_, err := w.downloadFile(path, inFour)
				assert.NoError(t, err)
			})
		}
		both.Wait()
		assert.True(t, bytes.Equal(w.content, w.onDisk(path)))
		assert.Equal(t, []string{"a.bin"}, w.left())
	})
}
