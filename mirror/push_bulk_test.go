package mirror_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

// wideTree has many files in one folder, and a few in others.
func wideTree(many int) fstest.MapFS {
	tree := fstest.MapFS{"a/x.txt": {Data: []byte("x")}, "b/y.txt": {Data: []byte("y")}}
	for i := range many {
		tree[fmt.Sprintf("letters/%04d.txt", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "letter %d", i)}
	}
	return tree
}

// requests returns the number of requests by operation.
func (m *testMatter) requests() map[string]int {
	all := map[string]int{}
	for _, r := range m.server.Requests() {
		if r.Part == practicetest.PartAPI {
			all[r.Operation]++
		}
	}
	return all
}

// Records of new files are created many at a time, if a folder has many of
// them. The list of the folder shows which record belongs to which file,
// whatever the order of the responses.
func TestManyNewFilesAreMadeTogether(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		const many = 334
		tree, results := wideTree(many), dirResults{}
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Result: results.add}))
		requests := m.requests()
		assert.Equal(t, contents(t, tree), m.contents(t))
		assert.Equal(t, actions(tree, mirror.Created), results)
		assert.Equal(t, 4, requests["createFiles"])
		assert.Equal(t, 2, requests["createFile"], "a list would cost more than it saves")
		total := 0
		for _, n := range requests {
			total += n
		}
		t.Logf("%d requests for %d files: %v", total, many, requests)
		assert.LessOrEqual(t, total, many/10)
		m.server.ResetRequests()
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		assert.Empty(t, m.writes())
	}, practicetest.WithRequestLog(1<<20))
}

// If a call for many files fails, they are created one by one, or looked for.
func TestFilesThatCannotBeMadeTogether(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		faults []practicetest.Fault
		single []int // number of files created one by one in the first call; the calls of 100, 100 and 50 are concurrent
	}{
		{"nothing goes wrong", nil, []int{2}},
		{"the service refuses the call", []practicetest.Fault{{Operation: "createFiles", Kind: practicetest.FaultStatus, Status: 403, Times: -1}}, []int{252}},
		{"it refuses one of them", []practicetest.Fault{{Operation: "createFiles", Kind: practicetest.FaultStatus, Status: 400, Skip: 1}}, []int{102, 52}},
		{"nobody hears of the answer", []practicetest.Fault{{Operation: "createFiles", Kind: practicetest.FaultResetAfter, Times: 1}}, []int{2}},
		{"the folder cannot be listed for a while", []practicetest.Fault{{Operation: "getFolder", Kind: practicetest.FaultStatus, Status: 500, Times: 9}}, []int{2}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				tree := wideTree(250)
				m.server.Inject(test.faults...)
				_ = pushTree(t.Context(), m.client, m.id, tree, mirror.Options{})
				assert.Contains(t, test.single, m.requests()["createFile"])
				require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
				m.server.Settle()
				assertMadeOnce(t, m, tree, 0)
			}, practicetest.WithRequestLog(1<<20))
		})
	}
}

// If a process ends between the records and their contents, the next one
// completes the records.
func TestFilesThatWereMadeTogetherAreCompleted(t *testing.T) {
	soak.NotWithRaceDetector(t, "one file at a time")
	t.Parallel()
	for _, puts := range []int{0, 1, 2, 3, 60} {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			dir, tree := t.TempDir(), wideTree(150)
			require.NoError(t, os.CopyFS(dir, tree))
			ctx, interrupt := context.WithCancelCause(t.Context())
			defer interrupt(nil)
			stopped := errors.New("interrupted")
			sent := map[string]bool{}
			options := mirror.Options{Concurrency: 1, FileProgress: func(path string, _, _ int64) {
				if sent[path] = true; len(sent) > puts {
					interrupt(stopped)
				}
			}}
			err := mirror.Push(ctx, m.client, m.id, dir, options)
			require.ErrorIs(t, err, stopped)
			m.server.ResetRequests()
			results, err := m.push(t, dir, mirror.Options{})
			require.NoError(t, err)
			m.server.Settle()
			assertMadeOnce(t, m, tree, 0)
			if puts > 2 {
				assert.Zero(t, m.requests()["createFiles"])
			}
			assert.Len(t, results, 152)
		}, practicetest.WithWriteDelay(300*time.Millisecond))
	}
}

// Content is not sent to a record that cannot be identified.
func TestRecordsThatAreNeverListedGetNoContent(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := wideTree(20)
		m.server.FailWrite("createFiles", "No space left.")
		err := pushTree(t.Context(), m.client, m.id, tree, mirror.Options{})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		require.ErrorIs(t, err, practice.ErrNotVisibleYet)
		assert.Len(t, failed.Failed, 20)
		assert.Equal(t, 2, m.writes()["storage.put"])
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		m.server.Settle()
		assertMadeOnce(t, m, tree, 0)
	})
}

// Names that a service may change, or that differ only in case or Unicode form,
// are distinguished.
func TestOddNamesAmongManyFiles(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := wideTree(20)
		for _, name := range []string{"dot.", "space ", " first", "con", "A.txt", "a.txt", composed, decomposed, "no extension", ".hidden", "two.dots.txt", "tilde~1.txt"} {
			tree["letters/"+name] = &fstest.MapFile{Data: []byte(name)}
		}
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		assert.Equal(t, contents(t, tree), m.contents(t))
		m.server.ResetRequests()
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		assert.Empty(t, m.writes())
	})
}

// A response without one of the records does not lead to a second one.
func TestAnAnswerForManyFilesThatIsNotWhole(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := wideTree(20)
		cut := func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				resp, err := next.RoundTrip(r)
				if err != nil || !strings.HasSuffix(r.URL.Path, "/bulk") {
					return resp, err
				}
				var infos []map[string]any
				assert.NoError(t, json.NewDecoder(resp.Body).Decode(&infos))
				_ = resp.Body.Close()
				text, err := json.Marshal(append(infos[:9], infos[0]))
				assert.NoError(t, err)
				return testkit.AnswerOf(resp.StatusCode, string(text)), nil
			})
		}
		err := pushTree(t.Context(), m.server.Client(t, practice.WithMiddleware(cut)), m.id, tree, mirror.Options{})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		assert.Len(t, failed.Failed, 11)
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		m.server.Settle()
		assertMadeOnce(t, m, tree, 0)
	})
}
