package mirror_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/mirror"
)

// The same names in the forms of two systems: composed characters, and letters
// followed by combining marks.
const (
	composed   = "\u00dcbersicht f\u00fcr \u00c5sa.txt"
	decomposed = "U\u0308bersicht fu\u0308r A\u030asa.txt"
	composedIn = "Vertr\u00e4ge"
	decompedIn = "Vertra\u0308ge"
)

// A tree from a system with another Unicode form of names finds its documents,
// in both directions and without a manifest.
func TestAnotherFormOfANameIsNoOtherName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ rule, dir, name, localDir, localName string }{
		{"the disk decomposes", composedIn, composed, decompedIn, decomposed},
		{"the service decomposes", decompedIn, decomposed, composedIn, composed},
	} {
		inMatter := func(test func(t *testing.T, m *testMatter, dir string)) func(t *testing.T, m *testMatter) {
			return func(t *testing.T, m *testMatter) { t.Helper(); test(t, m, t.TempDir()) }
		}
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, inMatter(func(t *testing.T, m *testMatter, dir string) {
				m.file(t, m.folder(t, "", test.dir), test.name, "text")
				before := m.contents(t)
				tree := fstest.MapFS{test.localDir + "/" + test.localName: {Data: []byte("text")}}
				results := dirResults{}
				require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Result: results.add}))
				assert.Equal(t, actions(tree, mirror.Kept), results)
				assert.Equal(t, before, m.contents(t), "nothing is doubled or renamed")

				require.NoError(t, os.CopyFS(dir, tree))
				disk := onDisk(t, dir)
				results, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				assert.Equal(t, actions(tree, mirror.Kept), results)
				assert.Equal(t, disk, onDisk(t, dir))
			}))
		})
		t.Run(test.rule+", of a mirror", func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, inMatter(func(t *testing.T, m *testMatter, dir string) {
				m.file(t, m.folder(t, "", test.dir), test.name, "text")
				m.folder(t, "", "empty "+test.dir)
				_, err := m.backup(t, dir, mirror.Options{})
				require.NoError(t, err)
				for _, move := range [][2]string{
					{test.dir + "/" + test.name, test.dir + "/" + test.localName}, {test.dir, test.localDir}, {"empty " + test.dir, "empty " + test.localDir},
				} {
					require.NoError(t, os.Rename(filepath.Join(dir, move[0]), filepath.Join(dir, move[1])))
				}
				matter, disk := m.contents(t), onDisk(t, dir)
				for range 2 {
					m.server.ResetRequests()
					results, err := m.push(t, dir, mirror.Options{Delete: true})
					require.NoError(t, err)
					assert.Empty(t, results.changed())
					assert.Empty(t, m.writes())
					results, err = m.backup(t, dir, mirror.Options{Delete: true})
					require.NoError(t, err)
					assert.Empty(t, results.changed())
				}
				assert.Equal(t, matter, m.contents(t))
				assert.Equal(t, disk, onDisk(t, dir))
			}))
		})
	}
}

// A disk that distinguishes both forms may hold both.
func TestBothFormsOfANameAreTwoFilesWhereBothAreThere(t *testing.T) {
	t.Parallel()
	for _, there := range []string{composed, decomposed} {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			m.file(t, "", there, "a text")
			tree := fstest.MapFS{composed: {Data: []byte("a text")}, decomposed: {Data: []byte("the other one")}}
			want := actions(tree, mirror.Created)
			if want[there] = "kept"; there == decomposed {
				want[there] = "updated" // it has another size
			}
			results := dirResults{}
			require.NoError(t, pushTree(t.Context(), m.client, m.id, tree, mirror.Options{Result: results.add}))
			assert.Equal(t, want, results)
			m.server.Settle()
			assert.Equal(t, contents(t, tree), m.contents(t))
		})
	}
}
