package mirror_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// onDisk returns the contents of a local folder, without the manifest.
func onDisk(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := contents(t, os.DirFS(dir))
	delete(all, ".practice-manifest.jsonl")
	return all
}

// backup pulls a matter and returns the results.
func (m *testMatter) backup(t *testing.T, dir string, options mirror.Options, opts ...practice.CallOption) (dirResults, error) {
	t.Helper()
	results := dirResults{}
	options.Result = results.add
	return results, mirror.Pull(t.Context(), m.client, m.id, dir, options, opts...)
}

// inFilledMatter runs a test on a matter with the files of the local tree. They
// are created one after another, so that the service lists them in a fixed
// order.
func inFilledMatter(t *testing.T, test func(t *testing.T, m *testMatter), opts ...practicetest.Option) {
	t.Helper()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		require.NoError(t, pushTree(t.Context(), m.client, m.id, localTree(), mirror.Options{Concurrency: 1}))
		m.server.ResetRequests()
		test(t, m)
	}, opts...)
}

func TestAMatterIsBroughtToDisk(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := filepath.Join(t.TempDir(), "made", "by it")
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
		assert.Equal(t, actions(localTree(), mirror.Created), results)

		info, err := os.Stat(filepath.Join(dir, "letters/b.pdf"))
		require.NoError(t, err)
		record, err := fs.Stat(m.client.Documents.FS(t.Context(), m.id), "letters/b.pdf")
		require.NoError(t, err)
		assert.True(t, record.ModTime().Equal(info.ModTime()))
		assert.Equal(t, fs.FileMode(0o600), info.Mode(), "its owner's only")

		m.server.ResetRequests()
		results, err = m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, actions(localTree(), mirror.Kept), results)
		for _, r := range m.server.Requests() {
			assert.Contains(t, r.Operation, "Folder", "only folders are read again")
		}
	})
}

func TestTheSeededMatterIsBroughtToDisk(t *testing.T) {
	t.Parallel()
	testkit.InBubble(t, func(t *testing.T, server *practicetest.Server, client *practice.Client) {
		m := &testMatter{server: server, client: client, id: server.Firm().MatterID}
		dir := t.TempDir()
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		want := map[string]string{}
		for path, content := range m.contents(t) {
			want[strings.Replace(path, "Re: ", "Re_ ", 1)] = content
		}
		assert.Equal(t, want, onDisk(t, dir))
		assert.Equal(t, "ignored", results["Letters/Not uploaded.pdf"])
	})
}

func TestOnlyWhatHasChangedIsBroughtAgain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		change func(t *testing.T, m *testMatter, dir string)
		want   map[string]string // results other than Kept
	}{
		{"nothing", func(*testing.T, *testMatter, string) {}, nil},
		{"another version, even one of the same size", func(t *testing.T, m *testMatter, _ string) {
			m.newVersion(t, "readme.txt", "READ ME")
		}, map[string]string{"readme.txt": "updated"}},
		{"a new file", func(t *testing.T, m *testMatter, _ string) { m.file(t, "", "new.txt", "new") }, map[string]string{"new.txt": "created"}},
		{"a local file that is gone", func(t *testing.T, _ *testMatter, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
		}, map[string]string{"readme.txt": "created"}},
		{"a local folder that is gone", func(t *testing.T, _ *testMatter, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters")))
		}, map[string]string{"letters/a.pdf": "created", "letters/b.pdf": "created", "letters/2026/draft.txt": "created"}},
		{"a file that is gone from the service stays", func(t *testing.T, m *testMatter, _ string) {
			m.server.DeleteFile(m.idOf(t, "empty.txt"))
		}, map[string]string{"empty.txt": "gone"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				test.change(t, m, dir)
				m.server.ResetRequests()
				results, err := m.backup(t, dir, mirror.Options{})
				changed := map[string]string{}
				for path, action := range results {
					if action != "kept" {
						changed[path] = action
					}
				}
				want := maps.Clone(test.want)
				if want == nil {
					want = map[string]string{}
				}
				assert.Equal(t, want, changed)
				require.NoError(t, err)
				maps.DeleteFunc(want, func(_, action string) bool { return action == "gone" })
				assert.Len(t, testkit.RequestsTo(m.server, practicetest.PartStorage), len(want))
				there := m.contents(t)
				maps.Copy(there, map[string]string{"empty.txt": ""})
				assert.Equal(t, there, onDisk(t, dir))
			})
		})
	}
}

func (m *testMatter) idOf(t *testing.T, path string) string {
	t.Helper()
	info, err := fs.Stat(m.client.Documents.FS(t.Context(), m.id), path)
	require.NoError(t, err)
	return info.Sys().(*models.File).ID
}

func (m *testMatter) newVersion(t *testing.T, path, content string) {
	t.Helper()
	_, err := m.client.Documents.UploadVersion(t.Context(), m.id, m.idOf(t, path), practice.Upload{Body: strings.NewReader(content)})
	require.NoError(t, err)
}

func TestNamesOnDisk(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		for _, folder := range []string{"..", "a/b", `C:\temp`, "con"} {
			m.file(t, m.folder(t, "", folder), "../escape.txt", folder)
		}
		readme := []string{m.file(t, "", "Readme.txt", "one"), m.file(t, "", "README.TXT", "two")}
		m.file(t, "", ".practice-manifest.jsonl", "not the manifest")
		m.file(t, "", "Re: offer.txt", "offer")
		dir := filepath.Join(t.TempDir(), "inside")
		for range 2 {
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			assert.Equal(t, map[string]string{
				"__/": "", "__/.._escape.txt": "..",
				"a_b/": "", "a_b/.._escape.txt": "a/b",
				"C__temp/": "", "C__temp/.._escape.txt": `C:\temp`,
				"_con/": "", "_con/.._escape.txt": "con",
				"Readme (" + readme[0][:8] + ").txt": "one",
				"README (" + readme[1][:8] + ").TXT": "two",
				"_.practice-manifest.jsonl":          "not the manifest",
				"Re_ offer.txt":                      "offer",
			}, onDisk(t, dir))
		}
		others, err := os.ReadDir(filepath.Dir(dir))
		require.NoError(t, err)
		assert.Len(t, others, 1, "nothing is written outside")
	})
}

func TestAFolderOfAMatterIsBroughtToDisk(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		info, err := fs.Stat(m.client.Documents.FS(t.Context(), m.id), "letters")
		require.NoError(t, err)
		dir := t.TempDir()
		folder := info.Sys().(*models.Folder).ID
		_, err = m.backup(t, dir, mirror.Options{FolderID: folder})
		require.NoError(t, err)
		want, err := fs.Sub(localTree(), "letters")
		require.NoError(t, err)
		assert.Equal(t, contents(t, want), onDisk(t, dir))

		for rule, call := range map[string]func() error{
			"the whole matter": func() error { return testkit.Discard(m.backup(t, dir, mirror.Options{})) },
			"another matter": func() error {
				return mirror.Pull(t.Context(), m.client, m.server.Firm().MatterID, dir, mirror.Options{})
			},
		} {
			require.ErrorIs(t, call(), mirror.ErrMismatch, rule)
		}
		assert.Equal(t, contents(t, want), onDisk(t, dir))
	})
}

// An unknown file is never replaced: a file with other content gets a name
// beside the document, and anything else keeps its name.
func TestWhatPullDidNotBringIsNotReplaced(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("mine"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "letters"), []byte("a file"), 0o600))
		require.NoError(t, os.Mkdir(filepath.Join(dir, "empty.txt"), 0o700))
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, "conflict", results["readme.txt"])
		found := onDisk(t, dir)
		assert.Equal(t, "mine", found["readme (local copy).txt"])
		assert.Equal(t, "read me", found["readme.txt"])
		assert.Equal(t, "a file", found["letters"])
		assert.Contains(t, found, "empty.txt/")
		results, err = m.backup(t, dir, mirror.Options{Overwrite: true})
		require.NoError(t, err)
		assert.Empty(t, results.changed())
		assert.Equal(t, found, onDisk(t, dir))
	})
}

// A document with the name of one that is gone does not replace it: without
// Delete nothing is removed.
func TestWithoutDeleteWhatIsGoneKeepsItsName(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		m.server.DeleteFile(m.idOf(t, "readme.txt"))
		id := m.file(t, "", "readme.txt", "READ ME")
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		beside := "readme (" + id[:8] + ").txt"
		assert.Equal(t, dirResults{"readme.txt": "gone", beside: "created"}, results.changed())
		results, err = m.backup(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		assert.Equal(t, dirResults{"readme.txt": "removed"}, results.changed())
	})
}

// A link at the path of a document is left alone, and so is the document.
func TestALinkInThePlaceOfADocumentStays(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
		require.NoError(t, os.Symlink("letters/a.pdf", filepath.Join(dir, "readme.txt")))
		for range 2 {
			results, err := m.push(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err)
			assert.Equal(t, dirResults{"readme.txt": "ignored"}, results.changed())
			results, err = m.backup(t, dir, mirror.Options{Delete: true, Overwrite: true})
			require.NoError(t, err)
			assert.Equal(t, dirResults{"readme.txt": "ignored"}, results.changed())
		}
		assert.Equal(t, contents(t, localTree()), m.contents(t))
	})
}

func TestAFileThatNobodyKnowsIsKeptWhenItIsTheSame(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		lose func(t *testing.T, manifest string)
		want dirResults
	}{
		{"no manifest", func(t *testing.T, manifest string) { require.NoError(t, os.Remove(manifest)) }, dirResults{
			"readme.txt": "conflict", "empty.txt": "kept", "letters/a.pdf": "kept", "letters/b.pdf": "conflict", "letters/2026/draft.txt": "kept",
		}},
		{"a manifest whose last line was being written", func(t *testing.T, manifest string) {
			text, err := os.ReadFile(manifest)
			require.NoError(t, err)
			lines := strings.SplitAfter(string(text), "\n")
			slices.SortStableFunc(lines[1:], func(a, b string) int { // the lines have no fixed order
				return strings.Count(a, `"readme.txt"`) - strings.Count(b, `"readme.txt"`)
			})
			whole := strings.Join(lines, "")
			require.NoError(t, os.WriteFile(manifest, []byte(whole[:len(whole)-9]), 0o600))
		}, dirResults{
			"readme.txt": "conflict", "empty.txt": "kept", "letters/a.pdf": "kept", "letters/b.pdf": "waiting", "letters/2026/draft.txt": "kept",
		}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				for path, content := range map[string]string{"readme.txt": "READ ME", "letters/b.pdf": "letter b and more"} {
					require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(content), 0o600))
				}
				test.lose(t, filepath.Join(dir, ".practice-manifest.jsonl"))
				results, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				assert.Equal(t, test.want, results)
				assert.Contains(t, slices.Collect(maps.Values(onDisk(t, dir))), "READ ME")
				assert.Contains(t, slices.Collect(maps.Values(onDisk(t, dir))), "letter b and more")
				_, err = m.backup(t, dir, mirror.Options{Overwrite: true})
				require.NoError(t, err)
				there := onDisk(t, dir)
				maps.DeleteFunc(there, func(at, _ string) bool { return strings.Contains(at, "(local copy)") })
				assert.Equal(t, contents(t, localTree()), there)
			})
		})
	}
}

func TestLinksLeadNeitherOutOfTheFolderNorElsewhereInIt(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		outside, dir := t.TempDir(), t.TempDir()
		require.NoError(t, os.Symlink(outside, filepath.Join(dir, "letters")))
		results, err := m.backup(t, dir, mirror.Options{Overwrite: true})
		require.NoError(t, err)
		assert.Equal(t, "ignored", results["letters"])
		list, err := os.ReadDir(outside)
		require.NoError(t, err)
		assert.Empty(t, list)

		require.NoError(t, os.Remove(filepath.Join(dir, "letters")))
		require.NoError(t, os.Symlink("nothing in it", filepath.Join(dir, "letters")))
		_, err = m.backup(t, dir, mirror.Options{Overwrite: true})
		require.NoError(t, err)
		list, err = os.ReadDir(filepath.Join(dir, "nothing in it"))
		require.NoError(t, err)
		assert.Empty(t, list, "that is the place of another folder")
	})
}

func TestAFolderThatCannotBeReadIsReported(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		m.server.Inject(practicetest.Fault{Operation: "getFolder", Kind: practicetest.FaultStatus, Status: 403})
		results, err := m.backup(t, dir, mirror.Options{Concurrency: 1})
		require.ErrorIs(t, err, practice.ErrForbidden)
		assert.Equal(t, dirResults{"readme.txt": "created", "empty.txt": "created", "letters": "failed folder"}, results)
		_, err = m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
	})
	t.Run("nor the first one", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			err := mirror.Pull(t.Context(), m.client, unknownID, t.TempDir(), mirror.Options{})
			require.ErrorIs(t, err, practice.ErrNotFound)
			failed, ok := errors.AsType[*mirror.Error](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, ".", failed.Failed[0].Path)
		})
	})
}

func TestProgressOfABackupIsOneSum(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		const size = 1 << 20
		for i := range 4 {
			_, err := m.client.Documents.Upload(t.Context(), m.id, practice.Upload{Name: fmt.Sprint(i), Body: practicetest.NewContent(uint64(i), size)})
			require.NoError(t, err)
		}
		m.server.Settle()
		var told []int64
		_, err := m.backup(t, t.TempDir(), mirror.Options{Progress: func(done, total int64) {
			assert.EqualValues(t, 4*size, total)
			told = append(told, done)
		}})
		require.NoError(t, err)
		assert.True(t, slices.IsSorted(told))
		assert.EqualValues(t, 0, told[0])
		assert.EqualValues(t, 4*size, told[len(told)-1])
		assert.Greater(t, len(told), 8)
	})
}

func TestArgumentsOfDownloadDir(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := filepath.Join(t.TempDir(), "none")
		call := func(matterID, dir string, options mirror.Options, opts ...practice.CallOption) error {
			return mirror.Pull(t.Context(), m.client, matterID, dir, options, opts...)
		}
		for argument, err := range map[string]error{
			"matterID":    call("", dir, mirror.Options{}),
			"dir":         call(m.id, "", mirror.Options{}),
			"FolderID":    call(m.id, dir, mirror.Options{FolderID: "a/b"}),
			"Concurrency": call(m.id, dir, mirror.Options{Concurrency: -1}),
			"Ranges":      call(m.id, dir, mirror.Options{Ranges: 65}),
			"RangeSize":   call(m.id, dir, mirror.Options{RangeSize: -1}),
		} {
			refused, ok := errors.AsType[*practice.ArgumentError](err)
			require.True(t, ok, "%s: %v", argument, err)
			assert.Equal(t, argument, refused.Argument)
			assert.Equal(t, "Mirror.Pull", refused.Operation)
		}
		assert.Empty(t, m.server.Requests())
		_, err := os.Lstat(dir)
		require.ErrorIs(t, err, fs.ErrNotExist, "nothing was made")

		require.NoError(t, os.WriteFile(dir, nil, 0o600))
		require.ErrorContains(t, call(m.id, dir, mirror.Options{}), "mirror: Mirror.Pull: ")
		assert.Empty(t, m.server.Requests(), "without a folder nothing is asked for")
	})
}

// Without version ids, the time of the last change and the size identify the
// version; without both, a file is downloaded each time.
func TestVersionsWithoutAnID(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, first, second string
		want                string
	}{
		{"nothing is said", ``, ``, "updated"},
		{"the same time", `"dateModified":"2026-03-01T09:30:00Z"`, `"dateModified":"2026-03-01T09:30:00Z"`, "kept"},
		{"another time", `"dateModified":"2026-03-01T09:30:00Z"`, `"dateModified":"2026-03-01T09:30:01Z"`, "updated"},
		{"another size", `"dateModified":"2026-03-01T09:30:00Z","sizeBytes":7`, `"dateModified":"2026-03-01T09:30:00Z","sizeBytes":8`, "updated"},
		{"the same version", `"versionId":"v1"`, `"versionId":"v1","dateModified":"2026-03-01T09:30:01Z"`, "kept"},
		{"the same version of another size than what came", `"versionId":"v1","sizeBytes":8`, `"versionId":"v1","sizeBytes":8`, "updated"},
		{"another version", `"versionId":"v1"`, `"versionId":"v2"`, "updated"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			members := test.first
			transport := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				switch {
				case r.URL.Host != "api.example.test":
					return testkit.AnswerOf(200, "content"), nil
				case strings.HasSuffix(r.URL.Path, "/download"):
					return testkit.AnswerOf(200, testkit.DownloadFrom(testkit.SignedAddress, 7)), nil
				}
				return testkit.AnswerOf(200, listing(nil, []string{strings.TrimSuffix(`{"id":"f1","name":"a",`+members, ",") + "}"})), nil
			})
			client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: transport}))
			require.NoError(t, err)
			m := &testMatter{client: client, id: "m1"}
			dir := t.TempDir()
			_, err = m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			members = test.second
			results, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			assert.Equal(t, test.want, results["a"])
		})
	}
}

// Files of arbitrary names are all created in the folder, and none replaces
// another.
func FuzzNamesOnDisk(f *testing.F) {
	f.Add("a", "A", "../a", `C:\a`)
	f.Add("CON", "con", "con.txt", "Con.")
	f.Add(".practice-manifest.jsonl", ".PRACTICE-MANIFEST.JSONL", ".", "")
	f.Add(strings.Repeat("x", 300), strings.Repeat("X", 300), "\x00", "K")
	f.Fuzz(func(t *testing.T, name1, name2, name3, folder string) {
		record := func(id, name string) string { return `{"id":"` + id + `","name":` + quoted(name) + `}` }
		matter := oddMatter{
			"":   listing([]string{record("d1", folder)}, []string{record("f1", name1), record("f2", name2), record("f3", name3)}),
			"d1": listing(nil, []string{record("f4", name3), record("f5", folder)}),
		}
		transport := testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			switch {
			case r.URL.Host != "api.example.test":
				return testkit.AnswerOf(200, "content"), nil
			case strings.HasSuffix(r.URL.Path, "/download"):
				return testkit.AnswerOf(200, testkit.DownloadFrom(testkit.SignedAddress, 7)), nil
			}
			return matter.RoundTrip(r)
		})
		client, err := practice.NewClient("https://api.example.test/v1", practice.WithoutCredentials(), practice.WithHTTPClient(&http.Client{Transport: transport}))
		require.NoError(t, err)
		m := &testMatter{client: client, id: "m1"}
		above := t.TempDir()
		dir := filepath.Join(above, "dir")
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Len(t, results, 5)
		there := onDisk(t, dir)
		folded := map[string]bool{}
		for path := range there {
			folded[strings.ToLower(path)] = true
		}
		assert.Len(t, folded, 6, "%q", slices.Collect(maps.Keys(there)))
		others, err := os.ReadDir(above)
		require.NoError(t, err)
		assert.Len(t, others, 1)
		for path := range results {
			assert.Equal(t, "content", there[path])
			assert.LessOrEqual(t, len(filepath.Base(path)), 255)
		}
	})
}
