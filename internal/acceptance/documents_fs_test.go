package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/practicetest"
)

// fsTree returns the contents of a file system by path. Folders end in a slash.
func fsTree(t *testing.T, fsys fs.FS) map[string]string {
	t.Helper()
	tree := map[string]string{}
	require.NoError(t, fs.WalkDir(fsys, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			tree[path+"/"] = ""
			return nil
		}
		content, err := fs.ReadFile(fsys, path)
		tree[path] = string(content)
		return err
	}))
	return tree
}

func TestAMatterIsAProperFileSystem(t *testing.T) {
	t.Parallel()
	t.Run("as it comes", func(t *testing.T) {
		t.Parallel()
		testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
			fsys := client.Documents.FS(t.Context(), server.Firm().MatterID)
			require.NoError(t, fstest.TestFS(fsys, "Letters/2024/Drafts/Draft.docx", "Letters/Letter 01.pdf", "Letters/Letter 20.pdf", "1. Agenda.docx", "Evidence"))
		})
	})
	t.Run("with names that paths cannot hold", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			for _, name := range []string{".", "..", "a/b", `a\b`, "a_b", "[x]*?", "-", "twin", "twin", strings.Repeat("ä", 256)} {
				m.file(t, m.folder(t, "", name), name, "content of "+name)
			}
			m.file(t, "", "twin", "a file")
			require.NoError(t, fstest.TestFS(m.client.Documents.FS(t.Context(), m.id), "_/_", "__/__", "[x]*?/[x]*?", "-/-"))
		})
	})
	t.Run("without anything", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			require.NoError(t, fstest.TestFS(m.client.Documents.FS(t.Context(), m.id)))
		})
	})
}

func TestAMatterIsCopiedToDisk(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		fsys := client.Documents.FS(t.Context(), server.Firm().MatterID)
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, fsys))
		copied := fsTree(t, os.DirFS(dir))
		assert.Equal(t, fsTree(t, fsys), copied)
		content, ok := server.FileContent(server.Firm().FileID)
		require.True(t, ok)
		assert.Equal(t, string(content), copied["1. Agenda.docx"])
		assert.NotContains(t, copied, "Letters/Not uploaded.pdf", "there is nothing to be read")
	})
}

func TestGlobsOfAMatter(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		fsys := m.client.Documents.FS(t.Context(), m.id)
		for pattern, want := range map[string][]string{
			"*":      {"a", "b", "top.txt"},
			"*/*":    {"a/a1", "a/a2", "a/in a.txt", "b/b1"},
			"a/?[1]": {"a/a1"}, "*.pdf": nil,
		} {
			got, err := fs.Glob(fsys, pattern)
			require.NoError(t, err)
			assert.Equal(t, want, got, pattern)
		}
	})
}

func TestAMatterIsServed(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		handler := http.FileServerFS(m.client.Documents.FS(t.Context(), m.id))
		get := func(path, rang string) *httptest.ResponseRecorder {
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, (&url.URL{Path: path}).String(), nil)
			request.Header.Set("Range", rang)
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request)
			return answer
		}
		whole := get("/a/in a.txt", "")
		assert.Equal(t, 200, whole.Code)
		assert.Equal(t, "in a", whole.Body.String())
		assert.Equal(t, "text/plain; charset=utf-8", whole.Header().Get("Content-Type"))
		assert.NotEmpty(t, whole.Header().Get("Last-Modified"))
		part := get("/a/in a.txt", "bytes=1-2")
		assert.Equal(t, 206, part.Code)
		assert.Equal(t, "n ", part.Body.String())
		list := get("/a/", "")
		assert.Contains(t, list.Body.String(), `<a href="in%20a.txt">`)
		assert.Equal(t, 404, get("/a/none", "").Code)
	})
}

func names(entries []fs.DirEntry) []string {
	var list []string
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return list
}

func TestEqualNamesAreToldApart(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		first, second := m.file(t, "", "Agenda.docx", "first"), m.file(t, "", "Agenda.docx", "second")
		folder := m.folder(t, "", "Agenda.docx")
		names := func() []string { return names(mustReadDir(t, m.client.Documents.FS(t.Context(), m.id), ".")) }
		want := []string{"Agenda (" + first[:8] + ").docx", "Agenda (" + second[:8] + ").docx", "Agenda.docx (" + folder[:8] + ")"}
		slices.Sort(want)
		assert.Equal(t, want, names())
		fsys := m.client.Documents.FS(t.Context(), m.id)
		for id, content := range map[string]string{first: "first", second: "second"} {
			got, err := fs.ReadFile(fsys, "Agenda ("+id[:8]+").docx")
			require.NoError(t, err)
			assert.Equal(t, content, string(got))
		}
		_, err := fs.Stat(fsys, "Agenda.docx")
		require.ErrorIs(t, err, fs.ErrNotExist, "none of them is taken for the only one")

		third := m.file(t, "", "Agenda.docx", "third")
		want = append(want, "Agenda ("+third[:8]+").docx")
		slices.Sort(want)
		assert.Equal(t, want, names(), "the names of the others stay")

		for _, id := range []string{first, third} {
			require.True(t, m.server.DeleteFile(id))
		}
		require.True(t, m.server.DeleteFolder(folder))
		assert.Equal(t, []string{"Agenda.docx"}, names())
	})
}

func mustReadDir(t *testing.T, fsys fs.FS, dir string) []fs.DirEntry {
	t.Helper()
	list, err := fs.ReadDir(fsys, dir)
	require.NoError(t, err)
	return list
}

func TestNamesOfAMatter(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 250)
	for _, test := range []struct {
		rule           string
		folders, files []string
		want           []string
	}{
		{"most stay", nil, []string{"Re: settlement — offer ✉.msg", "CON", "a.", " b ", "a:b", "con"}, []string{" b ", "CON", "Re: settlement — offer ✉.msg", "a.", "a:b", "con"}},
		{"upper and lower case differ", nil, []string{"a", "A"}, []string{"A", "a"}},
		{"no separator, nothing that means another folder", []string{"a/b"}, []string{`c\d`, "e\x00f", "..", ".", `{"id":"f4"}`}, []string{"_ (f3)", "_ (f4)", "__", "a_b", "c_d", "e_f"}},
		{"ids that begin alike", nil, []string{`{"id":"12345678-1","name":"a"}`, `{"id":"12345678-2","name":"a"}`}, []string{"a (123456781)", "a (123456782)"}},
		{"equal ids", []string{`{"id":"12345678-1","name":"a"}`}, []string{`{"id":"12345678-1","name":"a"}`}, []string{"a (+0)", "a (+1)"}},
		{"no id", nil, []string{`{"name":"a.b"}`, `{"name":"a.b"}`}, []string{"a (+0).b", "a (+1).b"}},
		{
			"a name that looks like one with a mark", nil, []string{`{"id":"1","name":"a"}`, `{"id":"2","name":"a"}`, `{"id":"3","name":"a (1)"}`},
			[]string{"a (1)", "a (1) (3)", "a (2)"},
		},
		{"a long one is cut before the extension", nil, []string{long + "1.docx", long + "2.docx", long + "ä"}, []string{long[:245] + " (f0).docx", long[:245] + " (f1).docx", long + "ä"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			matter := oddMatter{"": listing(recordsOf(test.folders), recordsOf(test.files))}
			got := names(mustReadDir(t, matter.client(t).Documents.FS(t.Context(), "m1"), "."))
			assert.Equal(t, test.want, got)
		})
	}
}

// recordsOf returns a record for each name.
func recordsOf(names []string) []string {
	records := slices.Clone(names)
	for i, name := range names {
		if !strings.HasPrefix(name, "{") {
			records[i] = fmt.Sprintf(`{"id":"f%d","name":%s}`, i, quoted(name))
		}
	}
	return records
}

func TestAFolderIsReadOnceAndAContentEachTime(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		smallTree(t, m)
		fsys := m.client.Documents.FS(t.Context(), m.id)
		var reading sync.WaitGroup
		for range 20 {
			reading.Go(func() {
				_, err := fs.Stat(fsys, "a/a1/a11/deep.txt")
				assert.NoError(t, err)
			})
		}
		reading.Wait()
		assert.Len(t, m.server.Requests(), 4)
		sub, err := fs.Sub(fsys, "a/a1")
		require.NoError(t, err)
		mustReadDir(t, sub, "a11")
		assert.Len(t, m.server.Requests(), 4, "a part knows what the whole has read")
		for range 2 {
			m.server.ResetRequests()
			content, err := fs.ReadFile(sub, "a11/deep.txt")
			require.NoError(t, err)
			assert.Equal(t, "deep", string(content))
			assert.Len(t, testkit.RequestsTo(m.server, practicetest.PartStorage), 1)
		}

		m.file(t, "", "new.txt", "new")
		_, err = fs.Stat(fsys, "new.txt")
		require.ErrorIs(t, err, fs.ErrNotExist)
		_, err = fs.Stat(m.client.Documents.FS(t.Context(), m.id), "new.txt")
		require.NoError(t, err)
	}, practicetest.WithLatency(time.Second))
}

func TestErrorsOfAFileSystemArePathErrors(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		f := server.Firm()
		fsys := func(matterID string) *practice.MatterFS { return client.Documents.FS(t.Context(), matterID) }
		read := func(matterID, dir string) error { return testkit.Discard(fsys(matterID).ReadDir(dir)) }
		gone := fsys(f.MatterID)
		_, err := gone.Stat("1. Agenda.docx")
		require.NoError(t, err)
		require.True(t, server.DeleteFile(f.FileID))
		for _, test := range []struct {
			rule string
			err  error
			op   string
			want []error
		}{
			{"an unknown matter", read(testkit.UnknownID, "."), "readdir", []error{fs.ErrNotExist, practice.ErrNotFound}},
			{"a matter of another firm", read(f.OtherFirmMatterID, "."), "readdir", []error{fs.ErrPermission, practice.ErrForbidden}},
			{"an unknown name", read(f.MatterID, "none"), "readdir", []error{fs.ErrNotExist}},
			{"a name below a file", read(f.MatterID, "1. Agenda.docx/x"), "readdir", []error{fs.ErrNotExist}},
			{"a path that is none", read(f.MatterID, "/"), "readdir", []error{fs.ErrInvalid}},
			{"open", testkit.Discard(fsys(f.MatterID).Open("none")), "open", []error{fs.ErrNotExist}},
			{"stat", testkit.Discard(fsys(f.MatterID).Stat("none")), "stat", []error{fs.ErrNotExist}},
			{"sub", testkit.Discard(fsys(f.MatterID).Sub("none")), "sub", []error{fs.ErrNotExist}},
			{"sub of a file", testkit.Discard(gone.Sub("1. Agenda.docx")), "sub", nil},
			{"readdir of a file", testkit.Discard(gone.ReadDir("1. Agenda.docx")), "readdir", nil},
			{"readfile of a folder", testkit.Discard(gone.ReadFile("Letters")), "readfile", nil},
			{"readfile of nothing", testkit.Discard(gone.ReadFile("..")), "readfile", []error{fs.ErrInvalid}},
			{"a file that is gone by now", testkit.Discard(gone.ReadFile("1. Agenda.docx")), "readfile", []error{fs.ErrNotExist, practice.ErrNotFound}},
		} {
			failed, ok := errors.AsType[*fs.PathError](test.err)
			require.True(t, ok, "%s: %v", test.rule, test.err)
			assert.Equal(t, test.op, failed.Op, test.rule)
			for _, want := range test.want {
				require.ErrorIs(t, test.err, want, test.rule)
			}
		}
		assert.True(t, testkit.IsArgumentError(read("", ".")))
		file, err := gone.Open("1. Agenda.docx")
		require.NoError(t, err)
		_, err = file.Read(make([]byte, 1))
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}

func TestAFolderWithFaultyEntriesGivesTheOthers(t *testing.T) {
	t.Parallel()
	reads := 0
	matter := oddMatter{"": listing([]string{"a", `{"id":"b","isDeleted":"perhaps"}`}, []string{"x"}), "a": listing(nil, []string{"y"})}
	transport := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		reads++
		return matter.RoundTrip(req)
	})
	client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: transport}))
	require.NoError(t, err)
	fsys := client.Documents.FS(t.Context(), "m1")
	isFault := func(err error) bool {
		_, ok := errors.AsType[*practice.RecordError](err)
		return ok
	}
	list, err := fsys.ReadDir(".")
	assert.True(t, isFault(err), "%v", err)
	assert.Equal(t, []string{"a", "x"}, names(list))
	_, err = fsys.Stat("a/y")
	require.NoError(t, err, "what can be read is there")
	_, err = fsys.Stat("b")
	assert.True(t, isFault(err), "what is not found may be what could not be read: %v", err)
	require.NotErrorIs(t, err, fs.ErrNotExist)

	var visited []string
	faults := 0
	require.NoError(t, fs.WalkDir(fsys, ".", func(path string, _ fs.DirEntry, err error) error {
		if isFault(err) {
			faults++
			return nil
		}
		visited = append(visited, path)
		return err
	}))
	assert.Equal(t, []string{".", "a", "a/y", "x"}, visited)
	assert.Equal(t, 1, faults)

	file, err := fsys.Open(".")
	require.NoError(t, err)
	folder := file.(fs.ReadDirFile)
	for range 2 {
		some, err := folder.ReadDir(1)
		require.NoError(t, err)
		assert.Len(t, some, 1)
	}
	_, err = folder.ReadDir(1)
	assert.True(t, isFault(err), "%v", err)
	_, err = folder.ReadDir(1)
	assert.Equal(t, io.EOF, err)
	assert.Greater(t, reads, 4, "such a folder is not kept")
}

func TestDeletedEntriesAreHiddenUnlessAskedFor(t *testing.T) {
	t.Parallel()
	matter := oddMatter{
		"":  listing([]string{`{"id":"d","name":"d","isDeleted":true}`, `{"id":"d2","name":"d"}`}, []string{`{"id":"x","name":"x","isDeleted":true}`}),
		"d": listing(nil, []string{"y"}), "d2": listing(nil, nil),
	}
	fsys := matter.client(t).Documents.FS(t.Context(), "m1")
	assert.Equal(t, []string{"d"}, names(mustReadDir(t, fsys, ".")))
	assert.Equal(t, []string{"d (d)", "d (d2)", "x"}, names(mustReadDir(t, fsys.WithDeleted(), ".")))
	assert.Equal(t, []string{"y"}, names(mustReadDir(t, fsys.WithDeleted(), "d (d)")))
	assert.Equal(t, []string{"d"}, names(mustReadDir(t, fsys, ".")), "the first one is as it was")
}

func TestAFolderInsideItselfEndsTheRecursion(t *testing.T) {
	t.Parallel()
	matter := oddMatter{"": listing([]string{"a", `{"name":"root?"}`}, nil), "a": listing([]string{"b"}, nil), "b": listing([]string{`{"id":"A"}`}, nil)}
	var visited []string
	cycles := 0
	require.NoError(t, fs.WalkDir(matter.client(t).Documents.FS(t.Context(), "m1"), ".", func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, practice.ErrFolderCycle) {
			cycles++
			return nil
		}
		visited = append(visited, path)
		return err
	}))
	assert.Equal(t, []string{".", "a", "a/b", "a/b/_", "root?"}, visited)
	assert.Equal(t, 2, cycles)
}

func TestAFileSystemEndsWithItsContext(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		fsys := client.Documents.FS(ctx, server.Firm().MatterID)
		mustReadDir(t, fsys, ".")
		cancel()
		mustReadDir(t, fsys, ".")
		_, err := fs.ReadDir(fsys, "Letters")
		require.ErrorIs(t, err, context.Canceled)
		_, err = fs.ReadFile(fsys, "1. Agenda.docx")
		require.ErrorIs(t, err, context.Canceled)
	})
}

// FuzzNamesOfAMatter checks that each folder and file has its own path in a
// file system, whatever its name.
func FuzzNamesOfAMatter(f *testing.F) {
	f.Add("a", "a", "a (1)", "", "1", "2", "1", ".")
	f.Add("a (+1).", "a. (+2)", "a (+1). (+2)", "a (+0)", "", "", "", "")
	f.Add(strings.Repeat("ä", 200)+".docx", strings.Repeat("ä", 200)+".docx", "CON", "..", "x", "X", "x", "\xff/\\\x00")
	f.Fuzz(func(t *testing.T, name1, name2, name3, name4, id1, id2, id3, id4 string) {
		record := func(id, name string) string { return `{"id":` + quoted(id) + `,"name":` + quoted(name) + `}` }
		matter := oddMatter{"": listing([]string{record(id1, name1), record(id2, name2)}, []string{record(id3, name3), record(id4, name4)})}
		fsys := matter.client(t).Documents.FS(t.Context(), "m1")
		got := names(mustReadDir(t, fsys, "."))
		for _, name := range got {
			assert.True(t, fs.ValidPath(name) && name != "." && !strings.ContainsAny(name, "/\\\x00"), "%q", name)
			assert.LessOrEqual(t, len(name), 255)
			_, err := fsys.Stat(name)
			require.NoError(t, err)
		}
		assert.Equal(t, got, names(mustReadDir(t, matter.client(t).Documents.FS(t.Context(), "m1"), ".")), "stable")
		unique := slices.Compact(slices.Clone(got))
		assert.Len(t, unique, len(got), "%q", got)
	})
}

// quoted returns text as a JSON string.
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(encoded)
}
