package mirror_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// One side replaces a folder by a file, or the reverse, while the other one
// works in it. In the end both sides have the work, whichever direction runs
// first, and dry runs predict it.
func TestWorkInWhatBecomesSomethingElseIsKept(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, dir, at, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, at), []byte(text), 0o600))
	}
	for rule, change := range map[string]func(t *testing.T, m *testMatter, dir string){
		"a folder of the service becomes a file": func(t *testing.T, m *testMatter, dir string) {
			write(t, dir, "letters/a.pdf", "work")
			require.True(t, m.server.DeleteFolder(m.folderID(t, "letters")))
			m.file(t, "", "letters", "the other")
		},
		"a local folder becomes a file": func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, "letters")))
			write(t, dir, "letters", "the other")
			m.newVersion(t, "letters/a.pdf", "work")
		},
		"a local file becomes a folder": func(t *testing.T, m *testMatter, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, "readme.txt")))
			require.NoError(t, os.Mkdir(filepath.Join(dir, "readme.txt"), 0o700))
			write(t, dir, "readme.txt/inner", "the other")
			m.newVersion(t, "readme.txt", "work")
		},
		"a file of the service becomes a folder": func(t *testing.T, m *testMatter, dir string) {
			write(t, dir, "readme.txt", "work")
			m.deleteFile(t, m.idOf(t, "readme.txt"))
			m.file(t, m.folder(t, "", "readme.txt"), "inner", "the other")
		},
	} {
		for n := range soak.Least(4) {
			downFirst, remove := n%2, n > 1
			inFilledMatter(t, func(t *testing.T, m *testMatter) {
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				change(t, m, dir)
				m.server.Settle()
				var last dirResults
				for turn := range 6 {
					run := func(dry bool) (dirResults, error) {
						if turn%2 != downFirst {
							return m.backup(t, dir, mirror.Options{Delete: remove, DryRun: dry})
						}
						return m.push(t, dir, mirror.Options{Delete: remove, DryRun: dry})
					}
					foretold, dryErr := run(true)
					results, err := run(false)
					assert.Equal(t, err == nil, dryErr == nil, "%s: %v, %v", rule, dryErr, err)
					if err == nil {
						assert.Equal(t, foretold, results, rule)
					}
					last = results
				}
				_, err = m.backup(t, dir, mirror.Options{Delete: remove})
				require.NoError(t, err, rule)
				if remove {
					assert.Empty(t, last.changed(), rule)
				}
				for _, text := range []string{"work", "the other"} {
					assert.Contains(t, slices.Collect(maps.Values(onDisk(t, dir))), text, rule)
					assert.Contains(t, slices.Collect(maps.Values(m.contents(t))), text, rule)
				}
			})
		}
	}
}

// A client with default settings transfers a directory of a thousand files
// under the default limit of the service: no file fails, it is as fast as the
// limit allows, and few requests are refused. If the records of many files are
// created together, the limit hardly matters.
func TestADirectoryPassesTheLimitOfTheService(t *testing.T) {
	soak.NotWithRaceDetector(t, "only many files show the pace")
	t.Parallel()
	const perSecond, burst = 5, 5
	files := soak.Times(250, 1000)
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		tree := fstest.MapFS{}
		for i := range files {
			tree[fmt.Sprintf("%03d/%04d.txt", i/9, i)] = &fstest.MapFile{Data: []byte{byte(i)}}
		}
		limits := &requestLimits{server: m.server, perSecond: perSecond, burst: burst}
		limits.keptBy(t, "up", func() error {
			return pushTree(t.Context(), m.client, m.id, tree, mirror.Options{})
		})
		limits.keptBy(t, "down", func() error {
			return mirror.Pull(t.Context(), m.client, m.id, t.TempDir(), mirror.Options{})
		})
		wide := fstest.MapFS{}
		for i := range files {
			wide[fmt.Sprintf("wide/%04d.txt", i)] = &fstest.MapFile{Data: []byte{byte(i)}}
		}
		started := time.Now()
		require.NoError(t, pushTree(t.Context(), m.client, m.id, wide, mirror.Options{}))
		assert.Less(t, time.Since(started), 10*time.Second)
	}, practicetest.WithRateLimit(perSecond, burst))
}

// requestLimits compares the requests of a client with the limit of its
// service.
type requestLimits struct {
	server           *practicetest.Server
	perSecond, burst int
	seen             int // number of log entries read so far
}

func (l *requestLimits) keptBy(t *testing.T, name string, work func() error) {
	t.Helper()
	started := time.Now()
	require.NoError(t, work(), name)
	took := time.Since(started).Seconds()
	accepted, refused := 0, 0
	requests := l.server.Requests()
	for _, r := range requests[l.seen:] {
		switch {
		case r.Part != practicetest.PartAPI:
		case r.Status == http.StatusTooManyRequests:
			refused++
		default:
			accepted++
		}
	}
	l.seen = len(requests)
	floor := float64(accepted-l.burst) / float64(l.perSecond)
	assert.LessOrEqual(t, took, 1.1*floor, "%s: %d requests in %.1f s", name, accepted, took)
	const finding = 40 // requests refused before a client knows the limit
	assert.LessOrEqual(t, float64(refused), finding+0.02*float64(accepted+refused), "%s: %d of %d refused", name, refused, accepted+refused)
}

// A process that is killed between link and unlink leaves two names of the file
// that it renames.
func TestARenameThatWasInterruptedIsCompleted(t *testing.T) {
	t.Parallel()
	for _, push := range []bool{false, true} {
		mirrored(t, map[string]string{"a": "text of a"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
			m.patchFile(t, m.idOf(t, "a"), models.FilePatch{FileName: models.Some("b")})
			require.NoError(t, os.Link(d.at("a"), d.at("b")))
			assert.Empty(t, round(push))
			assert.Empty(t, round(!push))
			assert.Equal(t, map[string]string{"b": "text of a"}, m.contents(t))
			assert.Equal(t, map[string]string{"b": "text of a"}, onDisk(t, d.dir))
		})
	}
}
