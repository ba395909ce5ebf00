package acceptance_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// watchedWorld is a transferWorld whose client has observers of every kind.
type watchedWorld struct {
	*transferWorld
	tracer *testkit.TraceRecorder
	log    *bytes.Buffer
	mu     sync.Mutex
	seen   []practice.Observation // observations of the storage
}

func newWatchedWorld(t *testing.T, size int, opts ...practice.ClientOption) *watchedWorld {
	t.Helper()
	w := &watchedWorld{tracer: &testkit.TraceRecorder{Add: http.Header{"Traceparent": {"00-01-02-01"}}}, log: &bytes.Buffer{}}
	w.transferWorld = newTransferWorld(t, 7, size, append(opts,
		practice.WithTracer(w.tracer),
		practice.WithLogger(slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
		practice.WithObserver(func(_ context.Context, o practice.Observation) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if o.Kind == practice.ObservedStorageAttempt || o.Kind == practice.ObservedTransfer {
				w.seen = append(w.seen, o)
			}
		}))...)
	return w
}

// check checks what holds for every transfer.
func (w *watchedWorld) check(t *testing.T) {
	t.Helper()
	w.tracer.Complete(t)
	for _, s := range w.tracer.Spans {
		assert.Equal(t, !s.Started.Kind.IsAttempt() || s.Started.Kind == practice.ObservedStorageAttempt, !s.Header, "no header goes to the storage: %+v", s.Started)
		if s.Started.Kind == practice.ObservedStorageAttempt {
			require.NotNil(t, s.Parent)
			assert.Equal(t, practice.ObservedTransfer, s.Parent.Started.Kind, "below its transfer")
		}
	}
	for _, part := range []string{practicetest.PartStorage, practicetest.PartToken} {
		for _, r := range testkit.RequestsTo(w.server, part) {
			assert.Empty(t, r.Header.Values("Traceparent"), part)
		}
	}
	for _, r := range testkit.RequestsTo(w.server, practicetest.PartAPI) {
		assert.NotEmpty(t, r.Header.Values("Traceparent"))
	}
	everything := fmt.Sprintf("%+v %s", w.seen, w.log)
	for _, secret := range []string{"Signature", "Expires=", "?"} {
		assert.NotContains(t, everything, secret)
	}
}

// figures returns the predictable parts of the observations.
func figures(seen []practice.Observation) []string {
	var lines []string
	for _, o := range seen {
		what := "attempt"
		if !o.Kind.IsAttempt() {
			what = "call"
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s %d: %d, sent %d, received %d, %s",
			o.Operation, o.Method, what, o.Attempt, o.Status, o.BytesSent, o.BytesReceived, o.Reason)))
	}
	return lines
}

func TestExchangesOfAnUploadAreWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatchedWorld(t, 1000)
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 503})
		file, err := w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Name: "a.txt", Body: bytes.NewReader(w.fresh)})
		require.NoError(t, err)
		assert.Equal(t, w.fresh, w.stored(file.ID))
		w.check(t)
		assert.Equal(t, []string{
			"Documents.Upload PUT attempt 1: 503, sent 1000, received 0, the transfer is incomplete",
			"Documents.Upload PUT attempt 2: 200, sent 1000, received 0, success",
			"Documents.Upload  call 2: 200, sent 2000, received 0,",
		}, figures(w.seen))
		assert.Regexp(t, `^http://127\.0\.0\.1:\d+$`, w.seen[0].Server)
		assert.Positive(t, w.seen[2].Duration)
		assert.GreaterOrEqual(t, w.seen[2].Duration, w.seen[0].Duration+w.seen[1].Duration)

		roots := w.tracer.Below(nil)
		require.Len(t, roots, 1)
		var below []string
		for _, s := range w.tracer.Below(roots[0]) {
			below = append(below, fmt.Sprint(s.Started.Operation, " ", s.Started.Kind))
		}
		assert.Equal(t, []string{"Documents.CreateFile call", "Documents.Upload storage attempt", "Documents.Upload storage attempt"}, below)
		assert.Regexp(t, `level=DEBUG msg="practice: attempt" operation=Documents.Upload attempt=1 status=503 .*`+
			`reason="the transfer is incomplete" wait=\S+ sent=1000 method=PUT server=http://127\.0\.0\.1:\d+\n`, w.log.String())
	})
}

func TestAnUploadThatCannotBeRepeatedSaysSo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatchedWorld(t, 100_000)
		w.server.Inject(practicetest.Fault{Operation: "storage.put", Status: 503})
		once := fstest.MapFS{"a.txt": &fstest.MapFile{Data: w.fresh}}
		body, err := once.Open("a.txt")
		require.NoError(t, err)
		_, err = w.client.Documents.Upload(t.Context(), w.matter, practice.Upload{Name: "a.txt", Body: unseekable{body}})
		require.ErrorIs(t, err, practice.ErrNotRewindable)
		w.check(t)
		assert.Equal(t, []string{
			"Documents.Upload PUT attempt 1: 503, sent 100000, received 0, the body cannot be read a second time",
			"Documents.Upload  call 1: 503, sent 100000, received 0,",
		}, figures(w.seen))
		assert.Equal(t, err, w.seen[1].Err)
		assert.Contains(t, w.log.String(), `level=WARN msg="practice: call failed" operation=Documents.Upload attempts=1`)
	})
}

func TestExchangesOfADownloadAreWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size = 3 << 20
		w := newWatchedWorld(t, size)
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, After: 2 << 20})
		var out bytes.Buffer
		_, err := w.client.Documents.Download(t.Context(), w.matter, w.fileID, &out, practice.DownloadOptions{})
		require.NoError(t, err)
		assert.Equal(t, w.content, out.Bytes())
		w.check(t)
		assert.Equal(t, []string{
			"Documents.Download GET attempt 1: 200, sent 0, received 2097152, the transfer is incomplete",
			"Documents.Download GET attempt 2: 206, sent 0, received 1048576, success",
			"Documents.Download  call 2: 206, sent 0, received 3145728,",
		}, figures(w.seen))
		require.Error(t, w.seen[0].Err)
		require.NoError(t, w.seen[1].Err)
	})
}

func TestADownloadThatIsRefusedIsWatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatchedWorld(t, 10)
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Status: 404})
		_, err := w.client.Documents.Download(t.Context(), w.matter, w.fileID, io.Discard, practice.DownloadOptions{})
		require.ErrorIs(t, err, practice.ErrNotFound)
		w.check(t)
		assert.Equal(t, []string{
			"Documents.Download GET attempt 1: 404, sent 0, received 0, a retry would not help",
			"Documents.Download  call 1: 404, sent 0, received 0,",
		}, figures(w.seen))
	})
}

func TestEveryTransferIsOneCall(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		run      func(ctx context.Context, w *watchedWorld) error
		attempts int
	}{
		"Documents.UploadVersion": {func(ctx context.Context, w *watchedWorld) error {
			return testkit.Discard(w.client.Documents.UploadVersion(ctx, w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(w.fresh)}))
		}, 1},
		"Documents.ResumeUpload": {func(ctx context.Context, w *watchedWorld) error {
			return testkit.Discard(w.client.Documents.ResumeUpload(ctx, w.matter, w.fileID, practice.Upload{Body: bytes.NewReader(w.fresh)}))
		}, 1},
		"Documents.DownloadFile": {func(ctx context.Context, w *watchedWorld) error {
			return testkit.Discard(w.client.Documents.DownloadFile(ctx, w.matter, w.fileID, filepath.Join(w.dir, "a"), practice.DownloadOptions{}))
		}, 1},
		"Documents.Open": {func(ctx context.Context, w *watchedWorld) error {
			file, err := w.client.Documents.Open(ctx, w.matter, w.fileID, practice.OpenOptions{})
			if err != nil {
				return err
			}
			var part [10]byte
			for _, at := range []int64{0, 500} {
				if _, err := file.ReadAt(part[:], at); err != nil {
					return err
				}
			}
			if _, err := file.Read(part[:]); err != nil {
				return err
			}
			return file.Close()
		}, 2}, // the second part was fetched with the first
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWatchedWorld(t, 1000)
				err := test.run(t.Context(), w)
				require.NoError(t, err)
				w.check(t)
				roots := w.tracer.Below(nil)
				require.Len(t, roots, 1, "everything is below one call")
				assert.Equal(t, name, roots[0].Started.Operation)
				assert.GreaterOrEqual(t, roots[0].Ended.Attempt, test.attempts)
				assert.Equal(t, err, roots[0].Ended.Err)
			})
		})
	}
}

func TestATransferWithABadArgumentIsToldAsFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatchedWorld(t, 10)
		documents, ctx := w.client.Documents, t.Context()
		require.Error(t, testkit.Discard(documents.Upload(ctx, "", practice.Upload{Name: "a", Body: strings.NewReader("")})))
		require.Error(t, testkit.Discard(documents.UploadFile(ctx, w.matter, filepath.Join(w.dir, "no file"), practice.Upload{})))
		require.Error(t, testkit.Discard(documents.Download(ctx, "", w.fileID, io.Discard, practice.DownloadOptions{})))
		require.Error(t, testkit.Discard(documents.DownloadFile(ctx, w.matter, w.fileID, filepath.Join(w.dir, "no", "folder"), practice.DownloadOptions{})))
		require.Error(t, testkit.Discard(documents.Open(ctx, w.matter, "", practice.OpenOptions{})))
		w.check(t)
		roots := w.tracer.Below(nil)
		require.Len(t, roots, 5)
		for _, root := range roots {
			assert.Error(t, root.Ended.Err, root.Started.Operation)
			assert.Zero(t, root.Ended.Attempt)
			assert.Contains(t, w.log.String(), `level=WARN msg="practice: call failed" operation=`+root.Started.Operation+" ")
		}
	})
}

func TestAReaderThatFailedIsToldAsFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatchedWorld(t, 10, practice.WithRetries(0))
		file, err := w.client.Documents.Open(t.Context(), w.matter, w.fileID, practice.OpenOptions{})
		require.NoError(t, err)
		w.server.Inject(practicetest.Fault{Operation: "storage.get", Status: 404, Times: -1})
		_, err = io.ReadAll(file)
		require.Error(t, err)
		require.NoError(t, file.Close())
		w.check(t)
		assert.Equal(t, err, w.tracer.Below(nil)[0].Ended.Err)
	})
}

func TestATransferThatTheServiceRefusesEndsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWatchedWorld(t, 10)
		w.server.Inject(practicetest.Fault{Operation: "getFileDownload", Status: 403, Times: 2})
		require.ErrorIs(t, testkit.Discard(w.client.Documents.Download(t.Context(), w.matter, w.fileID, io.Discard, practice.DownloadOptions{})), practice.ErrForbidden)
		require.ErrorIs(t, testkit.Discard(w.client.Documents.Open(t.Context(), w.matter, w.fileID, practice.OpenOptions{})), practice.ErrForbidden)
		w.check(t)
		assert.Equal(t, []string{
			"Documents.Download  call 0: 0, sent 0, received 0,",
			"Documents.Open  call 0: 0, sent 0, received 0,",
		}, figures(w.seen))
	})
}

func TestConnectionsAtOnceAreAttemptsOfOneTransfer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const size = 8 << 20
		w := newWatchedWorld(t, size)
		ranges := practice.DownloadOptions{Ranges: 4, RangeSize: 1 << 20}
		_, err := w.client.Documents.DownloadFile(t.Context(), w.matter, w.fileID, filepath.Join(w.dir, "a"), ranges)
		require.NoError(t, err)
		w.check(t)
		call := w.seen[len(w.seen)-1]
		require.Equal(t, practice.ObservedTransfer, call.Kind)
		assert.Equal(t, len(w.seen)-1, call.Attempt)
		assert.GreaterOrEqual(t, call.Attempt, 4)
		assert.GreaterOrEqual(t, call.BytesReceived, int64(size), "of a part that another connection takes over some bytes come twice")
		for _, o := range w.seen[:len(w.seen)-1] {
			assert.Equal(t, 1, o.Attempt, "each is the first of its own part")
		}
	})
}
