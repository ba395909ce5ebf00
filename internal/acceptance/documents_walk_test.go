package acceptance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// inEmptyMatter runs a test with a matter without folders and files.
func inEmptyMatter(t *testing.T, test func(t *testing.T, m *testMatter), opts ...practicetest.Option) {
	t.Helper()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		m := &testMatter{server: server, client: client, id: server.Firm().MatterIDs[1]}
		for entry, err := range client.Documents.AllEntries(t.Context(), m.id, "") {
			require.NoError(t, err)
			if entry.Folder != nil {
				server.DeleteFolder(entry.ID())
			} else {
				server.DeleteFile(entry.ID())
			}
		}
		server.ResetRequests()
		test(t, m)
	}, opts...)
}

// testMatter is a matter that a test fills.
type testMatter struct {
	server *practicetest.Server
	client *practice.Client
	id     string
}

// folder creates a folder and returns its id; an empty parentID means the root.
func (m *testMatter) folder(t *testing.T, parentID, name string) string {
	t.Helper()
	link, err := m.client.Documents.CreateFolder(t.Context(), m.id, models.FolderWrite{Name: name, ParentFolderID: parentID})
	require.NoError(t, err)
	m.server.Settle()
	m.server.ResetRequests()
	return link.TargetID()
}

// file creates a file and returns its id.
func (m *testMatter) file(t *testing.T, folderID, name, content string) string {
	t.Helper()
	file, err := m.client.Documents.Upload(t.Context(), m.id, practice.Upload{Name: name, FolderID: folderID, Body: strings.NewReader(content)})
	require.NoError(t, err)
	m.server.Settle()
	m.server.ResetRequests()
	return file.ID
}

// walked returns the paths that a walk visited, and its errors as texts.
func walked(t *testing.T, client *practice.Client, matterID string, options practice.WalkOptions, opts ...practice.CallOption) []string {
	t.Helper()
	var paths []string
	for entry, err := range client.Documents.Walk(t.Context(), matterID, options, opts...) {
		if err != nil {
			paths = append(paths, err.Error())
			continue
		}
		if entry.Folder != nil {
			paths = append(paths, entry.Path()+"/")
		} else {
			paths = append(paths, entry.Path())
		}
	}
	return paths
}

// smallTree creates folders on three levels, with files on each.
func smallTree(t *testing.T, m *testMatter) (a, b string) {
	t.Helper()
	a, b = m.folder(t, "", "a"), m.folder(t, "", "b")
	m.file(t, "", "top.txt", "top")
	m.file(t, m.folder(t, m.folder(t, a, "a1"), "a11"), "deep.txt", "deep")
	m.folder(t, a, "a2")
	m.file(t, a, "in a.txt", "in a")
	m.folder(t, b, "b1")
	return a, b
}

func TestAWalkIsBreadthFirst(t *testing.T) {
	t.Parallel()
	all := []string{"a/", "b/", "top.txt", "a/a1/", "a/a2/", "a/in a.txt", "b/b1/", "a/a1/a11/", "a/a1/a11/deep.txt"}
	for _, test := range []struct {
		rule    string
		options practice.WalkOptions
		want    []string
		reads   int
	}{
		{"everything", practice.WalkOptions{}, all, 7},
		{"one folder after the other", practice.WalkOptions{Concurrency: 1}, all, 7},
		{"all at once", practice.WalkOptions{Concurrency: 100}, all, 7},
		{"one level", practice.WalkOptions{MaxDepth: 1}, all[:3], 1},
		{"two levels", practice.WalkOptions{MaxDepth: 2}, all[:7], 3},
		{"three levels", practice.WalkOptions{MaxDepth: 3}, all[:8], 6},
		{"as many levels as there are", practice.WalkOptions{MaxDepth: 4}, all, 7},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				smallTree(t, m)
				assert.Equal(t, test.want, walked(t, m.client, m.id, test.options))
				assert.Len(t, m.server.Requests(), test.reads, "no folder is read twice, none without need")
			})
		})
	}
}

func TestAWalkMayBeginInAFolder(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		a, _ := smallTree(t, m)
		assert.Equal(t, []string{"a1/", "a2/", "in a.txt", "a1/a11/", "a1/a11/deep.txt"}, walked(t, m.client, m.id, practice.WalkOptions{FolderID: a}))
		for entry, err := range m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{FolderID: a}) {
			require.NoError(t, err)
			if entry.Name() == "deep.txt" {
				require.Len(t, entry.Parents, 2)
				assert.Equal(t, "a1", entry.Parents[0].Name)
				assert.Equal(t, entry.Parents[0].ID, entry.Parents[1].ParentID)
				assert.Equal(t, 3, entry.Depth())
			}
		}
	})
}

func TestSiblingFoldersAreReadAtTheSameTime(t *testing.T) {
	t.Parallel()
	const latency = 60 * time.Millisecond
	for concurrency, rounds := range map[int]int{1: 17, 4: 5, 8: 3, 0: 3, 16: 2} {
		t.Run(fmt.Sprint(concurrency), func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				for i := range 16 {
					m.folder(t, "", fmt.Sprintf("%02d", i))
				}
				started := time.Now()
				assert.Len(t, walked(t, m.client, m.id, practice.WalkOptions{Concurrency: concurrency}), 16)
				assert.Equal(t, time.Duration(rounds)*latency, time.Since(started), "a round for the root, the others for its folders")
			}, practicetest.WithLatency(latency), practicetest.WithWriteDelay(0))
		})
	}
}

func TestAWalkKeepsToTheRateLimitOfTheClient(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		for i := range 10 {
			m.folder(t, "", fmt.Sprint(i))
		}
		started := time.Now()
		assert.Len(t, walked(t, m.server.Client(t, practice.WithRateLimit(2, 1)), m.id, practice.WalkOptions{}), 10)
		assert.InDelta(t, 5, time.Since(started).Seconds(), 0.1, "11 requests, two a second")
	})
}

func TestAWalkThatIsLeftEndsItsRequests(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		var flying atomic.Int32
		client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				flying.Add(1)
				defer flying.Add(-1)
				return next.RoundTrip(req)
			})
		}))
		for stop := range 9 {
			seen := 0
			for _, err := range client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}) {
				require.NoError(t, err)
				if seen++; seen > stop {
					break
				}
			}
			assert.Zero(t, flying.Load(), "left after %d", seen)
		}
	}, practicetest.WithLatency(time.Second))
}

func TestAWalkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		var failures []error
		entries := 0
		for _, err := range m.client.Documents.Walk(ctx, m.id, practice.WalkOptions{}) {
			if err != nil {
				failures = append(failures, err)
			} else {
				entries++
			}
		}
		assert.Equal(t, 3, entries)
		require.Len(t, failures, 1, "not one for each folder")
		require.ErrorIs(t, failures[0], context.DeadlineExceeded)
	}, practicetest.WithLatency(10*time.Second), practicetest.WithWriteDelay(0))
}

func TestAWalkOfManyPages(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		all := walked(t, m.client, m.id, practice.WalkOptions{})
		for _, limit := range []int{1, 2, 3} {
			assert.Equal(t, all, walked(t, m.server.Client(t, smallPages(limit)), m.id, practice.WalkOptions{}))
		}
	})
}

// oddMatter is a service that returns invalid pages. It holds the response for
// each folder id.
type oddMatter map[string]string

func (o oddMatter) RoundTrip(req *http.Request) (*http.Response, error) {
	_, id, _ := strings.Cut(req.URL.Path, "/documents/folders")
	body, known := o[strings.TrimPrefix(id, "/")]
	if !known {
		return testkit.AnswerOf(404, `{"title":"Not found"}`), nil
	}
	return testkit.AnswerOf(200, body), nil
}

func (o oddMatter) client(t *testing.T) *practice.Client {
	t.Helper()
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: o}))
	require.NoError(t, err)
	return client
}

func TestAWalkOfAnOddMatter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		matter oddMatter
		want   []string
	}{
		{
			"a folder inside itself is read once",
			oddMatter{"": listing([]string{"a"}, nil), "a": listing([]string{"b"}, nil), "b": listing([]string{`{"id":"A","name":"a again"}`}, []string{"x"})},
			[]string{"a/", "a/b/", `practice: folder "a/b/a again": the folder contains itself`, "a/b/x"},
		},
		{
			"a folder without an id is not the root",
			oddMatter{"": listing([]string{`{"name":"root?"}`}, []string{"x"})},
			[]string{`practice: folder "root?": the folder contains itself`, "x"},
		},
		{
			"a folder that cannot be read does not end the walk",
			oddMatter{"": listing([]string{"a", "gone", "b"}, nil), "a": listing(nil, []string{"x"}), "b": listing(nil, []string{"y"})},
			[]string{"a/", "gone/", "b/", "a/x", `practice: folder "gone": practice: Documents.AllEntries: status 404`, "b/y"},
		},
		{
			"nor does a faulty entry",
			oddMatter{"": listing([]string{`{"id":"bad","isDeleted":"perhaps"}`, "a"}, nil), "a": listing(nil, []string{"x"})},
			[]string{`practice: folder "": practice: Documents.AllEntries: record 0`, "a/", "a/x"},
		},
		{
			"an id that would reach another address is not used",
			oddMatter{"": listing([]string{`{"id":"..","name":"up"}`, "a"}, nil), "a": listing(nil, nil)},
			[]string{"up/", "a/", `practice: folder "up": practice: Documents.AllEntries: folderId must not be . or ..`},
		},
		{
			"what is deleted is hidden",
			oddMatter{"": listing([]string{`{"id":"d","name":"d","isDeleted":true}`}, []string{`{"id":"x","name":"x","isDeleted":true}`, `{"id":"y","name":"y","isDeleted":false}`})},
			[]string{"y"},
		},
		{"the first folder is not there", oddMatter{}, []string{`practice: folder "": practice: Documents.AllEntries: status 404`}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			got := walked(t, test.matter.client(t), "m1", practice.WalkOptions{})
			require.Len(t, got, len(test.want), "%q", got)
			for i := range got {
				assert.True(t, strings.HasPrefix(got[i], test.want[i]), "%q, not %q", got[i], test.want[i])
			}
		})
	}
}

func TestAWalkShowsWhatIsDeletedWhenAskedTo(t *testing.T) {
	t.Parallel()
	matter := oddMatter{
		"":  listing([]string{`{"id":"d","name":"d","isDeleted":true}`}, []string{`{"id":"x","name":"x","isDeleted":true}`}),
		"d": listing(nil, []string{"y"}),
	}
	assert.Equal(t, []string{"d/", "x", "d/y"}, walked(t, matter.client(t), "m1", practice.WalkOptions{Deleted: true}))
}

func TestAMatterWithoutEndIsNotWalkedForEver(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	endless := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		return testkit.AnswerOf(200, listing([]string{req.URL.Path[strings.LastIndex(req.URL.Path, "/")+1:] + "0"}, nil)), nil
	})
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: endless}))
	require.NoError(t, err)
	levels := 0
	for entry, err := range client.Documents.Walk(t.Context(), "m1", practice.WalkOptions{}) {
		if err != nil {
			require.ErrorIs(t, err, practice.ErrTooDeep)
			continue
		}
		levels = entry.Depth()
	}
	assert.Equal(t, practice.MaxWalkDepth-1, levels)
}

func TestOptionsOfAWalkThatMakeNoSense(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := practicetest.New(t)
		client := server.Client(t)
		for argument, options := range map[string]practice.WalkOptions{"MaxDepth": {MaxDepth: -1}, "Concurrency": {Concurrency: -1}} {
			_, err := practice.Collect(client.Documents.Walk(t.Context(), server.Firm().MatterID, options))
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, argument, refused.Argument)
			assert.Equal(t, "Documents.Walk", refused.Operation)
		}
		assert.Empty(t, server.Requests())
	})
}

func TestEntriesOfAWalkDoNotShareWhatTheyMustNot(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		entries, err := practice.Collect(m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}))
		require.NoError(t, err)
		for _, entry := range entries {
			names := strings.Split(entry.Path(), "/")
			require.Len(t, names, entry.Depth())
			assert.True(t, slices.EqualFunc(names[:len(names)-1], entry.Parents, func(name string, f *models.Folder) bool { return name == f.Name }))
		}
	})
}
