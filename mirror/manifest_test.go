package mirror

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// A process may be killed while it uses a manifest whose former content was
// lost: what it noted by then is known.
func TestALostManifestIsBegunAnewAtOnce(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"", "\x00\x00", "{}", "[1]\n", "{\"format\":2"} {
		dir, of := t.TempDir(), source{MatterID: "m"}
		require.NoError(t, os.WriteFile(filepath.Join(dir, manifestName), []byte(lost), 0o600))
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		m, err := openManifest(root, of, false, false)
		require.NoError(t, err)
		e := plan.Entry{Key: plan.File("id"), Name: "a", Alias: "a"}
		require.NoError(t, m.step(&plan.Step{Op: plan.Note, Key: e.Key, Entry: e}, plan.Done{}, nil, plan.Key{}))
		text, err := root.ReadFile(manifestName) // as the next process finds it after a kill
		require.NoError(t, err)
		next := newManifest(nil, "", of)
		require.NoError(t, next.load(text))
		assert.Equal(t, e, next.base[e.Key], "%q", lost)
		require.NoError(t, m.close())
	}
}

// A disk that was full tears a line: the notes after it are read, and the next
// run writes the whole manifest anew.
func TestATornLineSpoilsNoOther(t *testing.T) {
	t.Parallel()
	dir, of := t.TempDir(), source{MatterID: "m"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"format":2,"matterId":"m"}`+"\n"+`{"id":"torn","ent`), 0o600))
	e := plan.Entry{Key: plan.File("id"), Name: "a", Alias: "a"}
	for range 2 {
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		m, err := openManifest(root, of, false, false)
		require.NoError(t, err)
		require.NoError(t, m.step(&plan.Step{Op: plan.Note, Key: e.Key, Entry: e}, plan.Done{}, nil, plan.Key{}))
		text, err := root.ReadFile(manifestName)
		require.NoError(t, err)
		next := newManifest(nil, "", of)
		require.NoError(t, next.load(text))
		assert.Equal(t, map[plan.Key]plan.Entry{e.Key: e}, next.base)
		require.NoError(t, m.close())
	}
}

// Within a tick of the clock another write of the same size may leave no trace
// in the times, when it restores that of the content.
func TestAFileIsTrustedOnceItsChangeIsATickOld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dir, year := t.TempDir(), time.Date(1999, 1, 2, 3, 4, 5, 0, time.UTC)
		at := filepath.Join(dir, "a")
		require.NoError(t, os.WriteFile(at, []byte("content"), 0o600))
		require.NoError(t, os.Chtimes(at, year, year))
		root, err := os.OpenRoot(dir)
		require.NoError(t, err)
		defer func() { assert.NoError(t, root.Close()) }()
		d := disk{root.FS(), root}
		info, err := d.lstat("a")
		require.NoError(t, err)
		_, changed := inodeOf(info)
		if changed == 0 {
			t.Skip("the system does not say when a file was changed")
		}
		<-time.After(time.Until(time.Unix(0, changed).Add(time.Millisecond)))
		assert.Empty(t, d.done("a").Stamp)
		<-time.After(2 * coarseTick)
		assert.Equal(t, stampOf("a", info), d.done("a").Stamp)
	})
}
