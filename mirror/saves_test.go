package mirror_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/internal/soak"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

// A program saves a file and keeps the former one as a backup. The document
// gets the new content as a version, and the backup is a new file.
func TestASaveThatKeepsABackupIsAVersion(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"letter": "first"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(push bool) dirResults) {
		moveFile(t, d.at("letter"), d.at("letter~"))
		write(t, d.at("letter"), "second")
		assert.Equal(t, dirResults{"letter": "waiting"}, round(false))
		assert.Equal(t, dirResults{"letter": "updated", "letter~": "created"}, round(true))
		assert.Empty(t, round(false))
		assert.Equal(t, map[string]string{"letter": "second", "letter~": "first"}, m.contents(t))
	})
}

// A file or folder is moved over another one: the document of the latter is
// deleted by the same push that moves the other, as its dry run says, and the
// next pull has nothing to do.
func TestWhatWasMovedOverIsDeletedAtOnce(t *testing.T) {
	t.Parallel()
	for name, tree := range map[string]map[string]string{
		"a file":   {"New": "new", "Old": "old", "other": "x"},
		"a folder": {"New/x": "new", "Old/y": "old", "other": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mirrored(t, tree, func(t *testing.T, m *testMatter, d *mirrorDir, round func(push bool) dirResults) {
				require.NoError(t, os.RemoveAll(d.at("Old")))
				moveFile(t, d.at("New"), d.at("Old"))
				foreseen := dirResults{}
				require.NoError(t, mirror.Push(t.Context(), m.client, m.id, d.dir, mirror.Options{Delete: true, MaxDelete: -1, DryRun: true, Result: foreseen.add}))
				assert.Equal(t, foreseen.changed(), round(true))
				assert.Empty(t, round(false))
				assert.Empty(t, round(true))
				assert.Equal(t, onDisk(t, d.dir), m.contents(t))
			})
		})
	}
}

// While the side that is read is empty, nothing is deleted, however few files
// are known, unless MaxDelete allows them.
func TestAnEmptySideDeletesNothing(t *testing.T) {
	t.Parallel()
	for _, known := range []int{1, 3} {
		for _, push := range []bool{true, false} {
			t.Run(fmt.Sprint(known, push), func(t *testing.T) {
				t.Parallel()
				documents := map[string]string{}
				for i := range known {
					documents[fmt.Sprint("file", i)] = fmt.Sprint("text", i)
				}
				mirrored(t, documents, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(push bool) dirResults) {
					direction := mirror.Pull
					if push {
						direction = mirror.Push
					}
					for name := range documents {
						if push {
							require.NoError(t, os.Remove(d.at(name)))
						} else {
							m.server.DeleteFile(m.idOf(t, name))
						}
					}
					m.server.Settle()
					err := direction(t.Context(), m.client, m.id, d.dir, mirror.Options{Delete: true})
					require.ErrorIs(t, err, mirror.ErrTooManyDeletions)
					assert.ErrorContains(t, err, fmt.Sprintf("%d of %d", known, known))
					require.NoError(t, direction(t.Context(), m.client, m.id, d.dir, mirror.Options{Delete: true, MaxDelete: known}))
					m.server.Settle()
					assert.Empty(t, m.contents(t))
					assert.Empty(t, onDisk(t, d.dir))
				})
			})
		}
	}
}

// The folders of a parent are listed once, and not once for each new folder.
func TestManyNewFoldersInOneNeedOneRequestEach(t *testing.T) {
	t.Parallel()
	folders := soak.Times(soak.Least(150), 1200)
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		for i := range folders {
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "All", fmt.Sprintf("%04d", i)), 0o700))
		}
		m.server.ResetRequests()
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{}))
		all := 0
		for operation, n := range m.requests() {
			t.Log(operation, n)
			all += n
		}
		assert.Equal(t, folders+1, m.requests()["createFolder"])
		assert.LessOrEqual(t, all, folders+100)
	}, practicetest.WithRequestLog(10_000))
}
