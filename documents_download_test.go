package practice_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
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
		some   bool // part of the content was written
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
				n, err := once(client).Documents.Download(t.Context(), f.MatterID, f.FileID, &got, practice.DownloadOptions{})
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
		length       int64 // of the answer of the storage; -1 when it says none
		refused      bool
	}{
		{"right", testkit.DownloadFrom(testkit.SignedAddress, 7), 7, false},
		{"without a length", testkit.DownloadFrom(testkit.SignedAddress, 7), -1, false},
		{"too long", testkit.DownloadFrom(testkit.SignedAddress, 6), 7, true},
		{"too long, without a length", testkit.DownloadFrom(testkit.SignedAddress, 6), -1, true},
		{"too short, without a length", testkit.DownloadFrom(testkit.SignedAddress, 8), -1, true},
		{"zero is a size", testkit.DownloadFrom(testkit.SignedAddress, 0), 7, true},
		{"nothing announced", `{"fileId":"f1","downloadUrl":"` + testkit.SignedAddress + `"}`, 7, false},
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

// A storage that hangs up without an answer is an io.EOF for net/http. It must
// not pass for the end of the content.
func TestAStorageThatHangsUpDoesNotEndAContent(t *testing.T) {
	t.Parallel()
	content := contentOf(t, 100_000)
	for _, whole := range []int{0, 20_000} { // bytes that arrive
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
