package acceptance_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// smallPages limits the size of the pages of the service, whatever the client
// requests.
func smallPages(limit int) practice.ClientOption {
	return practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			small := req.Clone(req.Context())
			small.URL.RawQuery = strings.Replace(small.URL.RawQuery, "limit=500", "limit="+strconv.Itoa(limit), 1)
			return next.RoundTrip(small)
		})
	})
}

// TestADeletedFolderIsAnErrorOfItsOwn checks that a deleted folder is not read
// as an empty one: a backup of it would succeed empty, and an upload into it
// would be invisible.
func TestADeletedFolderIsAnErrorOfItsOwn(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		id := m.folder(t, "", "letters")
		require.True(t, m.server.DeleteFolder(id))
		ctx, documents := t.Context(), m.client.Documents
		_, entries := practice.Collect(documents.AllEntries(ctx, m.id, id))
		_, walk := practice.Collect(documents.Walk(ctx, m.id, practice.WalkOptions{FolderID: id}))
		_, ensure := documents.EnsureFolder(ctx, m.id, models.FolderWrite{Name: "a", ParentFolderID: id}, practice.EnsureFolderOptions{})
		for way, err := range map[string]error{
			"AllEntries": entries, "Walk": walk, "EnsureFolder": ensure,
		} {
			require.ErrorIs(t, err, practice.ErrFolderDeleted, way)
		}
		for _, r := range m.server.Requests() {
			assert.Equal(t, http.MethodGet, r.Method)
		}
		page, err := documents.ListFolder(ctx, m.id, id, practice.FolderListOptions{})
		require.NoError(t, err)
		assert.True(t, page.IsDeleted.Or(false))
		require.NoError(t, testkit.Discard(practice.Collect(documents.Walk(ctx, m.id, practice.WalkOptions{Deleted: true}))))
	})
}

// entryNames returns the names of a walk; those of folders end in a slash.
func entryNames(t *testing.T, client *practice.Client, matterID, folderID string, opts ...practice.CallOption) []string {
	t.Helper()
	entries, err := practice.Collect(client.Documents.AllEntries(t.Context(), matterID, folderID, opts...))
	require.NoError(t, err)
	var names []string
	for _, entry := range entries {
		name := entry.Name()
		if entry.Folder != nil {
			assert.Nil(t, entry.File)
			name += "/"
		}
		names = append(names, name)
	}
	return names
}

func TestEntriesAreFoldersThenFilesOnAllPages(t *testing.T) {
	t.Parallel()
	want := []string{"2024/", "2025/", "2026/", "1. Agenda.docx"}
	for i := range 20 {
		want = append(want, fmt.Sprintf("Letter %02d.pdf", i+1))
	}
	want = append(want, "Not uploaded.pdf")
	for _, limit := range []int{1, 2, 3, 4, 5, 24, 25, 26, 500} {
		for _, prefetch := range []int{0, 1, 4} {
			t.Run(fmt.Sprintf("pages of %d, %d ahead", limit, prefetch), func(t *testing.T) {
				t.Parallel()
				testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, _ *practice.Client) {
					f := server.Firm()
					client := server.Client(t, smallPages(limit))
					assert.Equal(t, want, entryNames(t, client, f.MatterID, f.FolderID, practice.WithPrefetch(prefetch)))
					assert.Len(t, server.Requests(), (len(want)+limit-1)/limit, "no page twice, none beyond the last")
				})
			})
		}
	}
}

func TestEntriesOfTheRoot(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		matter := server.Firm().MatterID
		assert.Equal(t, []string{"Letters/", "Contracts/", "Court/", "Evidence/", "1. Agenda.docx", "Contract of sale (signed).pdf"},
			entryNames(t, client, matter, ""))
		testkit.AssertSent(t, server, "GET", "/matters/"+matter+"/documents/folders", "")
	})
}

// listing returns the JSON of a page of a folder. An entry that begins with a
// brace is inserted unchanged.
func listing(folders, files []string, members ...string) string {
	records := func(names []string) string {
		var list []string
		for _, name := range names {
			if !strings.HasPrefix(name, "{") {
				name = fmt.Sprintf(`{"id":%q,"name":%q}`, name, name)
			}
			list = append(list, name)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	return testkit.Page([]string{`{"folders":` + records(folders) + `,"files":` + records(files) + `}`}, members...)
}

func TestEntriesOfAnOddService(t *testing.T) {
	t.Parallel()
	offset := func(q url.Values) int {
		n, _ := strconv.Atoi(q.Get("offset"))
		return n
	}
	for _, test := range []struct {
		name    string
		folder  string
		pages   func(url.Values) string
		want    []string
		queries []string
		err     error
	}{
		{
			name: "without next, the size leads on by folders and files", folder: "f1",
			pages: func(q url.Values) string {
				switch offset(q) {
				case 0:
					return listing([]string{"a", "b"}, []string{"x"}, "size", "5")
				case 3:
					return listing(nil, []string{"y", "z"}, "size", "5")
				}
				return "not asked for"
			},
			want:    []string{"folder a", "folder b", "file x", "file y", "file z"},
			queries: []string{"limit=500&offset=0", "limit=500&offset=3"},
		},
		{
			name: "the root is asked for without a position, then as it says",
			pages: func(q url.Values) string {
				if offset(q) == 0 {
					return listing([]string{"a"}, nil, "next", testkit.LinkTo("https://api.example.test/v1/matters/m1/documents/folders?limit=1&offset=1"))
				}
				return listing(nil, []string{"x"})
			},
			want:    []string{"folder a", "file x"},
			queries: []string{"", "limit=500&offset=1"},
		},
		{
			name: "several listings on one page: all folders first", folder: "f1",
			pages: func(url.Values) string {
				one := `{"folders":[{"id":"a"}],"files":[{"id":"x"}]}`
				two := `{"folders":[{"id":"b"}],"files":null}`
				return testkit.Page([]string{one, two, `{}`}, "size", "3")
			},
			want: []string{"folder a", "folder b", "file x"}, queries: []string{"limit=500&offset=0"},
		},
		{
			name: "a folder and a file may have the same id", folder: "f1",
			pages: func(url.Values) string { return listing([]string{"same"}, []string{"same"}) },
			want:  []string{"folder same", "file same"}, queries: []string{"limit=500&offset=0", "limit=500&offset=2"},
		},
		{
			name: "no listing in a folder without entries", folder: "f1",
			pages: func(url.Values) string { return `{"value":null,"size":0}` }, queries: []string{"limit=500&offset=0"},
		},
		{
			name: "an entry that goes away meanwhile may have hidden another", folder: "f1",
			pages: func(q url.Values) string {
				if offset(q) == 0 {
					return listing([]string{"a"}, []string{"x"}, "size", "4")
				}
				return listing(nil, []string{"z"}, "size", "3")
			},
			want: []string{"folder a", "file x", "file z"}, queries: []string{"limit=500&offset=0", "limit=500&offset=2"}, err: practice.ErrListChanged,
		},
		{
			name: "a page that comes again", folder: "f1",
			pages: func(url.Values) string { return listing([]string{"a"}, []string{"x"}, "size", "9") },
			want:  []string{"folder a", "file x"}, queries: []string{"limit=500&offset=0", "limit=500&offset=2"}, err: practice.ErrRepeatedPage,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			service := &testkit.Scripted{Pages: test.pages}
			var got []string
			var failed error
			for entry, err := range testkit.ScriptedClient(t, service).Documents.AllEntries(t.Context(), "m1", test.folder, practice.WithPrefetch(0)) {
				switch {
				case err != nil:
					failed = err
				case entry.Folder != nil:
					got = append(got, "folder "+entry.ID())
				default:
					got = append(got, "file "+entry.ID())
				}
			}
			require.ErrorIs(t, failed, test.err)
			if test.err != nil {
				require.ErrorContains(t, failed, "Documents.AllEntries: offset 2: ")
			}
			assert.Equal(t, test.want, got)
			var queries []string
			for _, q := range service.Asked {
				queries = append(queries, q.Encode())
			}
			assert.Equal(t, test.queries, queries)
		})
	}
}

func TestAFaultyEntryCostsThatEntryOnly(t *testing.T) {
	t.Parallel()
	bad := func(id string) string { return `{"id":"` + id + `","isDeleted":"perhaps"}` }
	for _, test := range []struct {
		name           string
		folders, files []string
		want           []string
	}{
		{
			"folders and files", []string{"a", bad("b"), "c"}, []string{"x", bad("y"), bad("z"), "w"},
			[]string{"a", "fault 1 value[0].folders[1]", "c", "x", "fault 4 value[0].files[1]", "fault 5 value[0].files[2]", "w"},
		},
		{"the first of each", []string{bad("a"), "b"}, []string{bad("x"), "y"}, []string{"fault 0 value[0].folders[0]", "b", "fault 2 value[0].files[0]", "y"}},
		{"nothing else", []string{bad("a")}, []string{bad("x")}, []string{"fault 0 value[0].folders[0]", "fault 1 value[0].files[0]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			service := &testkit.Scripted{Pages: func(url.Values) string { return listing(test.folders, test.files) }}
			var got []string
			for entry, err := range testkit.ScriptedClient(t, service).Documents.AllEntries(t.Context(), "m1", "f1") {
				if err == nil {
					got = append(got, entry.ID())
					continue
				}
				fault, ok := errors.AsType[*practice.RecordError](err)
				require.True(t, ok, "%v", err)
				assert.Equal(t, "Documents.AllEntries", fault.Operation)
				assert.Contains(t, string(fault.Raw), "perhaps")
				require.ErrorContains(t, err, "("+fault.Path+") could not be read")
				got = append(got, fmt.Sprintf("fault %d %s", fault.Index, fault.Path))
			}
			assert.Equal(t, test.want, got)

			service = &testkit.Scripted{Pages: service.Pages}
			listed, err := testkit.ScriptedClient(t, service).Documents.ListFolder(t.Context(), "m1", "f1", practice.FolderListOptions{})
			_, ok := errors.AsType[*practice.RecordError](err)
			require.True(t, ok, "a page that misses an entry says so: %v", err)
			require.NotNil(t, listed)
			entries := len(listed.Items[0].Folders) + len(listed.Items[0].Files)
			assert.Equal(t, len(test.folders)+len(test.files)-strings.Count(strings.Join(test.want, " "), "fault"), entries)
		})
	}
}

func TestFaultyEntriesAreNumberedOverPagesAndListings(t *testing.T) {
	t.Parallel()
	const bad = `{"isDeleted":"perhaps"}`
	service := &testkit.Scripted{Pages: func(q url.Values) string {
		if q.Get("offset") == "0" {
			return testkit.Page([]string{`{"files":[{"id":"x"},` + bad + `],"folders":[` + bad + `,{"id":"a"}]}`, `[]`, `{"folders":[{"id":"b"},` + bad + `]}`},
				"size", "9", "offset", "0")
		}
		return testkit.Page([]string{`{"files":[{"id":"y"},` + bad + `]}`}, "size", "9", "offset", "7")
	}}
	var got []string
	for entry, err := range testkit.ScriptedClient(t, service).Documents.AllEntries(t.Context(), "m1", "f1") {
		if fault, ok := errors.AsType[*practice.RecordError](err); ok {
			got = append(got, fmt.Sprintf("%d %s", fault.Index, fault.Path))
			continue
		}
		require.NoError(t, err)
		got = append(got, entry.ID())
	}
	assert.Equal(t, []string{
		"0 value[1]", "1 value[0].folders[0]", "a", "b", "4 value[2].folders[1]", "x", "6 value[0].files[1]", "y", "8 value[0].files[1]",
	}, got)
	assert.Equal(t, "7", service.Asked[1].Get("offset"), "faulty ones count for the position")
}

func TestAnEntryOfNothing(t *testing.T) {
	t.Parallel()
	assert.Empty(t, practice.Entry{}.ID())
	assert.Empty(t, practice.Entry{}.Name())
	file := practice.Entry{File: &models.File{ID: "x", Name: "LICENCE"}}
	assert.Equal(t, "LICENCE", file.Name(), "a file may have no extension")
}

func TestEntriesOfAFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		for folder, want := range map[string]error{testkit.UnknownID: practice.ErrNotFound, f.OtherFirmFolderID: practice.ErrForbidden} {
			entries, err := practice.Collect(client.Documents.AllEntries(t.Context(), f.MatterID, folder))
			require.ErrorIs(t, err, want)
			assert.Empty(t, entries)
		}
		_, err := practice.Collect(client.Documents.AllEntries(t.Context(), f.MatterID, "../"+f.FolderID))
		assert.True(t, testkit.IsArgumentError(err), "%v", err)
	})
}

// TestAFolderPageFullOfFaultsTakesLinearTime checks that the time for a page
// with a fault in every entry is not quadratic, which would take minutes here.
func TestAFolderPageFullOfFaultsTakesLinearTime(t *testing.T) {
	soak.NotWithRaceDetector(t, "one call at a time")
	t.Parallel()
	faults := soak.Times(20_000, 100_000)
	body := `{"value":[{"folders":[` + strings.Repeat("1,", faults) + `1],"files":[` + strings.Repeat("1,", faults) + `1]}]}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	defer server.Close()
	client := testkit.BareClient(t, server.URL)
	page, err := client.Documents.ListRootFolder(t.Context(), "m", practice.RootFolderListOptions{})
	require.NotNil(t, page)
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%T", err)
	require.Len(t, joined.Unwrap(), 2*(faults+1))
	var last *practice.RecordError
	require.ErrorAs(t, joined.Unwrap()[2*faults+1], &last)
	assert.Equal(t, 2*faults+1, last.Index, "all folders, then all files")
}
