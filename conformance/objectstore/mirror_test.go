package objectstore_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
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
	"github.com/practicesdk/practice-go/mirror"
)

// mirrored is a matter and its directory, both of which are changed.
type mirrored struct {
	*world
	random *rand.Rand
	dir    string
	seed   uint64
	sides  map[string]map[string][]byte // contents by side and name
}

// fresh returns content that has not been written before.
func (m *mirrored) fresh() []byte {
	m.seed++
	return content(m.t, m.seed, 1+m.random.Int64N([]int64{10, 5_000, 200_000}[m.random.IntN(3)]))
}

// edit creates or changes a document of one side.
func (m *mirrored) edit() {
	name, data := fmt.Sprint("here ", m.random.IntN(6)), m.fresh()
	if m.random.IntN(2) == 0 {
		path := filepath.Join(m.dir, name)
		require.NoError(m.t, os.WriteFile(path, data, 0o600))
		m.sides["here"][name] = data
		return
	}
	name = strings.Replace(name, "here", "there", 1)
	upload := practice.Upload{Name: name, Body: bytes.NewReader(data)}
	var err error
	if id := m.idOf(name); id != "" {
		_, err = m.client.Documents.UploadVersion(m.t.Context(), m.matter, id, upload)
	} else {
		_, err = m.client.Documents.Upload(m.t.Context(), m.matter, upload)
	}
	require.NoError(m.t, err)
	m.sides["there"][name] = data
}

func (m *mirrored) idOf(name string) (id string) {
	for entry, err := range m.client.Documents.AllEntries(m.t.Context(), m.matter, "") {
		require.NoError(m.t, err)
		if entry.File != nil && entry.Name() == name {
			id = entry.ID()
		}
	}
	return id
}

// breaks cuts the next upload or download.
func (m *mirrored) breaks() {
	m.mends()
	if m.random.IntN(2) == 0 {
		m.line.breaks(&cut{method: http.MethodPut, up: 1 + m.random.Int64N(3_000)})
	} else {
		m.line.breaks(&cut{method: http.MethodGet, down: 1 + m.random.Int64N(3_000)})
	}
}

// mends removes a cut that was not applied.
func (m *mirrored) mends() {
	m.line.mu.Lock()
	defer m.line.mu.Unlock()
	m.line.cuts = nil
}

// check compares both sides with the written contents.
func (m *mirrored) check() {
	want := maps.Clone(m.sides["here"])
	maps.Copy(want, m.sides["there"])
	found := map[string]bool{}
	require.NoError(m.t, filepath.WalkDir(m.dir, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".practice-") {
			return err
		}
		data, err := os.ReadFile(at)
		assert.True(m.t, bytes.Equal(want[entry.Name()], data), "%q here", entry.Name())
		found[entry.Name()] = true
		return err
	}))
	assert.ElementsMatch(m.t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(found)))
	for name, data := range want {
		m.holds(m.idOf(name), data)
	}
}

// TestAMirrorOverARealStoreLosesNothing writes on both sides while URLs expire
// and connections break. In the end both sides hold all documents, each once.
func TestAMirrorOverARealStoreLosesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(soak.Times(2, 100)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			m := &mirrored{
				world: w, random: rand.New(rand.NewPCG(seed, 67)), dir: t.TempDir(), seed: seed << 20,
				sides: map[string]map[string][]byte{"here": {}, "there": {}},
			}
			for entry, err := range w.client.Documents.AllEntries(t.Context(), w.matter, "") {
				require.NoError(t, err)
				if entry.Folder != nil {
					w.server.DeleteFolder(entry.ID())
				} else {
					w.server.DeleteFile(entry.ID())
				}
			}
			options := mirror.Options{Delete: true, ListWait: time.Minute}
			for range 8 {
				for range m.random.IntN(5) {
					m.edit()
				}
				m.breaks()
				_ = mirror.Pull(t.Context(), w.client, w.matter, m.dir, options) // the next call does the rest
				_ = mirror.Push(t.Context(), w.client, w.matter, m.dir, options)
			}
			m.mends()
			for range 2 {
				require.NoError(t, mirror.Push(t.Context(), w.client, w.matter, m.dir, options))
				require.NoError(t, mirror.Pull(t.Context(), w.client, w.matter, m.dir, options))
			}
			m.check()
			w.forget()
			require.NoError(t, mirror.Push(t.Context(), w.client, w.matter, m.dir, options))
			require.NoError(t, mirror.Pull(t.Context(), w.client, w.matter, m.dir, options))
			assert.Empty(t, w.line.heads(http.MethodGet), "it rests")
			assert.Empty(t, w.line.heads(http.MethodPut), "it rests")
		})
	}
}
