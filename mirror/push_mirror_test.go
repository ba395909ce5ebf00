package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// push pushes a folder on disk and returns the results.
func (m *testMatter) push(t *testing.T, dir string, options mirror.Options, opts ...practice.CallOption) (dirResults, error) {
	t.Helper()
	results := dirResults{}
	options.Result = results.add
	return results, mirror.Push(t.Context(), m.client, m.id, dir, options, opts...)
}

// The manifest knows the contents of a backup, so a renamed file of a large
// matter is not read again.
func TestFilesThatAreRenamedAfterABackupAreNotRead(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		want := dirResults{}
		for _, path := range []string{"readme.txt", "letters/a.pdf", "letters/2026/draft.txt"} {
			require.NoError(t, os.Rename(filepath.Join(dir, path), filepath.Join(dir, path+".old")))
			want[path+".old"] = "moved"
		}
		m.server.ResetRequests()
		results, err := m.push(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, want, results.changed())
		assert.Empty(t, testkit.RequestsTo(m.server, practicetest.PartStorage))
	})
}

func TestAMatterFollowsItsMirror(t *testing.T) {
	t.Parallel()
	edit := func(t *testing.T, dir, path, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600))
	}
	move := func(t *testing.T, dir, from, to string) {
		t.Helper()
		require.NoError(t, os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)))
	}
	for _, test := range []struct {
		rule    string
		options mirror.Options
		change  func(t *testing.T, m *testMatter, dir string)
		want    dirResults        // results other than Kept
		files   map[string]string // differences of the matter from the initial tree; "-" is a missing document
		creates int
	}{
		{"nothing", mirror.Options{}, func(*testing.T, *testMatter, string) {}, dirResults{}, nil, 0},
		{"a change of the same size", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			edit(t, dir, "readme.txt", "READ ME")
		}, dirResults{"readme.txt": "updated"}, map[string]string{"readme.txt": "READ ME"}, 0},
		{"a renamed file", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			move(t, dir, "readme.txt", "read this.txt")
		}, dirResults{"read this.txt": "moved"}, map[string]string{"readme.txt": "-", "read this.txt": "read me"}, 0},
		{"two that change names", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			move(t, dir, "readme.txt", "empty.tmp")
			move(t, dir, "empty.txt", "letters/empty.txt")
			move(t, dir, "empty.tmp", "letters/readme.txt")
		}, dirResults{"letters/readme.txt": "moved", "letters/empty.txt": "moved"}, map[string]string{
			"readme.txt": "-", "empty.txt": "-", "letters/readme.txt": "read me", "letters/empty.txt": "",
		}, 0},
		{"a renamed folder, with a new file", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			move(t, dir, "letters", "mail")
			edit(t, dir, "mail/c.pdf", "letter c")
		}, dirResults{"mail": "moved folder", "mail/c.pdf": "created"}, map[string]string{
			"letters/": "-", "letters/a.pdf": "-", "letters/b.pdf": "-", "letters/2026/": "-", "letters/2026/draft.txt": "-",
			"mail/": "", "mail/a.pdf": "letter a", "mail/b.pdf": "letter b", "mail/2026/": "", "mail/2026/draft.txt": "draft", "mail/c.pdf": "letter c",
		}, 1},
		{"a file goes to a new folder", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			require.NoError(t, os.Mkdir(filepath.Join(dir, "new"), 0o700))
			move(t, dir, "readme.txt", "new/readme.txt")
		}, dirResults{"new/readme.txt": "moved"}, map[string]string{"readme.txt": "-", "new/": "", "new/readme.txt": "read me"}, 1},
		{"what is gone locally is reported", mirror.Options{}, func(t *testing.T, _ *testMatter, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters/2026")))
		}, dirResults{"letters/2026": "gone folder", "letters/2026/draft.txt": "gone"}, nil, 0},
		{"and deleted when asked, unless it has a new version", mirror.Options{Delete: true}, func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters")))
			m.newVersion(t, "letters/a.pdf", "LETTER A")
		}, dirResults{
			"letters": "gone folder", "letters/a.pdf": "waiting", "letters/b.pdf": "removed", "letters/2026": "removed folder", "letters/2026/draft.txt": "removed",
		}, map[string]string{"letters/a.pdf": "LETTER A", "letters/b.pdf": "-", "letters/2026/": "-", "letters/2026/draft.txt": "-"}, 0},
		{"what is gone from the service is not made again", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			m.deleteFile(t, m.idOf(t, "readme.txt"))
		}, dirResults{"readme.txt": "waiting"}, map[string]string{"readme.txt": "-"}, 0},
		{"unless somebody worked on it", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			m.deleteFile(t, m.idOf(t, "readme.txt"))
			edit(t, dir, "readme.txt", "more to read")
		}, dirResults{"readme.txt": "created"}, map[string]string{"readme.txt": "more to read"}, 1},
		{"a file that was moved in the service stays there", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			edit(t, dir, "readme.txt", "more to read")
			id := m.idOf(t, "readme.txt")
			m.patchFile(t, id, models.FilePatch{FolderID: models.Some(m.folder(t, "", "elsewhere"))})
		}, dirResults{"readme.txt": "updated"}, map[string]string{"readme.txt": "-", "elsewhere/": "", "elsewhere/readme.txt": "more to read"}, 0},
		{"a new version waits", mirror.Options{}, func(t *testing.T, m *testMatter, _ string) {
			m.newVersion(t, "readme.txt", "READ ME")
		}, dirResults{"readme.txt": "waiting"}, map[string]string{"readme.txt": "READ ME"}, 0},
		{"of two changes both are kept", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "readme.txt", "READ ME")
			edit(t, dir, "readme.txt", "local work")
		}, dirResults{"readme.txt": "conflict"}, map[string]string{"readme.txt": "READ ME", "readme (local copy).txt": "local work"}, 1},
		{"or the local one", mirror.Options{Conflict: always(mirror.KeepLocal)}, func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "readme.txt", "READ ME")
			edit(t, dir, "readme.txt", "LOCAL++")
		}, dirResults{"readme.txt": "updated"}, map[string]string{"readme.txt": "LOCAL++"}, 0},
		{"or the one of the service", mirror.Options{Conflict: always(mirror.KeepRemote)}, func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "readme.txt", "READ ME")
			edit(t, dir, "readme.txt", "local work")
		}, dirResults{"readme.txt": "conflict"}, map[string]string{"readme.txt": "READ ME"}, 0},
		{"two changes to the same content are none", mirror.Options{}, func(t *testing.T, m *testMatter, dir string) {
			m.newVersion(t, "readme.txt", "both did")
			edit(t, dir, "readme.txt", "both did")
		}, dirResults{}, map[string]string{"readme.txt": "both did"}, 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				test.change(t, m, dir)
				m.server.Settle()
				foreseen := m.foreseePush(t, dir, test.options)
				m.server.ResetRequests()
				results, err := m.push(t, dir, test.options)
				require.NoError(t, err)
				assert.Equal(t, results, foreseen)
				writes := m.writes()
				assert.Equal(t, test.creates, writes["createFile"]+writes["createFolder"])
				want := contents(t, localTree())
				for path, content := range test.files {
					if want[path] = content; content == "-" {
						delete(want, path)
					}
				}
				m.server.Settle()
				assert.Equal(t, want, m.contents(t))
				assert.Equal(t, test.want, results.changed())

				m.server.ResetRequests()
				_, err = m.push(t, dir, test.options)
				require.NoError(t, err)
				assert.Empty(t, m.writes(), "another call has nothing to do")
				if !slices.Contains([]string{"gone", "waiting"}, test.want["readme.txt"]) && test.want["letters/2026"] == "" && test.want["letters"] != "gone folder" {
					_, err = m.backup(t, dir, mirror.Options{})
					require.NoError(t, err)
					_, err = m.push(t, dir, test.options)
					require.NoError(t, err)
					assert.Empty(t, m.writes(), "nor has one after the other direction")
					assert.Equal(t, m.contents(t), onDisk(t, dir))
				}
			})
		})
	}
}

// Repeated pushes and pulls change nothing, whatever the names of documents.
func TestThereAndBackIsAFixedPoint(t *testing.T) {
	t.Parallel()
	names := []string{
		"Re: settlement — offer ✉.msg", "a/b", `C:\temp`, "con", "..", ".practice-manifest.jsonl", "x.", " y", "Ü.txt", "U\u0308.txt",
		"Agenda.docx", "AGENDA.docx", "twice.txt", "twice.txt", "a*?.txt", strings.Repeat("n", 220) + ".pdf", "\u202ertl.txt", "tilde~1.txt",
	}
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		for i, name := range names {
			m.file(t, m.folder(t, "", name), name, name)
			m.file(t, "", name, name+strings.Repeat("!", i))
		}
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		matter, disk := m.contents(t), onDisk(t, dir)
		assert.Len(t, disk, 3*len(names))
		for range 3 {
			m.server.ResetRequests()
			results, err := m.push(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
			assert.Empty(t, m.writes())
			results, err = m.backup(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
			assert.Equal(t, disk, onDisk(t, dir))
		}
		assert.Equal(t, matter, m.contents(t))
	})
	t.Run("and back and there", func(t *testing.T) {
		t.Parallel()
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			for _, name := range names {
				if name = strings.NewReplacer("/", "-", "..", "dots", ".practice", "practice").Replace(name); name != "" {
					require.NoError(t, os.MkdirAll(filepath.Join(dir, "in "+name), 0o700))
					require.NoError(t, os.WriteFile(filepath.Join(dir, "in "+name, name), []byte(name), 0o600))
				}
			}
			_, err := m.push(t, dir, mirror.Options{})
			require.NoError(t, err)
			disk := onDisk(t, dir)
			for range 3 {
				results, err := m.backup(t, dir, mirror.Options{Delete: true})
				require.NoError(t, err)
				assert.Empty(t, results.changed())
				m.server.ResetRequests()
				results, err = m.push(t, dir, mirror.Options{Delete: true})
				require.NoError(t, err)
				assert.Empty(t, results.changed())
				assert.Empty(t, m.writes())
				assert.Equal(t, disk, onDisk(t, dir))
			}
		})
	})
}

func TestOneOfSeveralFoldersCanBeChosen(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		ids := []string{m.folder(t, "", "letters"), m.folder(t, "", "letters")}
		for _, choose := range []func(string, []string) string{
			func(path string, several []string) string {
				assert.Equal(t, "letters", path)
				assert.Equal(t, ids, several)
				return several[1]
			},
			func(string, []string) string { return "" },
			func(string, []string) string { return "none of them" },
		} {
			err := pushTree(t.Context(), m.client, m.id, fstest.MapFS{"letters/a": {}}, mirror.Options{Ambiguous: choose})
			if several, failed := errors.AsType[*practice.AmbiguousFolderError](err); failed {
				assert.Equal(t, ids, several.IDs)
				continue
			}
			require.NoError(t, err)
		}
		for i, want := range []int{0, 1} {
			entries, err := practice.Collect(m.client.Documents.AllEntries(t.Context(), m.id, ids[i]))
			require.NoError(t, err)
			assert.Len(t, entries, want)
		}
	})
}

// A clock that was set back after a call was killed does not make later calls
// wait.
func TestAClockThatWasSetBackIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		manifest, err := os.OpenFile(filepath.Join(dir, ".practice-manifest.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = fmt.Fprintf(manifest, `{"id":"?lost","await":{"name":"new.txt","made":true,"at":%d}}`+"\n", time.Now().Add(24*time.Hour).UnixNano())
		require.NoError(t, errors.Join(err, manifest.Close()))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "new.txt"), []byte("new"), 0o600))
		begun := time.Now()
		results, err := m.push(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, "created", results["new.txt"])
		assert.Less(t, time.Since(begun), 3*practice.DefaultListWait)
		assert.Equal(t, onDisk(t, dir), m.contents(t))
	})
}

// Files whose names the service changes can only be matched by the manifest.
func TestADirectoryGoesIntoTwoMatters(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, localTree()))
		other := m.folder(t, "", "Copy")
		for range 2 {
			_, err := m.push(t, dir, mirror.Options{})
			require.NoError(t, err)
			_, err = m.push(t, dir, mirror.Options{FolderID: other})
			require.NoError(t, err)
		}
		want := contents(t, localTree())
		for path, content := range contents(t, localTree()) {
			want["Copy/"+path] = content
		}
		want["Copy/"] = ""
		assert.Equal(t, want, m.contents(t))
	})
}

func TestTwoUploadsOfOneFolderExcludeEachOther(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, localTree()))
		var second error
		tried := false
		client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if !tried {
					tried = true
					_, second = m.push(t, dir, mirror.Options{})
				}
				return next.RoundTrip(r)
			})
		}))
		require.NoError(t, mirror.Push(t.Context(), client, m.id, dir, mirror.Options{}))
		require.ErrorIs(t, second, mirror.ErrDirInUse)
		assert.Equal(t, contents(t, localTree()), m.contents(t))
	})
}

// After an interruption there may be no time to check what was accepted. It
// takes effect anyway.
func TestWhatWasAcceptedIsDoneAfterAnInterruption(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		stopped := errors.New("interrupted")
		ctx, interrupt := context.WithCancelCause(t.Context())
		defer interrupt(nil)
		created := 0
		err := pushTree(ctx, m.client, m.id, manyFiles(30), mirror.Options{Concurrency: 1, Result: func(mirror.Result) {
			if created++; created == 10 {
				interrupt(stopped)
			}
		}})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		require.ErrorIs(t, err, stopped)
		assert.Empty(t, failed.Failed)
		assert.Equal(t, created, failed.Done, "as many as were reported")
		assert.Equal(t, created, failed.Unlisted)
		assert.Equal(t, 30, failed.Done+failed.Left)
		require.ErrorContains(t, err, "10 done (10 not listed yet)")
	}, practicetest.WithWriteDelay(time.Hour))
}

// A deletion takes effect late as well. The other direction follows at once,
// and does not restore what was deleted.
func TestWhatAPushDeletesDoesNotComeBack(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters")))
		require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
		_, err = m.push(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		results, err := m.backup(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		assert.Empty(t, results.changed())
		assert.Equal(t, map[string]string{"empty.txt": "", "nothing in it/": ""}, onDisk(t, dir))
		m.server.Settle()
		assert.Equal(t, m.contents(t), onDisk(t, dir))
	}, practicetest.WithWriteDelay(3*time.Second))
}

// A file is replaced by a folder of its name, and a folder by a file, on either
// side and back.
func TestFilesAndFoldersTakeEachOthersPlaces(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		both := func() {
			t.Helper()
			for range 2 {
				_, err := m.push(t, dir, mirror.Options{Delete: true})
				require.NoError(t, err)
				_, err = m.backup(t, dir, mirror.Options{Delete: true})
				require.NoError(t, err)
			}
			assert.Equal(t, m.contents(t), onDisk(t, dir))
		}
		both()
		require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
		require.NoError(t, os.Mkdir(filepath.Join(dir, "readme.txt"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt/inner"), []byte("inner"), 0o600))
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters")))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "letters"), []byte("a file now"), 0o600))
		both()
		assert.Equal(t, map[string]string{
			"readme.txt/": "", "readme.txt/inner": "inner", "letters": "a file now", "empty.txt": "", "nothing in it/": "",
		}, onDisk(t, dir))
		m.deleteFile(t, m.idOf(t, "letters"))
		m.file(t, m.folder(t, "", "letters"), "a.pdf", "letter a")
		m.deleteFile(t, m.idOf(t, "readme.txt/inner"))
		require.True(t, m.server.DeleteFolder(m.folderID(t, "readme.txt")))
		m.file(t, "", "readme.txt", "read me")
		_, err := m.backup(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		both()
		assert.Equal(t, map[string]string{
			"letters/": "", "letters/a.pdf": "letter a", "readme.txt": "read me", "empty.txt": "", "nothing in it/": "",
		}, onDisk(t, dir))
	})
}

// If the local folder disappears during a call, the call fails and nothing is
// lost.
func TestALocalFolderThatDisappears(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := filepath.Join(t.TempDir(), "mirror")
		gone := false
		err := mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{Concurrency: 1, Result: func(mirror.Result) {
			if !gone {
				gone = true
				assert.NoError(t, os.RemoveAll(dir))
			}
		}})
		require.Error(t, err)
		_, err = m.backup(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
		require.NoError(t, os.RemoveAll(dir))
		err = mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{Delete: true})
		require.Error(t, err)
		assert.Equal(t, contents(t, localTree()), m.contents(t), "a folder that is not there deletes nothing")
	})
}

// A folder that became a file is replaced. If it contains other changes, it is
// kept, and the file gets a name beside it.
func TestAFolderMakesRoomForAFile(t *testing.T) {
	t.Parallel()
	for _, worked := range []bool{false, true} {
		inFilledMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			if worked {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "letters/2026/mine.txt"), []byte("mine"), 0o600))
			}
			require.True(t, m.server.DeleteFolder(m.folderID(t, "letters")))
			m.file(t, "", "letters", "a file now")
			want := onDisk(t, dir)
			_, err = m.backup(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err)
			if worked {
				found := onDisk(t, dir)
				maps.DeleteFunc(want, func(at, _ string) bool {
					return strings.HasPrefix(at, "letters/") && !strings.HasSuffix(at, "/") && !strings.HasSuffix(at, "mine.txt")
				})
				assert.Len(t, found, len(want)+1)
				maps.DeleteFunc(found, func(at, _ string) bool { _, was := want[at]; return !was })
				assert.Equal(t, want, found)
				return
			}
			assert.Equal(t, m.contents(t), onDisk(t, dir))
		})
	}
}

func TestAPushBeforeAPullCarriesTheDeletionsOfBothSidesOver(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		for _, name := range []string{"here", "there", "both", "kept"} {
			m.file(t, m.folder(t, "", "folder of "+name), name, name)
			m.file(t, "", name+".txt", name)
		}
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		for _, name := range []string{"here.txt", "both.txt", "folder of here", "folder of both"} {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		}
		for _, name := range []string{"there.txt", "both.txt", "folder of there/there", "folder of both/both"} {
			m.deleteFile(t, m.idOf(t, name))
		}
		_, err = m.push(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		_, err = m.backup(t, dir, mirror.Options{Delete: true})
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"kept.txt": "kept", "folder of kept/": "", "folder of kept/kept": "kept", "folder of there/": ""}, m.contents(t))
		assert.Equal(t, m.contents(t), onDisk(t, dir))
	})
}
