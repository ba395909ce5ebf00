package mirror_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// localTree returns a tree with nested folders and an empty folder.
func localTree() fstest.MapFS {
	return fstest.MapFS{
		"readme.txt":             {Data: []byte("read me")},
		"empty.txt":              {},
		"letters/a.pdf":          {Data: []byte("letter a")},
		"letters/b.pdf":          {Data: []byte("letter b"), ModTime: testkit.SomeTime},
		"letters/2026/draft.txt": {Data: []byte("draft")},
		"nothing in it":          {Mode: fs.ModeDir},
	}
}

// dirResults holds the results of files: the action by path, or the text of the
// error.
type dirResults map[string]string

func (r dirResults) add(result mirror.Result) {
	text := string(result.Action)
	if result.IsDir {
		text += " folder"
	}
	r[result.Path] = text
}

// actions returns the results of a tree with the same action for every file.
func actions(tree fs.FS, action mirror.Action) dirResults {
	all := dirResults{}
	_ = fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, _ error) error {
		if !entry.IsDir() {
			all[path] = string(action)
		}
		return nil
	})
	return all
}

// contents returns the files of a tree, and its folders with a slash.
func contents(t *testing.T, tree fs.FS) map[string]string {
	t.Helper()
	all := fsTree(t, tree)
	delete(all, "./")
	return all
}

func (m *testMatter) contents(t *testing.T) map[string]string {
	t.Helper()
	return contents(t, m.client.Documents.FS(t.Context(), m.id))
}

// writes returns the number of requests that create something, by operation.
func (m *testMatter) writes() map[string]int {
	all := map[string]int{}
	for _, r := range m.server.Requests() {
		if r.Method != http.MethodGet {
			all[r.Operation]++
		}
	}
	return all
}

func TestALocalTreeIsUploaded(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		results := dirResults{}
		options := mirror.Options{Result: results.add}
		require.NoError(t, pushTree(t.Context(), m.client, m.id, localTree(), options))
		assert.Equal(t, contents(t, localTree()), m.contents(t))
		assert.Equal(t, actions(localTree(), mirror.Created), results)
		assert.Equal(t, map[string]int{"createFolder": 3, "createFile": 5, "storage.put": 5}, m.writes())
		info, err := fs.Stat(m.client.Documents.FS(t.Context(), m.id), "letters/b.pdf")
		require.NoError(t, err)
		assert.Equal(t, testkit.SomeTime, info.Sys().(*models.File).DateCreated.Time())

		m.server.ResetRequests()
		clear(results)
		require.NoError(t, pushTree(t.Context(), m.client, m.id, localTree(), options))
		assert.Empty(t, m.writes(), "everything is there")
		assert.Equal(t, actions(localTree(), mirror.Kept), results)
		assert.Equal(t, contents(t, localTree()), m.contents(t))
	})
}

func TestATreeGoesIntoAFolder(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		folder := m.folder(t, "", "Scans")
		letters := m.folder(t, folder, "letters")
		m.folder(t, "", "letters")
		m.file(t, letters, "c.pdf", "letter c")
		for range 2 {
			require.NoError(t, pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{FolderID: folder}))
		}
		want := contents(t, localTree())
		want["letters/c.pdf"] = "letter c"
		sub, err := fs.Sub(m.client.Documents.FS(t.Context(), m.id), "Scans")
		require.NoError(t, err)
		assert.Equal(t, want, contents(t, sub), "what is only in the service stays")
		assert.Empty(t, mustReadDir(t, m.client.Documents.FS(t.Context(), m.id), "letters"))
	})
}

func TestADirectoryOnDiskIsUploaded(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, localTree()))
		require.NoError(t, os.Symlink("readme.txt", filepath.Join(dir, "link")))
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".practice-0123.part"), []byte("half"), 0o600))
		results := dirResults{}
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{Result: results.add}))
		want := actions(localTree(), mirror.Created)
		want["link"] = "ignored"
		assert.Equal(t, want, results)
		assert.Equal(t, contents(t, localTree()), m.contents(t))
	})
}

// A matter can also be the source tree.
func TestAMatterIsCopiedIntoAnother(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		from := m.client.Documents.FS(t.Context(), m.server.Firm().MatterID)
		require.NoError(t, pushTree(t.Context(), m.client, m.id, from, mirror.Options{}))
		assert.Equal(t, contents(t, from), m.contents(t))
	})
}

func TestWhatIsThereDecidesWhatHappensToAFile(t *testing.T) {
	t.Parallel()
	const name, content = "a.txt", "content"
	waiting := func(t *testing.T, m *testMatter) string {
		t.Helper()
		info, err := m.client.Documents.CreateFile(t.Context(), m.id, models.FileCreate{FileName: name})
		require.NoError(t, err)
		m.server.Settle()
		return info.FileID
	}
	for _, test := range []struct {
		rule   string
		there  func(t *testing.T, m *testMatter) (id string)
		action mirror.Action
		files  int // number of files of that name at the end
	}{
		{"nothing", func(*testing.T, *testMatter) string { return "" }, mirror.Created, 1},
		{"the same size", func(t *testing.T, m *testMatter) string { return m.file(t, "", name, "CONTENT") }, mirror.Kept, 1},
		{"another size", func(t *testing.T, m *testMatter) string { return m.file(t, "", name, "short") }, mirror.Updated, 1},
		{"no content", waiting, mirror.Resumed, 1},
		{"another name", func(t *testing.T, m *testMatter) string { m.file(t, "", "A.txt", content); return "" }, mirror.Created, 1},
		{"a folder of that name", func(t *testing.T, m *testMatter) string { m.folder(t, "", name); return "" }, mirror.Created, 1},
		{"one of several that is the same", func(t *testing.T, m *testMatter) string {
			m.file(t, "", name, "short")
			id := m.file(t, "", name, content)
			waiting(t, m)
			return id
		}, mirror.Kept, 3},
		{"a deleted one", func(t *testing.T, m *testMatter) string {
			m.server.DeleteFile(m.file(t, "", name, content))
			return ""
		}, mirror.Created, 1},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				id := test.there(t, m)
				var result mirror.Result
				options := mirror.Options{Result: func(r mirror.Result) { result = r }}
				require.NoError(t, pushTree(t.Context(), m.client, m.id, fstest.MapFS{name: {Data: []byte(content)}}, options))
				assert.Equal(t, test.action, result.Action)
				assert.EqualValues(t, len(content), result.Size)
				if id != "" {
					assert.Equal(t, id, result.ID, "no second file is made")
				}
				stored, ok := m.server.FileContent(result.ID)
				require.True(t, ok)
				assert.True(t, strings.EqualFold(content, string(stored)))
				files := 0
				for entry, err := range m.client.Documents.AllEntries(t.Context(), m.id, "") {
					require.NoError(t, err)
					if entry.File != nil && entry.Name() == name {
						files++
					}
				}
				assert.Equal(t, test.files, files)
			})
		})
	}
}

func TestAmbiguousNamesAreReported(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		folders := []string{m.folder(t, "", "letters"), m.folder(t, "", "letters")}
		files := []string{m.file(t, "", "readme.txt", "x"), m.file(t, "", "readme.txt", "y")}
		results := dirResults{}
		err := pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{Result: results.add})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		require.Len(t, failed.Failed, 2)
		assert.Equal(t, "letters", failed.Failed[0].Path)
		assert.True(t, failed.Failed[0].IsDir)
		assert.Equal(t, &practice.AmbiguousFolderError{Name: "letters", IDs: folders}, failed.Failed[0].Err)
		assert.Equal(t, &mirror.AmbiguousFileError{Name: "readme.txt", IDs: files}, failed.Failed[1].Err)
		assert.Equal(t, []int{1, 3}, []int{failed.Done, failed.Left}, "the rest is done, except what lies in the folder")
		several, ok := errors.AsType[*practice.AmbiguousFolderError](err)
		require.True(t, ok)
		assert.Equal(t, "letters", several.Name)
		assert.EqualError(t, err, `mirror: Mirror.Push: 2 failed, 3 left, 1 done; "letters": practice: 2 folders are named "letters"; `+
			`"readme.txt": mirror: 2 files are named "readme.txt"`)
		assert.Equal(t, dirResults{"letters": "failed folder", "readme.txt": "failed", "empty.txt": "created"}, results)
		assert.Equal(t, 1, m.writes()["createFolder"])
	})
}

func TestProgressOfATreeIsOneSum(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := fstest.MapFS{"kept": {Data: []byte("kept")}}
		m.file(t, "", "kept", "KEPT")
		for _, name := range []string{"a", "b", "c/d", "c/e"} {
			tree[name] = &fstest.MapFile{Data: contentOf(t, 1<<20)}
		}
		var told []int64
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Progress: func(done, total int64) {
			assert.EqualValues(t, 4<<20, total, "what need not be sent does not count")
			told = append(told, done)
		}}))
		assert.True(t, slices.IsSorted(told))
		assert.EqualValues(t, 0, told[0])
		assert.EqualValues(t, 4<<20, told[len(told)-1])
		assert.Greater(t, len(told), 8)
	})
}

func TestTooManyTransfersAtATimeAreNone(t *testing.T) {
	t.Parallel()
	for concurrency, want := range map[int]int32{1: 1, 3: 3, 0: 8} {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			tree := fstest.MapFS{}
			for i := range 40 {
				tree[strings.Repeat("x", i+1)] = &fstest.MapFile{Data: []byte("x")}
			}
			m.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultLatency, Delay: time.Second, Times: -1})
			flying := newInFlight(m.server.HTTPClient().Transport)
			client := m.server.Client(t, practice.WithHTTPClient(&http.Client{Transport: flying}))
			require.NoError(t, pushTree(t.Context(), client, m.id, tree, mirror.Options{Concurrency: concurrency}))
			assert.Equal(t, want, flying.most.Load())
		})
	}
}

func TestArgumentsOfUploadDir(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		for argument, call := range map[string]func() error{
			"matterID": func() error {
				return pushTree(t.Context(), m.client, "", localTree(), mirror.Options{})
			},
			"FolderID": func() error {
				return pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{FolderID: ".."})
			},
			"Concurrency": func() error {
				return pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{Concurrency: -1})
			},
			"dir": func() error {
				return pushTree(t.Context(), m.client, m.id, nil, mirror.Options{})
			},
		} {
			refused, ok := errors.AsType[*practice.ArgumentError](call())
			require.True(t, ok, argument)
			assert.Equal(t, argument, refused.Argument)
			assert.Equal(t, "Mirror.Push", refused.Operation)
		}
		assert.Empty(t, m.server.Requests())
	})
}

// archived is a file system whose files can only be read sequentially, like
// those in archives.
type archived struct{ fs.FS }

func (u archived) Open(name string) (fs.File, error) {
	file, err := u.FS.Open(name)
	if _, isDir := file.(fs.ReadDirFile); err != nil || isDir {
		return file, err
	}
	return struct{ fs.File }{file}, nil
}

func TestFilesThatCannotSeekAreKeptForAnotherAttempt(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		data := contentOf(t, 300_000)
		m.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultResetBefore, After: 200_000, Times: 2})
		require.NoError(t, pushTree(t.Context(), m.client, m.id, archived{fstest.MapFS{"a.txt": {Data: data}}}, mirror.Options{}))
		assert.Equal(t, map[string]int{"createFile": 1, "storage.put": 3}, m.writes())
		stored, err := fs.ReadFile(m.client.Documents.FS(t.Context(), m.id), "a.txt")
		require.NoError(t, err)
		assert.True(t, bytes.Equal(data, stored))
	})
}

// brokenTree has unreadable paths.
type brokenTree struct {
	fstest.MapFS
	broken map[string]error
}

func (b brokenTree) Open(name string) (fs.File, error) {
	if err := b.broken[name]; err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return b.MapFS.Open(name)
}

func (b brokenTree) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := b.broken[name]; err != nil {
		return nil, err
	}
	return b.MapFS.ReadDir(name)
}

func TestWhatCannotBeReadDoesNotStopTheRest(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := brokenTree{localTree(), map[string]error{"letters/2026": fs.ErrPermission, "letters/a.pdf": os.ErrDeadlineExceeded}}
		tree.MapFS["bad\xffname"] = &fstest.MapFile{Data: []byte("x")}
		tree.MapFS["folder\xff/inside"] = &fstest.MapFile{Data: []byte("x")}
		err := pushTree(t.Context(), m.client, m.id, tree, mirror.Options{})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		require.ErrorIs(t, err, fs.ErrPermission)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		var paths []string
		for _, f := range failed.Failed {
			paths = append(paths, f.Path)
		}
		assert.Equal(t, []string{"bad\xffname", "folder\xff", "letters/2026", "letters/a.pdf"}, paths)
		assert.ErrorContains(t, failed.Failed[0].Err, "is not valid UTF-8")
		assert.ErrorContains(t, failed.Failed[1].Err, "is not valid UTF-8")
		assert.Equal(t, []int{3, 0}, []int{failed.Done, failed.Left}, "every file was tried")
		want := contents(t, localTree())
		for _, path := range []string{"letters/a.pdf", "letters/2026/", "letters/2026/draft.txt"} {
			delete(want, path)
		}
		assert.Equal(t, want, m.contents(t))
	})
	t.Run("not even the root", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			err := pushTree(t.Context(), m.client, m.id, os.DirFS(filepath.Join(t.TempDir(), "none")), mirror.Options{})
			require.ErrorIs(t, err, fs.ErrNotExist)
			assert.Empty(t, m.writes())
		})
	})
}

func TestATreeThatChangesWhileItIsSent(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		for _, name := range []string{"grows", "shrinks", "vanishes", "stays"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("1234"), 0o600))
		}
		options := mirror.Options{Progress: func(done, total int64) {
			if done == 0 { // the total is known, and nothing was sent yet
				assert.EqualValues(t, 16, total)
				assert.NoError(t, os.WriteFile(filepath.Join(dir, "grows"), []byte("123456"), 0o600))
				assert.NoError(t, os.WriteFile(filepath.Join(dir, "shrinks"), []byte("1"), 0o600))
				assert.NoError(t, os.Remove(filepath.Join(dir, "vanishes")))
				return
			}
			assert.LessOrEqual(t, done, total)
		}}
		err := mirror.Push(t.Context(), m.client, m.id, dir, options)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorIs(t, err, mirror.ErrChanged)
		assert.ErrorContains(t, err, `"vanishes": the file or folder changed during the call: file does not exist`)
		assert.Equal(t, map[string]string{"grows": "123456", "shrinks": "1", "stays": "1234"}, m.contents(t))
	})
}

func TestResultsNameWhatTheyAreAbout(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		byPath := map[string]mirror.Result{}
		require.NoError(t, pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{
			Result: func(r mirror.Result) { byPath[r.Path] = r },
		}))
		fsys := m.client.Documents.FS(t.Context(), m.id)
		for path, result := range maps.All(byPath) {
			info, err := fs.Stat(fsys, path)
			require.NoError(t, err)
			assert.Equal(t, info.Sys().(*models.File).ID, result.ID)
			assert.Equal(t, info.Size(), result.Size)
			require.NoError(t, result.Err)
		}
	})
}

// inFlight counts concurrent requests.
type inFlight struct {
	next      http.RoundTripper
	now, most atomic.Int32
}

func newInFlight(next http.RoundTripper) *inFlight { return &inFlight{next: next} }

func (f *inFlight) RoundTrip(r *http.Request) (*http.Response, error) {
	now := f.now.Add(1)
	defer f.now.Add(-1)
	for most := f.most.Load(); now > most && !f.most.CompareAndSwap(most, now); most = f.most.Load() {
	}
	return f.next.RoundTrip(r)
}
