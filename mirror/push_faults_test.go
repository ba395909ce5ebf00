package mirror_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// manyFiles returns files of different sizes in four folders, few enough in
// each that every record is created alone.
func manyFiles(n int) fstest.MapFS {
	tree := fstest.MapFS{}
	for i := range n {
		tree[fmt.Sprintf("%d/%03d.txt", i%4, i)] = &fstest.MapFile{Data: bytes.Repeat([]byte{byte('a' + i%26)}, i)}
	}
	return tree
}

func TestAnotherUploadAfterAFailureDoesTheRestOnly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		faults []practicetest.Fault
	}{
		{"the storage refuses some", []practicetest.Fault{{Operation: "storage.put", Kind: practicetest.FaultStatus, Status: 400, Skip: 5, Times: 9}}},
		{"connections break", []practicetest.Fault{{Operation: "storage.put", Kind: practicetest.FaultResetBefore, Skip: 3, Times: -1}}},
		{"contents arrive, but nobody hears of it", []practicetest.Fault{{Operation: "storage.put", Kind: practicetest.FaultResetAfter, Skip: 3, Times: -1}}},
		{"files are made, but nobody hears of it", []practicetest.Fault{{Operation: "createFile", Kind: practicetest.FaultResetAfter, Skip: 3, Times: 9}}},
		{"folders are made, but nobody hears of it", []practicetest.Fault{{Operation: "createFolder", Kind: practicetest.FaultResetAfter, Skip: 1, Times: 1}}},
		{"a folder cannot be listed", []practicetest.Fault{{Operation: "getRootFolder", Kind: practicetest.FaultStatus, Status: 403}}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				tree := manyFiles(30)
				m.server.Inject(test.faults...)
				options := mirror.Options{}
				err := pushTree(t.Context(), m.client, m.id, tree, options, practice.WithRetries(0))
				failed, ok := errors.AsType[*mirror.Error](err)
				require.True(t, ok, "%v", err)
				require.NotEmpty(t, failed.Failed)
				misses := 0
				for _, f := range failed.Failed {
					assert.Equal(t, mirror.Failed, f.Action)
					require.ErrorIs(t, err, f.Err)
					if !f.IsDir {
						misses++
					}
				}
				assert.Equal(t, 30, failed.Done+failed.Left+misses)

				m.server.ClearFaults()
				m.server.Settle()
				m.server.ResetRequests()
				require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, options))
				assert.Equal(t, contents(t, tree), m.contents(t), "every file once")
				assert.LessOrEqual(t, m.writes()["storage.put"], 30-failed.Done, "what is done is not sent again")
			})
		})
	}
}

func TestAnUploadThatIsInterruptedCanGoOn(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		ctx, interrupt := context.WithCancelCause(t.Context())
		defer interrupt(nil)
		stopped := errors.New("interrupted")
		done := 0
		tree := manyFiles(30)
		err := pushTree(ctx, m.client, m.id, tree, mirror.Options{Result: func(r mirror.Result) {
			assert.NotEqual(t, mirror.Failed, r.Action, "what was interrupted did not fail")
			if done++; done == 10 {
				interrupt(stopped)
			}
		}})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		require.ErrorIs(t, err, stopped)
		assert.Empty(t, failed.Failed)
		assert.GreaterOrEqual(t, failed.Done, 10)
		assert.Equal(t, 30, failed.Done+failed.Left)
		assert.EqualError(t, err, fmt.Sprintf("mirror: Mirror.Push: 0 failed, %d left, %d done: interrupted", failed.Left, failed.Done))

		m.server.ResetRequests()
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		assert.Equal(t, contents(t, tree), m.contents(t))
		assert.LessOrEqual(t, m.writes()["storage.put"], failed.Left)
		files := 0
		for entry, err := range m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}) {
			require.NoError(t, err)
			if entry.File != nil {
				files++
			}
		}
		assert.Equal(t, 30, files, "none is made a second time, even if nobody waits")
	}, practicetest.WithLatency(20*time.Millisecond))
}

func TestNothingIsDoneAfterTheContextHasEnded(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := pushTree(ctx, m.client, m.id, localTree(), mirror.Options{})
		require.ErrorIs(t, err, context.Canceled)
		assert.Empty(t, m.server.Requests())
	})
}

// A write that was accepted may still fail, and only an event reports that.
func TestWhatTheServiceDoesNotListInTheEndIsReported(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		operation string
		paths     []string
	}{
		{"createFile", []string{"1.txt"}},
		{"createFolder", []string{"sub", "sub/2.txt"}},
	} {
		t.Run(test.operation, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				tree := fstest.MapFS{"1.txt": {Data: []byte("1")}, "sub/2.txt": {Data: []byte("2")}}
				m.server.FailWrite(test.operation, "No space left.")
				began := time.Now()
				err := pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Concurrency: 1})
				failed, ok := errors.AsType[*mirror.Error](err)
				require.True(t, ok, "%v", err)
				require.ErrorIs(t, err, practice.ErrNotVisibleYet)
				var paths []string
				for _, f := range failed.Failed {
					paths = append(paths, f.Path)
					assert.NotEmpty(t, f.ID)
				}
				assert.Equal(t, test.paths, paths)
				assert.Equal(t, 1, failed.Done)
				assert.Zero(t, failed.Left)
				assert.InDelta(t, practice.DefaultListWait.Seconds(), time.Since(began).Seconds(), 2.5)
				require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
				assert.Equal(t, contents(t, tree), m.contents(t))
			})
		})
	}
}

func TestHowLongToWaitForTheList(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		settle time.Duration
		takes  time.Duration
		err    error
	}{
		{"until it is there", time.Hour, time.Minute, nil},
		{"not at all", -1, 0, nil},
		{"not as long as it takes", 10 * time.Second, 10 * time.Second, practice.ErrNotVisibleYet},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				began := time.Now()
				err := pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{ListWait: test.settle})
				require.ErrorIs(t, err, test.err)
				assert.InDelta(t, test.takes.Seconds(), time.Since(began).Seconds(), 2.5)
			}, practicetest.WithWriteDelay(time.Minute))
		})
	}
}

// strictAboutFolders behaves like a service that does not know a folder before
// the write that creates it has taken effect.
func strictAboutFolders(made time.Duration, refused *atomic.Int32) practice.ClientOption {
	began := time.Now()
	return practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodPost {
				body, _ := io.ReadAll(r.Body)
				r = r.Clone(r.Context())
				r.Body = io.NopCloser(bytes.NewReader(body))
				if strings.Contains(string(body), "older") && strings.Contains(string(body), `Id":"`) && time.Since(began) < made {
					refused.Add(1)
					return testkit.AnswerOf(404, `{"title":"Not found","detail":"no such folder"}`), nil
				}
			}
			return next.RoundTrip(r)
		})
	})
}

func TestAFolderThatIsNotKnownYetIsWaitedFor(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		var refused atomic.Int32
		client := m.server.Client(t, strictAboutFolders(3*time.Second, &refused))
		require.NoError(t, pushTree(t.Context(), client, m.id, localTree(), mirror.Options{}))
		assert.Positive(t, refused.Load())
		assert.Equal(t, contents(t, localTree()), m.contents(t))
	})
	t.Run("but not for ever", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			var refused atomic.Int32
			client := m.server.Client(t, strictAboutFolders(time.Hour, &refused))
			began := time.Now()
			err := pushTree(t.Context(), client, m.id, localTree(), mirror.Options{ListWait: 5 * time.Second})
			require.ErrorIs(t, err, practice.ErrNotFound)
			assert.Less(t, time.Since(began), 20*time.Second)
		})
	})
	t.Run("and one that is gone is not", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			m.folder(t, "", "letters")
			var refused atomic.Int32
			client := m.server.Client(t, strictAboutFolders(time.Hour, &refused))
			err := pushTree(t.Context(), client, m.id, fstest.MapFS{"letters/a": {}}, mirror.Options{})
			require.ErrorIs(t, err, practice.ErrNotFound)
			assert.EqualValues(t, 1, refused.Load())
		})
	})
}

// A folder that is not known completely may contain items that seem to be
// missing.
func TestNothingIsMadeInAFolderThatIsNotKnownCompletely(t *testing.T) {
	t.Parallel()
	matter := oddMatter{"": listing([]string{`{"id":"b","isDeleted":"perhaps"}`}, nil)}
	posted := 0
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodGet {
				posted++
			}
			return matter.RoundTrip(r)
		}),
	}))
	require.NoError(t, err)
	err = pushTree(t.Context(), client, "m1", localTree(), mirror.Options{})
	_, ok := errors.AsType[*practice.RecordError](err)
	assert.True(t, ok, "%v", err)
	assert.Zero(t, posted)
}

func TestAFolderWithoutAnIDIsNotUsed(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodGet {
				return testkit.AnswerOf(200, listing(nil, nil)), nil
			}
			assert.NotContains(t, r.URL.Path, "files")
			return testkit.AnswerOf(202, `{}`), nil
		}),
	}))
	require.NoError(t, err)
	err = pushTree(t.Context(), client, "m1", fstest.MapFS{"a/b": {}}, mirror.Options{ListWait: -1})
	require.ErrorIs(t, err, practice.ErrNoID)
	require.ErrorContains(t, err, "the service accepted the folder, but the response has no id")
}

func TestWhatIsListedWithoutAnIDIsNotUsed(t *testing.T) {
	t.Parallel()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			assert.Equal(t, http.MethodGet, r.Method, "nothing is made")
			return testkit.AnswerOf(200, `{"value":[{"folders":[{"name":"a"}],"files":[{"name":"c","fileExtension":".txt","sizeBytes":0,"isUploaded":true}]}],"size":2}`), nil
		}),
	}))
	require.NoError(t, err)
	err = pushTree(t.Context(), client, "m1", fstest.MapFS{"a/b": {}, "c.txt": {}}, mirror.Options{ListWait: -1})
	failed, ok := errors.AsType[*mirror.Error](err)
	require.True(t, ok, "%v", err)
	require.Len(t, failed.Failed, 2)
	for _, result := range failed.Failed {
		require.ErrorIs(t, result.Err, practice.ErrNoID, result.Path)
	}
}

// A thousand letters over an office connection: the time is that of sequential
// requests, divided by the concurrency.
func TestAThousandFilesAreMuchFasterTogether(t *testing.T) {
	soak.NotWithRaceDetector(t, "only many files show the pace")
	t.Parallel()
	const size, latency = 20 << 10, 60 * time.Millisecond
	perFile := func(files, concurrency int) (up, down float64) {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			tree := fstest.MapFS{}
			for i := range files {
				tree[fmt.Sprintf("%04d.txt", i)] = &fstest.MapFile{Data: bytes.Repeat([]byte{byte(i)}, size)}
			}
			m.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultLatency, Delay: latency, Times: -1},
				practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultLatency, Delay: latency, Times: -1})
			began := time.Now()
			require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Concurrency: concurrency}))
			up = time.Since(began).Seconds() / float64(files)
			began = time.Now()
			require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, t.TempDir(), mirror.Options{Concurrency: concurrency}))
			down = time.Since(began).Seconds() / float64(files)
		}, practicetest.WithLatency(latency), practicetest.WithRequestLog(0))
		return up, down
	}
	up, down := perFile(soak.Times(300, 1000), mirror.DefaultConcurrency)
	// Sequentially each file needs two requests, one for its record and one for
	// its content, whatever their number.
	const alone = 2 * 0.060
	assert.GreaterOrEqual(t, alone/up, 7.0)
	assert.GreaterOrEqual(t, alone/down, 7.0)
	up, down = perFile(50, 1)
	assert.GreaterOrEqual(t, up, alone/2, "its record is made together with others")
	assert.GreaterOrEqual(t, down, alone)
}

func TestWhatAnUploadLeavesBehindHasItsID(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		m.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultStatus, Status: 400})
		err := pushTree(t.Context(), m.client, m.id, fstest.MapFS{"a.txt": {Data: []byte("a")}}, mirror.Options{})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		m.server.Settle()
		id := failed.Failed[0].ID
		require.NoError(t, testkit.Discard(m.client.Documents.ResumeUpload(t.Context(), m.id, id, practice.Upload{Body: strings.NewReader("a")})))
		record := fileOf(t, m.client, m.id, "", id)
		assert.Equal(t, models.Some[int64](1), record.SizeBytes)
	})
}

// namelessCreates removes the content of the responses to creates after they
// were executed.
func namelessCreates(resource, answer string, left int64) func(http.RoundTripper) http.RoundTripper {
	var rest atomic.Int64
	rest.Store(left)
	return func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(r)
			if err != nil || r.Method != http.MethodPost || !strings.HasSuffix(r.URL.Path, "/documents/"+resource) || rest.Add(-1) < 0 {
				return resp, err
			}
			_ = resp.Body.Close()
			resp.Body, resp.ContentLength = io.NopCloser(strings.NewReader(answer)), int64(len(answer))
			return resp, nil
		})
	}
}

// An accepted file exists even if the response does not contain its id: the
// client looks for it, and never creates it twice.
func TestWhatWasAcceptedWithoutAnIDIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	answers := []string{`{}`, ``, `null`, `{"fileId":"","href":""}`, `[{}]`, `{"value":[{}],"size":1}`, `{"fileId":`, `not JSON`}
	for resource, files := range map[string]int{"files": 8, "folders": 8, "files/bulk": 60} {
		for _, answer := range answers[:soak.Least(len(answers))] {
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				tree := manyFiles(files)
				client := m.server.Client(t, practice.WithMiddleware(namelessCreates(resource, answer, 2)))
				dir, options := t.TempDir(), mirror.Options{Tree: tree}
				err := mirror.Push(t.Context(), client, m.id, dir, options)
				require.Error(t, err, "%s %q", resource, answer)
				require.NoError(t, mirror.Push(t.Context(), client, m.id, dir, options), "%s %q", resource, answer)
				m.server.Settle()
				assertMadeOnce(t, m, tree, 0)
			}, practicetest.WithWriteDelay(300*time.Millisecond))
		}
	}
}
