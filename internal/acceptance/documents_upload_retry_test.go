package acceptance_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// inTransferWorld runs a test in a bubble with a stored file of size bytes.
func inTransferWorld(t *testing.T, size int, test func(t *testing.T, w *transferWorld), opts ...practice.ClientOption) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newTransferWorld(t, 7, size, opts...)) })
}

func (w *transferWorld) upload(ctx context.Context, body io.Reader, opts ...practice.CallOption) (*practice.UploadedFile, error) {
	return w.client.Documents.Upload(ctx, w.matter, practice.Upload{Name: "new.bin", Body: body, TempDir: w.temp, Progress: w.told.report}, opts...)
}

// statuses returns the statuses of the responses to an operation.
func (w *transferWorld) statuses(operation string) (all []int) {
	for _, r := range w.server.Requests() {
		if r.Operation == operation {
			all = append(all, r.Status)
		}
	}
	return all
}

func TestAnAddressThatExpiresIsRenewedForTheSameFile(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		disturb func(w *transferWorld)
		puts    []int
	}{
		{"on the way", func(w *transferWorld) {
			w.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultLatency, Delay: 16 * time.Minute})
		}, []int{403, 200}},
		{"before it was sent, as the clock of the service says", func(w *transferWorld) {
			w.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultRateLimit, RetryAfter: "1200"})
		}, []int{429, 200}},
		{"while the connection breaks again and again", func(w *transferWorld) {
			w.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore, Times: 2, Delay: 8 * time.Minute})
		}, []int{0, 0, 200}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 50_000, func(t *testing.T, w *transferWorld) {
				test.disturb(w)
				file, err := w.upload(t.Context(), bytes.NewReader(w.fresh))
				require.NoError(t, err)
				assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))
				assert.Equal(t, test.puts, w.statuses("storage.put"), "a body is not sent to an address that has expired")
				assert.Len(t, w.statuses("createFile"), 1)
				assert.Len(t, w.statuses("getFileUpload"), 1)
				assert.Equal(t, w.files+1, w.countFiles())
			}, practice.WithMaxRetryWait(time.Hour), practice.WithIdleTimeout(0))
		})
	}
}

// TestALocalClockThatGoesWrong checks that expiry is computed by the clock of
// the service. With a wrong local clock, the client neither renews valid
// addresses nor uses expired ones.
func TestALocalClockThatGoesWrong(t *testing.T) {
	t.Parallel()
	for name, ahead := range map[string]time.Duration{"the service is ahead": 72 * time.Hour, "the service is behind": -72 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
				w.server.Clock().Advance(ahead)
				w.client = w.server.Client(t, testkit.ClientCredentials(w.server), practice.WithMaxRetryWait(time.Hour))
				_, err := w.upload(t.Context(), bytes.NewReader(w.fresh))
				require.NoError(t, err)
				assert.Empty(t, w.statuses("getFileUpload"))
				w.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultRateLimit, RetryAfter: "1200"})
				_, err = w.upload(t.Context(), bytes.NewReader(w.fresh))
				require.NoError(t, err)
				assert.Len(t, w.statuses("getFileUpload"), 1)
				assert.Equal(t, []int{200, 429, 200}, w.statuses("storage.put"))
			})
		})
	}
}

func TestARenewalThatFailsEndsTheUpload(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 403}, practicetest.Fault{Operation: "getFileUpload", Status: 400})
		_, err := w.upload(t.Context(), bytes.NewReader(w.fresh))
		failed := testkit.FailedTransfer(t, err, "Documents.Upload")
		require.ErrorIs(t, err, practice.ErrBadRequest)
		assert.NotEmpty(t, failed.FileID)
		assert.Zero(t, failed.StatusCode, "it is not the storage that says so")
	})
}

// TestANewFileMayNotBeThereYetWhenItsAddressIsRenewed checks a record that
// becomes visible a moment after the response with its id.
func TestANewFileMayNotBeThereYetWhenItsAddressIsRenewed(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 403}, practicetest.Fault{Operation: "getFileUpload", Status: 404, Times: 2})
		file, err := w.upload(t.Context(), bytes.NewReader(w.fresh))
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))

		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 403}, practicetest.Fault{Operation: "getFileUpload", Status: 404, Skip: 1})
		_, err = w.client.Documents.UploadVersion(t.Context(), w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(w.fresh)})
		require.ErrorIs(t, err, practice.ErrNotFound, "a file that was there is gone")
	})
}

func TestTheCallersRequestIDIsThatOfTheFirstCall(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 403})
		var response practice.Response
		_, err := w.upload(t.Context(), bytes.NewReader(w.fresh), practice.WithRequestID("mine"), practice.WithResponse(&response))
		require.NoError(t, err)
		assert.Equal(t, http.StatusAccepted, response.StatusCode)
		assert.Equal(t, "mine", response.RequestID)
		var ids []string
		for _, r := range testkit.RequestsTo(w.server, practicetest.PartAPI) {
			ids = append(ids, r.RequestID)
		}
		require.Len(t, ids, 2)
		assert.Equal(t, "mine", ids[0])
		assert.NotEqual(t, "mine", ids[1])
	})
}

// unseekable is an fs.File without Seek, like those of an archive.
type unseekable struct{ fs.File }

func openUnseekable(t *testing.T, content []byte) unseekable {
	t.Helper()
	return unseekable{fileOn(t, content)}
}

func TestAFileThatCannotSeekIsSentOnce(t *testing.T) {
	t.Parallel()
	t.Run("and that is enough", func(t *testing.T) {
		t.Parallel()
		inTransferWorld(t, 3<<20, func(t *testing.T, w *transferWorld) {
			file, err := w.upload(t.Context(), openUnseekable(t, w.fresh))
			require.NoError(t, err)
			assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))
		})
	})
	t.Run("and not again", func(t *testing.T) {
		t.Parallel()
		inTransferWorld(t, 400_000, func(t *testing.T, w *transferWorld) {
			w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 503})
			_, err := w.upload(t.Context(), openUnseekable(t, w.fresh))
			require.ErrorIs(t, err, practice.ErrNotRewindable)
			failed := testkit.FailedTransfer(t, err, "Documents.Upload")
			assert.Equal(t, 503, failed.StatusCode, "and the failure behind it")
			assert.Equal(t, []int{503}, w.statuses("storage.put"))
			_, err = w.client.Documents.ResumeUpload(t.Context(), w.matter, failed.FileID, practice.Upload{Body: openUnseekable(t, w.fresh)})
			require.NoError(t, err)
			assert.True(t, bytes.Equal(w.fresh, w.stored(failed.FileID)))
			assert.Equal(t, w.files+1, w.countFiles())
		})
	})
	t.Run("but retried while nothing of it was read", func(t *testing.T) {
		t.Parallel()
		attempts := 0
		client := testkit.WithStorage(t, testkit.UploadTo(testkit.SignedAddress), func(req *http.Request) (*http.Response, error) {
			if attempts++; attempts == 1 {
				return nil, errors.New("no connection")
			}
			body, err := io.ReadAll(req.Body)
			assert.Equal(t, "content", string(body))
			return testkit.AnswerOf(200, ""), err
		}, practice.WithMaxRetryWait(time.Millisecond))
		_, err := client.Documents.Upload(t.Context(), "m1", practice.Upload{Name: "a.txt", Body: openUnseekable(t, []byte("content"))})
		require.NoError(t, err)
		assert.Equal(t, 2, attempts)
	})
}

// readerAt is an io.ReaderAt without a position.
type readerAt struct {
	io.Reader
	io.ReaderAt
	size int64
}

func (r readerAt) Size() int64 { return r.size }

func TestAReaderAtWithASizeIsSentFromItsBeginning(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 2<<20, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 503})
		file, err := w.upload(t.Context(), readerAt{iotestNothing{}, bytes.NewReader(w.fresh), int64(len(w.fresh))})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))
	})
}

// TestABodyThatDoesNotKnowItsSizeIsReadFirst checks that a body of unknown size
// is not uploaded as an empty file.
func TestABodyThatDoesNotKnowItsSizeIsReadFirst(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]func(*transferWorld) io.Reader{
		"a reader at places": func(w *transferWorld) io.Reader {
			return readerAt{plainReader{bytes.NewReader(w.fresh)}, bytes.NewReader(nil), -1}
		},
		"a file": func(w *transferWorld) io.Reader { return unmeasured{plainReader{bytes.NewReader(w.fresh)}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 5000, func(t *testing.T, w *transferWorld) {
				file, err := w.upload(t.Context(), body(w))
				require.NoError(t, err)
				assert.EqualValues(t, 5000, file.Size)
				assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))
			})
		})
	}
}

// unmeasured is a regular file whose file system does not report its size.
type unmeasured struct{ io.Reader }

func (f unmeasured) Close() error               { return nil }
func (f unmeasured) Stat() (fs.FileInfo, error) { return f, nil }
func (f unmeasured) Name() string               { return "unmeasured" }
func (f unmeasured) Size() int64                { return -1 }
func (f unmeasured) Mode() fs.FileMode          { return 0o400 }
func (f unmeasured) ModTime() time.Time         { return testkit.SomeTime }
func (f unmeasured) IsDir() bool                { return false }
func (f unmeasured) Sys() any                   { return nil }

// TestAnAnswerWithoutAnIDLosesNoFile checks that the id chosen by the caller
// finds the file.
func TestAnAnswerWithoutAnIDLosesNoFile(t *testing.T) {
	t.Parallel()
	client := testkit.WithStorage(t, `{"uploadUrl":"`+testkit.SignedAddress+`"}`, func(*http.Request) (*http.Response, error) {
		return testkit.AnswerOf(404, ""), nil
	})
	_, err := client.Documents.UploadVersion(t.Context(), "m1", "f1", practice.Upload{Body: strings.NewReader("x")})
	assert.Equal(t, "f1", testkit.FailedTransfer(t, err, "Documents.UploadVersion").FileID)
	_, err = client.Documents.ResumeUpload(t.Context(), "m1", "f1", practice.Upload{Body: strings.NewReader("x")})
	assert.Equal(t, "f1", testkit.FailedTransfer(t, err, "Documents.ResumeUpload").FileID)
}

func TestAResponseThatCannotBeReadLosesNoFile(t *testing.T) {
	t.Parallel()
	for _, odd := range []string{`"expiry":""`, `"expiry":638000000000000000`, `"uploadUrl":{"href":"x"}`, `"href":[]`} {
		client := testkit.WithStorage(t, `{"fileId":"f1",`+odd+`}`, func(*http.Request) (*http.Response, error) {
			return testkit.AnswerOf(200, ""), nil
		})
		var created string
		_, err := client.Documents.Upload(t.Context(), "m1", practice.Upload{
			Name: "a.txt", Body: strings.NewReader("x"), Created: func(id string) error { created = id; return nil },
		})
		assert.Equal(t, "f1", testkit.FailedTransfer(t, err, "Documents.Upload").FileID, odd)
		assert.Equal(t, "f1", created, odd)
	}
}

// iotestNothing is a body that must not be read.
type iotestNothing struct{}

func (iotestNothing) Read([]byte) (int, error) { return 0, errors.New("read instead of ReadAt") }

func TestASpooledBodyLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	lost := errors.New("the line dropped")
	for _, test := range []struct {
		name string
		body func(w *transferWorld, cancel func()) io.Reader
		want error
	}{
		{"when its reader fails", func(w *transferWorld, _ func()) io.Reader {
			return io.MultiReader(plainReader{bytes.NewReader(w.fresh)}, &unreadable{err: lost})
		}, lost},
		{"when the context ends", func(w *transferWorld, cancel func()) io.Reader {
			return io.MultiReader(plainReader{bytes.NewReader(w.fresh)}, readerFunc(func([]byte) (int, error) { cancel(); return 0, nil }))
		}, context.Canceled},
		{"when its reader fails early", func(*transferWorld, func()) io.Reader { return plainReader{&unreadable{err: lost}} }, lost},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			inTransferWorld(t, 3<<20, func(t *testing.T, w *transferWorld) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				_, err := w.upload(ctx, test.body(w, cancel))
				require.ErrorIs(t, err, test.want)
				failed, ok := errors.AsType[*practice.TransferError](err)
				require.True(t, ok)
				assert.Empty(t, failed.FileID, "no file was made")
				assert.Empty(t, w.server.Requests())
				assert.Empty(t, w.left())
			})
		})
	}
	t.Run("when there is no folder for it", func(t *testing.T) {
		t.Parallel()
		inTransferWorld(t, 3<<20, func(t *testing.T, w *transferWorld) {
			w.temp = filepath.Join(w.temp, "missing")
			_, err := w.upload(t.Context(), plainReader{bytes.NewReader(w.fresh)})
			require.ErrorIs(t, err, fs.ErrNotExist)
			assert.Empty(t, w.server.Requests())
			w.temp = filepath.Dir(w.temp)
		})
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestASuccessThatComesTooEarly checks that a success before the body was read
// does not count.
func TestASuccessThatComesTooEarly(t *testing.T) {
	t.Parallel()
	attempts := 0
	client := testkit.WithStorage(t, testkit.UploadTo(testkit.SignedAddress), func(req *http.Request) (*http.Response, error) {
		if attempts++; attempts > 2 {
			_, _ = io.Copy(io.Discard, req.Body)
		}
		return testkit.AnswerOf(200, ""), nil
	}, practice.WithMaxRetryWait(time.Millisecond))
	_, err := client.Documents.Upload(t.Context(), "m1", practice.Upload{Name: "a.txt", Body: bytes.NewReader([]byte("content"))})
	require.NoError(t, err)
	assert.Equal(t, 3, attempts)
}

func TestABadArgumentIsFoundBeforeTheBodyIsRead(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 10, func(t *testing.T, w *transferWorld) {
		_, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Body: iotestNothing{}})
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
		for _, bad := range []string{"", "..", "a/b"} {
			_, err = w.client.Documents.ResumeUpload(t.Context(), w.matter, bad, practice.Upload{Body: iotestNothing{}})
			assert.True(t, testkit.IsArgumentError(err), "%v", err)
		}
		assert.Empty(t, w.server.Requests())
	})
}

func TestAFileOnDiskIsUploadedUnderItsName(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 70_000, func(t *testing.T, w *transferWorld) {
		path := filepath.Join(t.TempDir(), "Deed – signed.pdf")
		require.NoError(t, os.WriteFile(path, w.fresh, 0o600))
		file, err := w.client.Documents.UploadFile(t.Context(), w.matter, path, practice.Upload{Progress: w.told.report})
		require.NoError(t, err)
		assert.True(t, bytes.Equal(w.fresh, w.stored(file.ID)))
		assert.Equal(t, "Deed – signed", testkit.FileOf(t, w.client, w.matter, "", file.ID).Name)
		assert.EqualValues(t, len(w.fresh), w.told.last)

		file, err = w.client.Documents.UploadFile(t.Context(), w.matter, path, practice.Upload{Name: "Other.pdf"})
		require.NoError(t, err)
		assert.Equal(t, "Other", testkit.FileOf(t, w.client, w.matter, "", file.ID).Name)

		w.reset()
		_, err = w.client.Documents.UploadFile(t.Context(), w.matter, path+".missing", practice.Upload{})
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = w.client.Documents.UploadFile(t.Context(), w.matter, filepath.Dir(path), practice.Upload{})
		require.Error(t, err, "a folder")
		assert.Empty(t, w.server.Requests(), "nothing is made for what cannot be read")
	})
}

func TestAnUploadWaitsNoLongerThanItMay(t *testing.T) {
	t.Parallel()
	inTransferWorld(t, 1000, func(t *testing.T, w *transferWorld) {
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultRateLimit, RetryAfter: "30", Times: -1})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		started := time.Now()
		_, err := w.upload(ctx, bytes.NewReader(w.fresh))
		require.ErrorIs(t, err, practice.ErrRateLimited, "the cause, not the deadline")
		assert.Zero(t, time.Since(started), "a wait that would pass the deadline is not begun")

		started = time.Now()
		_, err = w.upload(t.Context(), bytes.NewReader(w.fresh))
		failed := testkit.FailedTransfer(t, err, "Documents.Upload")
		assert.Equal(t, 90*time.Second, time.Since(started))
		require.Len(t, failed.Attempts, 4)
		assert.Equal(t, 30*time.Second, failed.Attempts[0].Wait)
		assert.Equal(t, 429, failed.Attempts[3].Status)
		assert.NotEmpty(t, failed.Attempts[3].Reason)
		assert.Equal(t, []int{429, 429, 429, 429, 429}, w.statuses("storage.put"))
	})
}
