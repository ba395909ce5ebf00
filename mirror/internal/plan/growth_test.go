package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/mirror/internal/plan"
)

// numbered returns a world of documents that are alike on both sides: file n is
// named by its number, in the folder of that number if there are several.
func numbered(n int, name func(int) string, content func(int) string) *world {
	w := &world{base: map[plan.Key]plan.Entry{}, here: map[string]node{}, there: map[plan.Key]record{}, inodes: uint64(n) + 1}
	for i := range n {
		key, text := plan.File(fmt.Sprint("doc", i)), content(i)
		w.base[key] = plan.Entry{Key: key, Name: name(i), Alias: name(i), Version: version(text), Digest: text, Inode: uint64(i) + 1}
		w.here[name(i)] = node{content: text, inode: uint64(i) + 1}
		w.there[key] = record{"", name(i), text}
	}
	return w
}

func exhibit(i int) string { return fmt.Sprintf("Exhibit %04d.pdf", i) }

// An exhibit is inserted, so each document gets the name of the next one. Each
// is renamed once, the last one first.
func TestRenumberedDocumentsAreRenamedOnceEach(t *testing.T) {
	t.Parallel()
	n := soak.Times(200, 5000)
	w := numbered(n, exhibit, exhibit)
	for i := range n {
		key := plan.File(fmt.Sprint("doc", i))
		w.there[key] = record{"", exhibit(i + 1), exhibit(i)}
	}
	trees := w.trees()
	began := time.Now()
	p := plan.Make(trees, plan.Options{})
	took := time.Since(began)
	steps := len(stepsOf(p)) // too many to print
	assert.Equal(t, n, steps)
	if n == 5000 {
		assert.Less(t, took, time.Minute, "a tenth of a second on a quiet machine; hours where it grows with the cube")
	}
	if n < 5000 {
		require.Equal(t, n, w.run(plan.Options{}))
		require.Empty(t, w.bad)
		require.Empty(t, w.same())
	}
}

// All names are rotated, so one file must be renamed temporarily.
func TestACircleOfNamesTakesOneMoveMore(t *testing.T) {
	t.Parallel()
	const n = 5
	w := numbered(n, exhibit, exhibit)
	for i := range n {
		w.there[plan.File(fmt.Sprint("doc", i))] = record{"", exhibit((i + 1) % n), exhibit(i)}
	}
	require.Equal(t, n+1, w.run(plan.Options{}))
	require.Empty(t, w.bad)
	require.Empty(t, w.same())
}

// A pull that was killed leaves a file under a temporary name, which a push
// does not send. The next pull gives it its name, even if its document or its
// folder is gone.
func TestATemporaryNameStaysHere(t *testing.T) {
	t.Parallel()
	for _, parent := range []string{"", "gone"} {
		for _, there := range []bool{true, false} {
			w, key := numbered(0, exhibit, exhibit), plan.File("one")
			w.base[key] = plan.Entry{Key: key, Parent: parent, Name: "a", Alias: "a", Version: version("1"), Digest: "1", Parked: plan.Parking + "1"}
			w.here[plan.Parking+"1"] = node{content: "1"}
			if there {
				w.there[key] = record{"", "a", "1"}
			}
			require.Zero(t, w.run(plan.Options{Push: true, Delete: true}))
			require.Equal(t, 1, w.run(plan.Options{}))
			require.Empty(t, w.bad)
			assert.Equal(t, map[string]node{"a": {content: "1"}}, w.here)
			assert.Equal(t, "a", plan.BasePath(w.base, w.base[key]))
			require.Zero(t, w.run(plan.Options{}))
		}
	}
}

// A folder with files of the same name, size and content, such as those made
// from a template, was renamed locally.
func TestManyLikeFilesAreMovedWithTheirFolder(t *testing.T) {
	t.Parallel()
	n := soak.Times(500, 5000)
	w := &world{base: map[plan.Key]plan.Entry{}, here: map[string]node{}, there: map[plan.Key]record{}}
	top := plan.Folder("top")
	w.base[top] = plan.Entry{Key: top, Name: "Forms", Alias: "Forms"}
	w.there[top] = record{"", "Forms", ""}
	w.here["Renamed"] = node{dir: true}
	for i := range n {
		dir, file, name := plan.Folder(fmt.Sprint("dir", i)), plan.File(fmt.Sprint("doc", i)), fmt.Sprintf("%04d", i)
		w.base[dir] = plan.Entry{Key: dir, Parent: "top", Name: name, Alias: name}
		w.base[file] = plan.Entry{Key: file, Parent: dir.ID, Name: "form", Alias: "form", Version: version("form"), Digest: "form"}
		w.there[dir], w.there[file] = record{"top", name, ""}, record{dir.ID, "form", "form"}
		w.here["Renamed/"+name], w.here["Renamed/"+name+"/form"] = node{dir: true}, node{content: "form"}
	}
	trees := w.trees()
	began := time.Now()
	p := plan.Make(trees, plan.Options{Push: true, Delete: true})
	took := time.Since(began)
	steps := stepsOf(p)
	require.Len(t, steps, 1, "one folder has another name")
	assert.Equal(t, plan.Place, steps[0].Op)
	if n == 5000 {
		assert.Less(t, took, time.Minute)
	}
}

// A document replaced one that was deleted in the service. The local file
// belongs to the document that the service still has.
func TestAFileIsTheDocumentThatTheServiceStillHas(t *testing.T) {
	t.Parallel()
	gone, there := plan.File("1 gone"), plan.File("2 there")
	w := &world{base: map[plan.Key]plan.Entry{}, here: map[string]node{"a": {content: "edited"}}, there: map[plan.Key]record{there: {"", "a", "new"}}}
	w.base[gone] = plan.Entry{Key: gone, Name: "a", Alias: "a", Version: version("old"), Digest: "old"}
	w.base[there] = plan.Entry{Key: there, Name: "a", Alias: "a", Version: version("new"), Digest: "new"}
	w.run(plan.Options{Push: true, Delete: true})
	require.Empty(t, w.bad)
	require.Equal(t, map[plan.Key]record{there: {"", "a", "edited"}}, w.there)
}
