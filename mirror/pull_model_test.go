package mirror_test

import (
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

var randomMatters = flag.Int("matters-down", soak.Times(soak.Least(4), 200), "how many random matters TestNoFileOfABackupIsTorn brings to disk")

// restless is a matter whose files get new versions while they are read. Each
// version is a repeated letter with a different length.
type restless struct {
	*testMatter
	mu       sync.Mutex
	random   *rand.Rand
	ids      []string
	versions map[string]bool
	part     float64 // share of the requests that meet a new version
}

func (r *restless) change() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.random.Float64() >= r.part || len(r.ids) == 0 {
		return
	}
	n := len(r.versions)
	text := strings.Repeat(string(rune('A'+n%26)), 1500+n)
	r.versions[text] = true
	r.server.SetFileContent(r.ids[r.random.IntN(len(r.ids))], []byte(text))
}

// breakStorage makes the storage fail for some of the next downloads.
func (r *restless) breakStorage() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.server.ClearFaults()
	for range r.random.IntN(6) {
		fault := []practicetest.Fault{
			{Kind: practicetest.FaultResetBefore}, {Kind: practicetest.FaultResetAfter, After: 1 + r.random.Int64N(1600)},
			{Kind: practicetest.FaultTruncated, After: 1 + r.random.Int64N(1600)}, {Status: 503}, {Status: 403}, {Status: 412}, {Status: 404},
		}[r.random.IntN(7)]
		fault.Operation, fault.Skip = "storage.get", r.random.IntN(8)
		r.server.Inject(fault)
	}
}

// Connections break, and files get versions, while a backup runs. A file under
// its final name holds a complete version that existed, and in the end the last
// one.
func TestNoFileOfABackupIsTorn(t *testing.T) {
	t.Parallel()
	runs, failures, versions := 0, 0, 0
	for seed := *firstTree; seed < *firstTree+uint64(*randomMatters); seed++ {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			random := rand.New(rand.NewPCG(seed, 53))
			r := &restless{testMatter: m, random: random, versions: map[string]bool{}, part: 0.1}
			require.NoError(t, pushTree(t.Context(), m.client, m.id, randomTree(random), mirror.Options{}))
			for entry, err := range m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}) {
				require.NoError(t, err)
				if entry.File != nil {
					r.ids = append(r.ids, entry.File.ID)
				}
			}
			for _, content := range m.contents(t) {
				r.versions[content] = true
			}
			client := m.server.Client(t, practice.WithRetries(1), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				broken := &faulty{next: next, rand: rand.New(rand.NewPCG(seed, 59)), part: 0.08}
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					r.change()
					return broken.RoundTrip(req)
				})
			}))
			dir := t.TempDir()
			options := mirror.Options{Ranges: 3, RangeSize: 300, Concurrency: 2, Progress: func(int64, int64) { r.change() }}
			for tries := 0; ; tries++ {
				r.breakStorage()
				err := mirror.Pull(t.Context(), client, m.id, dir, options)
				if runs++; err != nil {
					failures++
				}
				for path, content := range wholeFiles(t, dir) {
					assert.True(t, r.versions[content], "matter %d: %s is torn: %d bytes", seed, path, len(content))
				}
				if err == nil && tries >= 3 {
					break
				}
				if r.part = 0.1 / float64(tries+1); tries > 20 {
					r.part = 0
				}
				require.Less(t, tries, 80, "matter %d is stuck: %v", seed, err)
			}
			r.part, versions = 0, versions+len(r.versions)
			m.server.ClearFaults()
			m.server.Settle()
			require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, dir, mirror.Options{}))
			assert.Equal(t, m.contents(t), onDisk(t, dir), "matter %d", seed)
			left, err := filepath.Glob(filepath.Join(dir, ".practice-*.part"))
			require.NoError(t, err)
			assert.Empty(t, left, "matter %d", seed)
		})
	}
	t.Logf("%d runs, of which %d failed; %d versions on the way", runs, failures, versions)
}

// wholeFiles returns the files under their final names.
func wholeFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for path, content := range contents(t, os.DirFS(dir)) {
		if !strings.HasPrefix(filepath.Base(path), ".practice-") && !strings.HasSuffix(path, "/") {
			files[path] = content
		}
	}
	return files
}
