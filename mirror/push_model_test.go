package mirror_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

var (
	randomTrees = flag.Int("trees", soak.Times(soak.Least(8), 200), "how many random trees TestNoTreeIsMadeTwice uploads, and TestNoKilledUploadMakesAnythingTwice")
	firstTree   = flag.Uint64("first-tree", 0, "the seed of the first random tree")
)

// randomTree returns a small local tree with nested folders.
func randomTree(random *rand.Rand) fstest.MapFS {
	dirs := []string{"."}
	tree := fstest.MapFS{}
	for i := range random.IntN(6) {
		dir := path.Join(dirs[random.IntN(len(dirs))], fmt.Sprint("d", i))
		dirs = append(dirs, dir)
		tree[dir] = &fstest.MapFile{Mode: fs.ModeDir}
	}
	for i := range 1 + random.IntN(12) {
		at := path.Join(dirs[random.IntN(len(dirs))], fmt.Sprint("f", i, ".txt"))
		tree[at] = &fstest.MapFile{Data: make([]byte, random.IntN(2000)), ModTime: testkit.SomeTime}
	}
	if random.IntN(3) == 0 { // enough in one folder that their records are created together
		dir := dirs[random.IntN(len(dirs))]
		for i := range 10 + random.IntN(120) {
			tree[path.Join(dir, fmt.Sprint("m", i, ".txt"))] = &fstest.MapFile{Data: make([]byte, random.IntN(200)), ModTime: testkit.SomeTime}
		}
	}
	return tree
}

// faulty makes a share of the requests fail, half of them after they were
// executed.
type faulty struct {
	next http.RoundTripper
	mu   sync.Mutex
	rand *rand.Rand
	part float64
}

var errFaulty = errors.New("the line is broken")

func (f *faulty) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mu.Lock()
	broken, served := f.rand.Float64() < f.part, f.rand.IntN(2) == 0
	f.mu.Unlock()
	if broken && !served {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, errFaulty
	}
	resp, err := f.next.RoundTrip(r)
	if broken && err == nil {
		_ = resp.Body.Close()
		return nil, errFaulty
	}
	return resp, err
}

// assertMadeOnce compares the records of a matter with the uploaded tree.
func assertMadeOnce(t *testing.T, m *testMatter, tree fs.FS, seed uint64) {
	t.Helper()
	want := map[string]int{}
	require.NoError(t, fs.WalkDir(tree, ".", func(at string, _ fs.DirEntry, err error) error {
		if at != "." {
			want[at]++
		}
		return err
	}))
	got := map[string]int{}
	for entry, err := range m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}) {
		require.NoError(t, err)
		got[entry.Path()]++
	}
	assert.Equal(t, want, got, "tree %d", seed)
	assert.Equal(t, contents(t, tree), m.contents(t), "tree %d", seed)
}

// Responses are lost and lists are stale. Another call follows at once, as in a
// program.
func TestNoTreeIsMadeTwice(t *testing.T) {
	t.Parallel()
	for seed := *firstTree; seed < *firstTree+uint64(*randomTrees); seed++ {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			random := rand.New(rand.NewPCG(seed, 41))
			tree := randomTree(random)
			client := m.server.Client(t, practice.WithRetries(1), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return &faulty{next: next, rand: random, part: 0.08}
			}))
			var fsys fs.FS = tree
			dir := "" // a tree that is not on disk has no manifest
			if seed%2 == 1 {
				dir = t.TempDir()
			}
			var err error
			for range 40 {
				if err = mirror.Push(t.Context(), client, m.id, dir, mirror.Options{Tree: fsys}); err == nil {
					break
				}
			}
			require.NoError(t, err, "tree %d is stuck", seed)
			m.server.Settle()
			assertMadeOnce(t, m, tree, seed)
		}, practicetest.WithWriteDelay(150*time.Millisecond))
	}
}

// mortal is a process that ends at one of its requests: before it is sent, or
// before its response arrives. The lines that it had written to the manifest
// remain.
type mortal struct {
	left   atomic.Int64 // requests until the end
	served bool         // the last request reaches the service
	ended  func()       // called once at the end
	buried chan struct{}
}

func (p *mortal) send(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	n := p.left.Add(-1)
	if n > 0 {
		return next.RoundTrip(r)
	}
	if n == 0 {
		if p.served {
			if resp, err := next.RoundTrip(r); err == nil {
				_ = resp.Body.Close()
			}
		}
		p.ended()
	}
	<-p.buried
	return nil, errFaulty
}

// A supervisor restarts a process at once, before the effects of the previous
// one are visible.
func TestNoKilledUploadMakesAnythingTwice(t *testing.T) {
	t.Parallel()
	kills := 0
	for seed := *firstTree; seed < *firstTree+uint64(*randomTrees); seed++ {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			random := rand.New(rand.NewPCG(seed, 43))
			tree := randomTree(random)
			buried := make(chan struct{})
			var dead sync.WaitGroup
			defer dead.Wait()
			defer close(buried)
			ctx, bury := context.WithCancel(t.Context())
			defer bury()
			state := t.TempDir()
			for range 12 {
				next := t.TempDir()
				var killed bool
				state, killed = untilItsEnd(ctx, t, m, tree, state, next, random, buried, &dead)
				if !killed {
					break
				}
				kills++
			}
			require.NoError(t, mirror.Push(t.Context(), m.client, m.id, state, mirror.Options{Tree: tree}), "tree %d", seed)
			m.server.Settle()
			assertMadeOnce(t, m, tree, seed)
		}, practicetest.WithWriteDelay(300*time.Millisecond))
	}
	t.Logf("%d kills", kills)
}

// untilItsEnd uploads a tree in a process that ends after some requests. It
// returns the folder with the manifest at that time.
func untilItsEnd(
	ctx context.Context, t *testing.T, m *testMatter, tree fs.FS, state, next string, random *rand.Rand, buried chan struct{}, dead *sync.WaitGroup,
) (string, bool) {
	t.Helper()
	end := make(chan error, 2)
	p := &mortal{served: random.IntN(2) == 0, buried: buried}
	p.left.Store(1 + random.Int64N(12))
	p.ended = func() {
		text, err := os.ReadFile(filepath.Join(state, ".practice-manifest.jsonl"))
		assert.NoError(t, err)
		assert.NoError(t, os.WriteFile(filepath.Join(next, ".practice-manifest.jsonl"), text, 0o600))
		end <- errFaulty
	}
	client := m.server.Client(t, practice.WithRetries(0), practice.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) { return p.send(r, next) })
	}))
	dead.Go(func() {
		end <- mirror.Push(ctx, client, m.id, state, mirror.Options{Tree: tree})
	})
	if err := <-end; !errors.Is(err, errFaulty) {
		assert.NoError(t, err)
		return state, false
	}
	return next, true
}
