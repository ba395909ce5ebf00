package mirror

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
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
	a := Entry{Path: "a", FileID: "f1", Version: "v1", Size: 1}
	b := Entry{Path: "b/c.txt", FileID: "f2", Name: "c: txt", Version: "v2", ModTime: 7}
	dir := Entry{Path: "b", FolderID: "d1", Name: "b"}
	for _, e := range []Entry{dir, b, {Path: "a", FileID: "f1"}, a, {Path: "gone", FileID: "f3", Version: "v3", Size: 3}, {Path: "gone"}} {
		require.NoError(t, m.Set(e))
	}
	check := func(m *Manifest) {
		for _, want := range []Entry{a, b, dir} {
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
	require.NoError(t, m.file.Close()) // as after the end of a process
	other := open(t, root)
	check(other)
	require.NoError(t, other.Set(Entry{Path: "gone"}))
	require.NoError(t, other.Set(Entry{Path: "a", FileID: "f1"}))
	require.NoError(t, other.Set(a))
	require.NoError(t, other.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, `{"format":1,"matterId":"m1"}
{"path":"a","fileId":"f1","version":"v1","size":1}
{"path":"b","folderId":"d1","name":"b"}
{"path":"b/c.txt","fileId":"f2","name":"c: txt","version":"v2","modTime":7}
`, string(text), "one line for each entry")

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
				assert.NoError(t, m.Set(Entry{Path: fmt.Sprint(i, "/", k), FileID: "f", Version: "v", Size: int64(k)}))
			}
		})
	}
	running.Wait()
	require.NoError(t, m.Close())
	m = open(t, root)
	assert.Len(t, m.entries, 400)
	require.NoError(t, m.Close())
}

func TestManifestsThatAreNotUsed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		`{"format":1,"matterId":"m2"}`:                  ErrOther,
		`{"format":1,"matterId":"m1","folderId":"f1"}`:  ErrOther,
		`{"format":2,"matterId":"m1"}`:                  ErrFormat,
		`{"format":1,"matterId":"M1"}` + "\nnonsense\n": nil, // ids come in both cases
		`{"format":1,"matterId":"m1"}` + "\n{}\n[]\n":   nil,
	} {
		root, path := folder(t)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		m, err := Open(root, matter)
		require.ErrorIs(t, err, want, text)
		if err == nil {
			require.NoError(t, m.Close())
		} else {
			require.ErrorContains(t, err, Name, "the error names the file")
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, text, string(kept), "it is left as it is")
	}
}

// A power failure may leave anything. A lost manifest costs a comparison of
// contents; one that blocked the folder would end all backups.
func TestAManifestThatCannotBeReadIsALostOne(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "{}\n", "[1]\n", "\n", `{"format":1,"mat`, `{"matterId":"m1"}`, `{"format":"1","matterId":"m1"}`,
		strings.Repeat("\x00", 4096), "\n" + `{"format":1,"matterId":"m1"}` + "\n" + `{"path":"a","fileId":"f1"}` + "\n",
	} {
		root, path := folder(t)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		m := open(t, root)
		assert.Empty(t, m.Entries())
		require.NoError(t, m.Set(Entry{Path: "a", FileID: "f1"}))
		require.NoError(t, m.file.Close())
		m = open(t, root)
		assert.Len(t, m.Entries(), 1, "it begins anew: %q", text)
		require.NoError(t, m.Close())
	}
}

func TestOnlyOneHoldsAManifest(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	m := open(t, root)
	for range 2 {
		_, err := Open(root, matter)
		require.ErrorIs(t, err, ErrBusy)
		_, err = OpenBeside(root, matter)
		require.ErrorIs(t, err, ErrBusy)
	}
	_, err := Open(root, Source{MatterID: "m2"})
	require.ErrorIs(t, err, ErrOther, "nobody has to wait for that")
	beside, err := OpenBeside(root, Source{MatterID: "m2"})
	require.NoError(t, err, "another matter has a manifest of its own")
	require.NoError(t, beside.Close())
	require.NoError(t, m.Set(Entry{Path: "a", FileID: "f1"}))
	require.NoError(t, os.WriteFile(path+unfinished, nil, 0o600))
	require.NoError(t, m.Close())
	m = open(t, root)
	require.NoError(t, m.Close())
	_, err = os.Lstat(path + unfinished)
	require.ErrorIs(t, err, os.ErrNotExist, "what a dead process left is removed")
}

func TestAllEntriesCanBeReplaced(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	m := open(t, root)
	for _, at := range []string{"a", "b", "c"} {
		require.NoError(t, m.Set(Entry{Path: at, FileID: at}))
	}
	want := map[string]Entry{"b": {Path: "b", FileID: "a"}, "a": {Path: "a", FileID: "b"}, "d": {Path: "d", FolderID: "d"}}
	require.NoError(t, m.Replace(want))
	assert.Equal(t, want, m.Entries())
	require.NoError(t, m.file.Close())
	m = open(t, root)
	assert.Equal(t, want, m.Entries())
	require.NoError(t, m.Close())
}

func TestAManifestThatCannotBeWrittenToIsStillRead(t *testing.T) {
	t.Parallel()
	root, _ := folder(t)
	m := open(t, root)
	a := Entry{Path: "a", FileID: "f1"}
	require.NoError(t, m.Set(a))
	m.stale, m.readOnly = false, os.ErrPermission
	require.NoError(t, m.Set(a), "that is known")
	require.ErrorIs(t, m.Set(Entry{Path: "b", FileID: "f2"}), os.ErrPermission)
	_, ok := m.Lookup("b")
	assert.False(t, ok)
	require.NoError(t, m.Close())
}

func TestALineThatWasBeingWrittenSpoilsNoOther(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	require.NoError(t, os.WriteFile(path, []byte(`{"format":1,"matterId":"m1"}`+"\n"+`{"path":"a","fileId":"f1","ver`), 0o600))
	m := open(t, root)
	_, ok := m.Lookup("a")
	assert.False(t, ok)
	require.NoError(t, m.Set(Entry{Path: "b", FileID: "f2", Version: "v2", Size: 2}))
	require.NoError(t, m.file.Close())
	other := open(t, root)
	_, ok = other.Lookup("b")
	assert.True(t, ok)
	require.NoError(t, other.Close())
}

// A full disk leaves a part of a line, and may have room again for the next
// one.
func TestALineThatDidNotFitSpoilsNoOther(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	m := open(t, root)
	whole := m.file
	full, err := os.Open(path)
	require.NoError(t, err)
	m.file = full
	a, b := Entry{Path: "a", FileID: "f1", Version: "v1"}, Entry{Path: "b", FileID: "f2", Version: "v2"}
	require.Error(t, m.Set(a))
	require.NoError(t, full.Close())
	m.file = whole
	_, err = whole.WriteString(`{"path":"a","fil`)
	require.NoError(t, err)
	require.NoError(t, m.Set(b))
	require.NoError(t, m.Set(a), "once there is room")
	require.NoError(t, m.file.Close()) // as after the end of a process
	other := open(t, root)
	assert.Equal(t, map[string]Entry{"a": a, "b": b}, other.Entries())
	require.NoError(t, other.Close())
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	root, path := folder(t)
	m := open(t, root)
	require.NoError(t, m.Set(Entry{Path: "a", FileID: "f1", Version: "v1", Size: 1}))
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

// A path that leads out of the folder has no end when its folders are gone
// through.
func TestALineWhosePathIsNotBelowTheFolderSaysNothing(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"/abs/x", "/", ".", "..", "../x", "a//x", "a/", "a/../x"} {
		root, path := folder(t)
		line := fmt.Sprintf("{\"path\":%q,\"fileId\":\"f1\",\"modTime\":7}\n", at)
		require.NoError(t, os.WriteFile(path, []byte(`{"format":1,"matterId":"m1"}`+"\n"+line+`{"path":"a","fileId":"f2"}`+"\n"), 0o600))
		m := open(t, root)
		assert.Equal(t, map[string]Entry{"a": {Path: "a", FileID: "f2"}}, m.Entries(), at)
		require.NoError(t, m.Close())
	}
}

func FuzzManifest(f *testing.F) {
	f.Add("{\"path\":\"a\",\"fileId\":\"f\"}\n{\"path\":\"a\",\"fileId\":\"f\",\"version\":\"v\",\"size\":3}\n")
	f.Add("{\"path\":\"\"}\n\x00\n[")
	f.Fuzz(func(t *testing.T, lines string) {
		root, path := folder(t)
		require.NoError(t, os.WriteFile(path, []byte(`{"format":1,"matterId":"m1"}`+"\n"+lines), 0o600))
		m := open(t, root)
		entry := Entry{Path: "the path", FileID: "f1", Version: "v1", Size: 1}
		require.NoError(t, m.Set(entry))
		for _, again := range []func() error{m.file.Close, m.rewrite} { // with all lines, then with one for each entry
			_ = again() // the second time the file is closed already
			other := open(t, root)
			for at, e := range m.entries {
				got, ok := other.Lookup(at)
				assert.Equal(t, e.Known(), ok)
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
