package mirror_test

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestAnotherDownloadAfterAFailureDoesTheRestOnly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule  string
		fault practicetest.Fault
	}{
		{"connections break", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, Skip: 3, Times: 9}},
		{"the storage refuses some", practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStatus, Status: 404, Skip: 5, Times: 9}},
		{"addresses cannot be had", practicetest.Fault{Operation: "getFileDownload", Kind: practicetest.FaultStatus, Status: 500, Skip: 7, Times: -1}},
		{"a folder cannot be listed", practicetest.Fault{Operation: "getFolder", Kind: practicetest.FaultStatus, Status: 500}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				tree := manyFiles(30)
				require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
				dir := t.TempDir()
				m.server.Inject(test.fault)
				results, err := m.backup(t, dir, mirror.Options{}, practice.WithRetries(0))
				failed, ok := errors.AsType[*mirror.Error](err)
				require.True(t, ok, "%v", err)
				require.NotEmpty(t, failed.Failed)
				assert.LessOrEqual(t, len(results), 30)
				for path, content := range onDisk(t, dir) {
					if !strings.HasSuffix(path, "/") && !strings.Contains(path, ".practice-") {
						assert.Equal(t, contents(t, tree)[path], content, "%s is whole", path)
					}
				}
				m.server.ClearFaults()
				m.server.ResetRequests()
				results, err = m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				assert.Equal(t, contents(t, tree), onDisk(t, dir), "no unfinished file is left")
				kept := 0
				for _, action := range results {
					if action == "kept" {
						kept++
					}
				}
				assert.Equal(t, failed.Done, kept)
				assert.Len(t, testkit.RequestsTo(m.server, practicetest.PartStorage), 30-kept)
			})
		})
	}
}

func TestAFileThatBrokeOffIsContinued(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		const size, before = 3 << 20, 2 << 20
		folder := m.folder(t, "", "Scans")
		_, err := m.client.Documents.Upload(t.Context(), m.id, practice.Upload{Name: "big", FolderID: folder, Body: practicetest.NewContent(1, size)})
		require.NoError(t, err)
		m.server.Settle()
		dir := t.TempDir()
		m.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultTruncated, After: before})
		_, err = m.backup(t, dir, mirror.Options{}, practice.WithRetries(0))
		require.Error(t, err)
		m.server.ResetRequests()
		_, err = m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		sent := testkit.RequestsTo(m.server, practicetest.PartStorage)
		require.Len(t, sent, 1)
		assert.Equal(t, "bytes=2097152-", strings.TrimSuffix(sent[0].Header.Get("Range"), "3145727"))
		assert.Equal(t, string(contentOf2(t, 1, size)), onDisk(t, dir)["Scans/big"])
	})
}

func contentOf2(t *testing.T, seed uint64, size int64) []byte {
	t.Helper()
	data := make([]byte, size)
	_, err := practicetest.NewContent(seed, size).ReadAt(data, 0)
	require.NoError(t, err)
	return data
}

func TestABackupThatIsInterruptedCanGoOn(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := manyFiles(30)
		require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
		ctx, interrupt := context.WithCancelCause(t.Context())
		defer interrupt(nil)
		stopped := errors.New("interrupted")
		dir, done := t.TempDir(), 0
		err := mirror.Pull(ctx, m.client, m.id, dir, mirror.Options{Result: func(r mirror.Result) {
			assert.NotEqual(t, mirror.Failed, r.Action, "what was interrupted did not fail")
			if done++; done == 10 {
				interrupt(stopped)
			}
		}})
		failed, ok := errors.AsType[*mirror.Error](err)
		require.True(t, ok, "%v", err)
		require.ErrorIs(t, err, stopped)
		assert.Empty(t, failed.Failed)
		assert.Equal(t, 30, failed.Done+failed.Left)
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Len(t, results, 30)
		assert.Equal(t, contents(t, tree), onDisk(t, dir))
	}, practicetest.WithLatency(20*time.Millisecond))
}

// The process may die at any moment: whatever it had recorded, the next one has
// the same result.
func TestABackupSurvivesTheEndOfItsProcess(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		manifest := filepath.Join(dir, ".practice-manifest.jsonl")
		var journal []byte // the manifest while files arrive, with all lines
		_, err := m.backup(t, dir, mirror.Options{Concurrency: 1})
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(dir))
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{
			Concurrency: 1,
			Result: func(mirror.Result) {
				journal, err = os.ReadFile(manifest)
				assert.NoError(t, err)
			},
		}))
		require.Greater(t, strings.Count(string(journal), "\n"), 8)
		complete := onDisk(t, dir)
		for end := 0; end < len(journal); end += soak.Times(17, 1) {
			require.NoError(t, os.WriteFile(manifest, journal[:end], 0o600))
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			assert.Equal(t, complete, onDisk(t, dir))
		}
	})
}

// A newer version of this library may have recorded entries that must not be
// lost.
func TestABackupTellsOfANewerManifest(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".practice-manifest.jsonl"), []byte(`{"format":3,"matterId":"`+m.id+`"}`+"\n"), 0o600))
		_, err := m.backup(t, dir, mirror.Options{})
		require.ErrorIs(t, err, mirror.ErrFormat)
		require.ErrorContains(t, err, ".practice-manifest.jsonl: ")
		assert.Empty(t, onDisk(t, dir))
	})
}

// For example after a power failure.
func TestABackupGoesOnWithoutAManifestThatCannotBeRead(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		for _, text := range []string{"{}\n", "\x00\x00", "[1]\n", ""} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".practice-manifest.jsonl"), []byte(text), 0o600))
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			assert.Equal(t, contents(t, localTree()), onDisk(t, dir))
		}
	})
}

// Another process may create the same file before it is renamed.
func TestWhoComesSecondDoesNotReplace(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		client := m.server.Client(t, practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/download") && strings.Contains(r.URL.Path, m.idOf(t, "readme.txt")) {
					assert.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("mine"), 0o600))
				}
				return next.RoundTrip(r)
			})
		}))
		for range 2 {
			err := mirror.Pull(t.Context(), client, m.id, dir, mirror.Options{})
			require.ErrorIs(t, err, fs.ErrExist)
			assert.Equal(t, "mine", onDisk(t, dir)["readme.txt"])
		}
	})
}

func TestAMirrorOutlivesAServiceThatIsNotAtItsWork(t *testing.T) {
	t.Parallel()
	for _, body := range slices.Concat([]string{"[]"}, testkit.NullLists, testkit.Listless) {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			tree := manyFiles(5)
			require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{}))
			dir := t.TempDir()
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			m.server.Inject(practicetest.Fault{Operation: "getRootFolder", Status: 200, Body: body, Times: -1})
			_, err = m.backup(t, dir, mirror.Options{Delete: true})
			require.ErrorIs(t, err, practice.ErrEmptyPage, body)
			assert.Equal(t, contents(t, tree), onDisk(t, dir), body)
		})
	}
}

// TestAResponseForAnotherFileMovesNoContent checks a service that answers each
// read of one file with that of another one.
func TestAResponseForAnotherFileMovesNoContent(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		a, b := m.file(t, "", "a.txt", "a1"), m.file(t, "", "b.txt", "b1")
		mixed := m.server.Client(t, practice.WithRetries(0), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
			return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if strings.Contains(r.URL.Path, "/files/"+a) && r.Method == http.MethodGet {
					r = r.Clone(r.Context())
					r.URL.Path, r.URL.RawQuery = strings.Replace(r.URL.Path, a, b, 1), "" // in its latest version
				}
				return next.RoundTrip(r)
			})
		}))
		dir := t.TempDir()
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{}))
		_, err := m.client.Documents.UploadVersion(t.Context(), m.id, a, practice.Upload{Body: strings.NewReader("a2")})
		require.NoError(t, err)
		m.server.Settle()

		require.ErrorIs(t, mirror.Pull(t.Context(), mixed, m.id, dir, mirror.Options{Delete: true}), practice.ErrOtherRecord)
		assert.Equal(t, map[string]string{"a.txt": "a1", "b.txt": "b1"}, onDisk(t, dir))
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{}))
		assert.Equal(t, map[string]string{"a.txt": "a2", "b.txt": "b1"}, onDisk(t, dir))

		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("a three"), 0o600))
		require.ErrorIs(t, mirror.Push(t.Context(), mixed, m.id, dir, mirror.Options{Delete: true}), practice.ErrOtherRecord)
		m.server.Settle()
		other := t.TempDir()
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, other, mirror.Options{}))
		assert.Equal(t, map[string]string{"a.txt": "a2", "b.txt": "b1"}, onDisk(t, other))
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{}))
		m.server.Settle()
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, other, mirror.Options{}))
		assert.Equal(t, map[string]string{"a.txt": "a three", "b.txt": "b1"}, onDisk(t, other))
	})
}
