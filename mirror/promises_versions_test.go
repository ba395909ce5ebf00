package mirror_test

import (
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnUntouchedCopyNeverSupersedesAColleaguesVersion(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "text of a", "c": "text of c, another"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		a, c := m.idOf(t, "a"), m.idOf(t, "c")
		moveFile(t, d.at("a"), d.at("b"))
		m.deleteFile(t, a)
		m.patchFile(t, c, models.FilePatch{FileName: models.Some("a")})
		m.server.Settle()
		round(false)
		m.store(t, c, "a colleague's work")
		assert.NotContains(t, slices.Collect(maps.Values(round(true))), "updated")
		assert.Equal(t, "a colleague's work", m.content(t, c))
	})
}

func TestAVersionThatNobodyHasSeenIsNotSuperseded(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "before"}, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(bool) dirResults) {
		id, dir := m.idOf(t, "a"), d.dir
		require.NoError(t, os.Remove(d.at("a")))
		require.NoError(t, os.Mkdir(d.at("a"), 0o700))
		m.store(t, id, "a colleague's work")
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{}))
		require.NoError(t, os.Remove(d.at("a")))
		write(t, d.at("a"), "local work")
		results, err := m.push(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, "conflict", results["a"])
		assert.Equal(t, "a colleague's work", m.content(t, id))
		assert.Contains(t, slices.Collect(maps.Values(m.contents(t))), "local work")
	})
}

// A choice in a conflict selects one content. Until the next call has
// transferred it, the sides are not alike, so nothing is deleted.
func TestWhatAChoiceLetWinIsNotDeletedBeforeItWasTransferred(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		pull   bool // the direction that asks, and leaves the transfer to the other one
		choice mirror.Choice
		remove func(t *testing.T, m *testMatter, d *mirrorDir)
		first  dirResults // results of the other direction, with Delete
		then   dirResults
	}{
		{
			"the local content wins in a pull, and is deleted here", true, mirror.KeepLocal,
			func(t *testing.T, _ *testMatter, d *mirrorDir) { require.NoError(t, os.Remove(d.at("a"))) },
			dirResults{"a": "waiting"}, dirResults{"a": "created"},
		},
		{
			"the content of the service wins in a push, and is deleted there", false, mirror.KeepRemote,
			func(t *testing.T, m *testMatter, _ *mirrorDir) { m.deleteFile(t, m.idOf(t, "a")) },
			dirResults{"a": "gone"}, dirResults{"a": "waiting"},
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			mirrored(t, map[string]string{"a": "before", "x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
				m.store(t, m.idOf(t, "a"), "theirs")
				write(t, d.at("a"), "mine, and longer")
				ask := mirror.Push
				if test.pull {
					ask = mirror.Pull
				}
				require.NoError(t, ask(t.Context(), m.client, m.id, d.dir, mirror.Options{Conflict: always(test.choice)}))
				test.remove(t, m, d)
				assert.Equal(t, test.first, round(test.pull))
				assert.Equal(t, test.then, round(!test.pull))
			})
		})
	}
}

// Another call does not send a version again while the service lists the
// previous one, even if both have the same size.
func TestAVersionIsSentOnceWhileTheServiceListsTheOneBefore(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "one"}, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(bool) dirResults) {
		id := m.idOf(t, "a")
		before := fileOf(t, m.client, m.id, "", id).VersionID
		write(t, d.at("a"), "two")
		m.server.ResetRequests()
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, d.dir, mirror.Options{}))
		assert.NotEqual(t, before, fileOf(t, m.client, m.id, "", id).VersionID, "it is listed")
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, d.dir, mirror.Options{}))
		sent := 0
		for _, r := range testkit.RequestsTo(m.server, practicetest.PartStorage) {
			if r.Method == http.MethodPut {
				sent++
			}
		}
		assert.Equal(t, 1, sent)
	}, practicetest.WithConsistency(practicetest.Unkind()))
}

// A version of the same size that was stored after a push that did not wait is
// not taken for the sent content.
func TestAVersionOfTheSizeOfTheSentOneIsRead(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		write(t, d.at("form"), "amount 100")
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, d.dir, mirror.Options{ListWait: -1}))
		m.server.Settle()
		m.newVersion(t, "form", "amount 999")
		assert.Equal(t, dirResults{"form": "conflict"}, round(false))
		assert.Equal(t, "amount 999", onDisk(t, d.dir)["form"])
	})
}

// Each step checks again: a version that was stored after planning is neither
// superseded nor deleted, and the call reports it.
func TestAVersionThatIsStoredAfterThePlanStays(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		change func(t *testing.T, d *mirrorDir)
		want   dirResults
	}{
		{"before another one is sent", func(t *testing.T, d *mirrorDir) { write(t, d.at("a"), "mine") }, dirResults{"a": "conflict"}},
		{"before the document is deleted", func(t *testing.T, d *mirrorDir) { require.NoError(t, os.Remove(d.at("a"))) }, dirResults{"a": "gone"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			mirrored(t, map[string]string{"a": "before", "x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(bool) dirResults) {
				id := m.idOf(t, "a")
				var once sync.Once
				client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
					return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
						if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/files/"+id) {
							once.Do(func() { m.store(t, id, "theirs") })
						}
						return next.RoundTrip(r)
					})
				}))
				test.change(t, d)
				results := dirResults{}
				require.NoError(t, mirror.Push(t.Context(), client, m.id, d.dir, mirror.Options{Delete: true, Result: results.add}))
				assert.Equal(t, test.want, results.changed())
				assert.Equal(t, "theirs", m.content(t, id))
			})
		})
	}
}

// A folder that gets a file after planning is not deleted.
func TestAFolderThatGetsAFileAfterThePlanStays(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"letters/a": "a", "x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(bool) dirResults) {
		letters := m.folderID(t, "letters")
		client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/files/") {
					m.file(t, letters, "b", "b")
				}
				return next.RoundTrip(r)
			})
		}))
		require.NoError(t, os.RemoveAll(d.at("letters")))
		results := dirResults{}
		require.NoError(t, mirror.Push(t.Context(), client, m.id, d.dir, mirror.Options{Delete: true, Result: results.add}))
		assert.Equal(t, dirResults{"letters": "gone folder", "letters/a": "removed"}, results.changed())
		assert.Equal(t, "b", m.contents(t)["letters/b"])
	})
}

// A file that is edited after it was read is sent with its current content, and
// recorded accordingly.
func TestAFileThatIsEditedAfterThePlanIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, moment := range []string{http.MethodGet, http.MethodPost} {
		mirrored(t, map[string]string{"x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
			var once sync.Once
			client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					if r.Method == moment {
						once.Do(func() { write(t, d.at("new"), "another") })
					}
					return next.RoundTrip(r)
				})
			}))
			write(t, d.at("new"), "one")
			require.NoError(t, mirror.Push(t.Context(), client, m.id, d.dir, mirror.Options{}))
			m.server.Settle()
			assert.Equal(t, "another", m.content(t, m.idOf(t, "new")))
			m.server.ResetRequests()
			assert.Empty(t, round(true))
			assert.Empty(t, m.writes())
		})
	}
}
