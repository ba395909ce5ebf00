package manifest

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var matter = Source{MatterID: "m1"}

func folder(t *testing.T) (root *os.Root, path string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, root.Close()) })
	return root, filepath.Join(dir, Name)
}

func open(t *testing.T, root *os.Root) *Manifest {
	t.Helper()
	m, err := Open(root, matter)
	require.NoError(t, err)
	return m
}

func TestWhatIsNotedIsThereTheNextTime(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	m := open(t, root)
	a, b := Entry{"a", "f1", "v1", 1}, Entry{"b/c.txt", "f2", "v2", 0}
	for _, e := range []Entry{b, {"a", "f1", "", 0}, a, {"gone", "f3", "v3", 3}, {Path: "gone"}} {
		require.NoError(t, m.Set(e))
	}
	check := func(m *Manifest) {
		for _, want := range []Entry{a, b} {
			got, ok := m.Lookup(want.Path)
			assert.True(t, ok)
			assert.Equal(t, want, got)
		}
		for _, none := range []string{"gone", "never", ""} {
			_, ok := m.Lookup(none)
			assert.False(t, ok, none)
		}
	}
	check(m)
	other := open(t, root) // as after the end of a process
	check(other)
	require.NoError(t, other.Close())
	require.NoError(t, m.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, `{"format":1,"matterId":"m1"}
{"path":"a","fileId":"f1","version":"v1","size":1}
{"path":"b/c.txt","fileId":"f2","version":"v2"}
`, string(text), "one line for each file")

	again := open(t, root)
	check(again)
	require.NoError(t, again.Set(a))
	require.NoError(t, again.Close())
	unchanged, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, unchanged)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())
}

func TestManyMayNoteAtOnce(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	m := open(t, root)
	var running sync.WaitGroup
	for i := range 20 {
		running.Go(func() {
			for k := range 20 {
				assert.NoError(t, m.Set(Entry{fmt.Sprint(i, "/", k), "f", "v", int64(k)}))
			}
		})
	}
	running.Wait()
	require.NoError(t, m.Close())
	m = open(t, root)
	assert.Len(t, m.entries, 400)
	require.NoError(t, m.Close())
}

func TestManifestsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		`{"format":1,"matterId":"m2"}`:                  ErrOther,
		`{"format":1,"matterId":"m1","folderId":"f1"}`:  ErrOther,
		`{"format":2,"matterId":"m1"}`:                  ErrFormat,
		`{"matterId":"m1"}`:                             ErrFormat,
		`{"format":1,"mat`:                              ErrFormat,
		"\n" + `{"format":1,"matterId":"m1"}`:           ErrFormat,
		`{"format":1,"matterId":"m1"}` + "\nnonsense\n": nil,
		`{"format":1,"matterId":"m1"}` + "\n{}\n[]\n":   nil,
	} {
		root, path := folder(t)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		m, err := Open(root, matter)
		require.ErrorIs(t, err, want, text)
		if err == nil {
			require.NoError(t, m.Close())
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(kept), "it is left as it is")
	}
}

func TestALineThatWasBeingWrittenSpoilsNoOther(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	require.NoError(t, os.WriteFile(path, []byte(`{"format":1,"matterId":"m1"}`+"\n"+`{"path":"a","fileId":"f1","ver`), 0o600))
	m := open(t, root)
	_, ok := m.Lookup("a")
	assert.False(t, ok)
	require.NoError(t, m.Set(Entry{"b", "f2", "v2", 2}))
	other := open(t, root)
	_, ok = other.Lookup("b")
	assert.True(t, ok)
	require.NoError(t, other.Close())
	require.NoError(t, m.Close())
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	m := open(t, root)
	require.NoError(t, m.Set(Entry{"a", "f1", "v1", 1}))
	require.NoError(t, os.Mkdir(path+".new", 0o700))
	require.Error(t, m.Close())
	other := open(t, root)
	_, ok := other.Lookup("a")
	assert.True(t, ok, "the lines are still there")
	require.NoError(t, other.Close())
	require.NoError(t, os.Mkdir(filepath.Join(filepath.Dir(path), "x"), 0o700))
	sub, err := root.OpenRoot("x")
	require.NoError(t, err)
	require.NoError(t, sub.Mkdir(Name, 0o700))
	_, err = Open(sub, matter)
	require.Error(t, err)
	require.NoError(t, sub.Close())
}

func FuzzManifest(f *testing.F) {
	f.Add("{\"path\":\"a\",\"fileId\":\"f\"}\n{\"path\":\"a\",\"fileId\":\"f\",\"version\":\"v\",\"size\":3}\n")
	f.Add("{\"path\":\"\"}\n\x00\n[")
	f.Fuzz(func(t *testing.T, lines string) {
		root, path := folder(t)
		require.NoError(t, os.WriteFile(path, []byte(`{"format":1,"matterId":"m1"}`+"\n"+lines), 0o600))
		m := open(t, root)
		entry := Entry{"the path", "f1", "v1", 1}
		require.NoError(t, m.Set(entry))
		for _, again := range []func() error{func() error { return nil }, m.Close} { // with all lines, then with one for each file
			require.NoError(t, again())
			other := open(t, root)
			for at, e := range m.entries {
				got, ok := other.Lookup(at)
				assert.Equal(t, e.FileID != "", ok)
				if ok {
					assert.Equal(t, e, got)
				}
			}
			got, ok := other.Lookup(entry.Path)
			assert.True(t, ok)
			assert.Equal(t, entry, got)
			other.stale = false
			require.NoError(t, other.Close())
		}
	})
}
