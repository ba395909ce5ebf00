package mirror_test

import (
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/practicetest"
)

// A folder in a deleted one is not itself deleted, but a walk does not find it:
// a backup of it would be empty, and an upload into it would be invisible.
func TestAFolderInADeletedOneIsNotMirrored(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule    string
		deleted func(above [3]string) string // one of the folders above the mirrored one, which are outermost first
		err     error
	}{
		{"nothing is deleted", func([3]string) string { return "" }, nil},
		{"the folder that holds it", func(above [3]string) string { return above[2] }, practice.ErrFolderDeleted},
		{"the folder in the middle", func(above [3]string) string { return above[1] }, practice.ErrFolderDeleted},
		{"the outermost folder", func(above [3]string) string { return above[0] }, practice.ErrFolderDeleted},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			inEmptyMatter(t, func(t *testing.T, m *testMatter) {
				var above [3]string
				in := ""
				for n, name := range []string{"a", "b", "c"} {
					above[n] = m.folder(t, in, name)
					in = above[n]
				}
				id := m.folder(t, in, "d")
				m.file(t, id, "kept.txt", "kept")
				dir := t.TempDir()
				_, err := m.backup(t, dir, mirror.Options{FolderID: id})
				require.NoError(t, err)
				if deleted := test.deleted(above); deleted != "" {
					require.True(t, m.server.DeleteFolder(deleted))
				}
				m.server.ResetRequests()
				require.NoError(t, os.WriteFile(dir+"/new.txt", []byte("new"), 0o600))
				for _, dryRun := range []bool{true, false} {
					_, err = m.backup(t, dir, mirror.Options{FolderID: id, Delete: true, DryRun: dryRun})
					require.ErrorIs(t, err, test.err)
					_, err = m.push(t, dir, mirror.Options{FolderID: id, Delete: true, DryRun: dryRun})
					require.ErrorIs(t, err, test.err)
				}
				assert.Equal(t, map[string]string{"kept.txt": "kept", "new.txt": "new"}, onDisk(t, dir))
				if test.err != nil {
					assert.Empty(t, m.writes())
				}
			})
		})
	}
}

// The folders above are requested once, and those that are not visible are
// ignored.
func TestTheFoldersAboveAMirrorCostARequestEach(t *testing.T) {
	t.Parallel()
	for _, status := range []int{0, http.StatusForbidden, http.StatusNotFound, http.StatusBadRequest} {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			above := m.folder(t, m.folder(t, "", "a"), "b")
			id := m.folder(t, above, "c")
			for n := range 5 {
				m.file(t, m.folder(t, id, string(rune('a'+n))), "x", "x")
			}
			if status != 0 {
				m.server.Inject(practicetest.Fault{Operation: "getFolder", Kind: practicetest.FaultStatus, Status: status, Skip: 1})
			}
			m.server.ResetRequests()
			_, err := m.backup(t, t.TempDir(), mirror.Options{FolderID: id})
			if status == http.StatusBadRequest {
				require.ErrorIs(t, err, practice.ErrBadRequest)
				return
			}
			require.NoError(t, err)
			asked := 0
			for operation, n := range m.requests() {
				if operation != "getFileDownload" && operation != "storage.get" {
					asked += n
				}
			}
			want := 6 + 3 // the folder, its subfolders, and then the folder again with those above
			if status != 0 {
				want--
			}
			assert.Equal(t, want, asked, "%d: %v", status, m.requests())
		})
	}
}
