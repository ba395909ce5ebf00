package mirror_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/internal/testkit"
	"github.com/practicesdk/practice-go/mirror"
	"github.com/practicesdk/practice-go/models"
	"github.com/practicesdk/practice-go/practicetest"
)

// mirrorDir is the directory of a mirror.
type mirrorDir struct{ dir string }

func (d *mirrorDir) at(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// mirrored runs a test on a matter with some documents and its mirror.
func mirrored(t *testing.T, documents map[string]string, test func(t *testing.T, m *testMatter, d *mirrorDir, round func(push bool) dirResults), opts ...practicetest.Option) {
	t.Helper()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		d := &mirrorDir{dir: t.TempDir()}
		for _, name := range slices.Sorted(maps.Keys(documents)) {
			require.NoError(t, os.MkdirAll(filepath.Dir(d.at(name)), 0o700))
			require.NoError(t, os.WriteFile(d.at(name), []byte(documents[name]), 0o600))
		}
		round := func(push bool) dirResults {
			results := dirResults{}
			direction := mirror.Pull
			if push {
				direction = mirror.Push
			}
			require.NoError(t, direction(t.Context(), m.client, m.id, d.dir, mirror.Options{Delete: true, MaxDelete: -1, Result: results.add}))
			m.server.Settle()
			return results.changed()
		}
		round(true)
		require.Empty(t, round(false))
		test(t, m, d, round)
	}, opts...)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
}

func moveFile(t *testing.T, from, to string) {
	t.Helper()
	require.NoError(t, os.Rename(from, to))
}

func (m *testMatter) store(t *testing.T, id, content string) {
	t.Helper()
	_, err := m.client.Documents.UploadVersion(t.Context(), m.id, id, practice.Upload{Body: strings.NewReader(content)})
	require.NoError(t, err)
	m.server.Settle()
}

// emptyRecord returns the id of a record without content.
func (m *testMatter) emptyRecord(t *testing.T, path string) (id string) {
	t.Helper()
	for entry, err := range m.client.Documents.Walk(t.Context(), m.id, practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.Path() == path {
			id = entry.ID()
		}
	}
	return id
}

func (m *testMatter) content(t *testing.T, id string) string {
	t.Helper()
	text, there := m.server.FileContent(id)
	require.True(t, there)
	return string(text)
}

func TestEqualSizesAreNotEqualContents(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		id := m.file(t, "", "offer.txt", "100,000 EUR")
		write(t, d.at("offer.txt"), "900,000 EUR")
		assert.Equal(t, dirResults{"offer.txt": "conflict"}, round(true))
		m.store(t, id, "200,000 EUR")
		round(false)
		round(true)
		there := slices.Collect(maps.Values(m.contents(t)))
		assert.Contains(t, there, "900,000 EUR")
		assert.Contains(t, there, "200,000 EUR")
	})
}

func TestADocumentThatWasNeverHereIsNotDeleted(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		write(t, d.at("new"), "never arrives")
		m.server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultStatus, Status: 403, Times: -1})
		require.Error(t, mirror.Push(t.Context(), m.client, m.id, d.dir, mirror.Options{}))
		m.server.ClearFaults()
		m.server.Settle()
		id := m.emptyRecord(t, "new")
		m.store(t, id, "a colleague's work")
		assert.Equal(t, dirResults{"new": "conflict"}, round(true))
		for range 2 {
			round(true)
			assert.Equal(t, "a colleague's work", m.content(t, id))
		}
	})
}

func TestAFileFromTheEpochIsComparedByContent(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "one"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		epoch := time.Unix(0, 0)
		require.NoError(t, os.Chtimes(d.at("a"), epoch, epoch))
		assert.Empty(t, round(true))
		write(t, d.at("a"), "two")
		require.NoError(t, os.Chtimes(d.at("a"), epoch, epoch))
		assert.Equal(t, dirResults{"a": "updated"}, round(true))
		assert.Equal(t, "two", m.content(t, m.idOf(t, "a")))
	})
}

func TestAMirrorThatFollowsEventsMissesNothing(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		m.file(t, "", "first", "first")
		_, err = m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		cursors := cursorsOf(t, m.server)
		for n := range 20 {
			name := string(rune('a' + n))
			_, err := m.client.Documents.Upload(t.Context(), m.id, practice.Upload{Name: name, Body: strings.NewReader(name)})
			require.NoError(t, err)
		}
		for range 20 {
			_, err := m.backup(t, dir, mirror.Options{Cursor: <-cursors})
			require.NoError(t, err)
		}
		found := onDisk(t, dir)
		for n := range 20 {
			assert.Contains(t, found, string(rune('a'+n)))
		}
	}, practicetest.WithConsistency(practicetest.Unkind()))
}

func TestADocumentMayTakeTheNameOfADeletedFolder(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "text", "F/x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		require.True(t, m.server.DeleteFolder(m.folderID(t, "F")))
		m.patchFile(t, m.idOf(t, "a"), models.FilePatch{FileName: models.Some("F")})
		m.server.Settle()
		round(false)
		assert.Equal(t, map[string]string{"F": "text"}, onDisk(t, d.dir))
		assert.Empty(t, round(false))
	})
}

func TestARenameThereAndAMoveHereGoTogether(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "text", "F/x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		m.patchFile(t, m.idOf(t, "a"), models.FilePatch{FileName: models.Some("b")})
		m.server.Settle()
		moveFile(t, d.at("a"), d.at("F/a"))
		assert.Equal(t, dirResults{"F/a": "moved"}, round(true))
		round(false)
		assert.Equal(t, map[string]string{"F/": "", "F/x": "x", "F/b": "text"}, onDisk(t, d.dir))
		assert.Equal(t, onDisk(t, d.dir), m.contents(t))
	})
}

func TestAFolderThatBecomesAFile(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"Offer/x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		require.NoError(t, os.RemoveAll(d.at("Offer")))
		write(t, d.at("Offer"), "a file now")
		round(true)
		assert.Equal(t, map[string]string{"Offer": "a file now"}, m.contents(t))
		assert.Empty(t, round(false))
		m.store(t, m.idOf(t, "Offer"), "a colleague's work")
		assert.Equal(t, dirResults{"Offer": "waiting"}, round(true), "the older copy is no version")
		assert.Equal(t, dirResults{"Offer": "updated"}, round(false))
	})
}

func TestAFolderMovedIntoOneThatIsRenamedThere(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"outer/a": "a", "inner/b": "b"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		moveFile(t, d.at("inner"), d.at("outer/inner"))
		m.patchFolder(t, m.folderID(t, "outer"), models.FolderPatch{Name: models.Some("renamed")})
		m.server.Settle()
		round(false)
		round(true)
		assert.Equal(t, map[string]string{"renamed/": "", "renamed/a": "a", "renamed/inner/": "", "renamed/inner/b": "b"}, m.contents(t))
		assert.Equal(t, m.contents(t), onDisk(t, d.dir))
	})
}

func TestOfFoldersMovedIntoEachOtherTheOneThereHasItsWay(t *testing.T) {
	t.Parallel()
	for _, push := range []bool{true, false} {
		mirrored(t, map[string]string{"A/a": "a", "B/b": "b"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
			moveFile(t, d.at("A"), d.at("B/A"))
			m.patchFolder(t, m.folderID(t, "B"), models.FolderPatch{ParentFolderID: models.Some(m.folderID(t, "A"))})
			m.server.Settle()
			round(push)
			round(!push)
			assert.Empty(t, round(push))
			assert.Empty(t, round(!push))
			assert.Equal(t, map[string]string{"A/": "", "A/a": "a", "A/B/": "", "A/B/b": "b"}, m.contents(t))
			assert.Equal(t, m.contents(t), onDisk(t, d.dir))
		})
	}
}

func TestADryRunLooksIntoARenamedFolder(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"F/a": "a"}, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(bool) dirResults) {
		dir := d.dir
		write(t, d.at("F/new"), "local")
		m.file(t, m.folderID(t, "F"), "new", "there")
		m.patchFolder(t, m.folderID(t, "F"), models.FolderPatch{Name: models.Some("G")})
		m.server.Settle()
		foreseen := m.foreseeBackup(t, dir, mirror.Options{})
		results, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		assert.Equal(t, results, foreseen)
		assert.Equal(t, "conflict", results["G/new"])
	})
}

// An empty disk, or a service that lists nothing, does not delete everything.
func TestTooManyDeletionsEndTheCall(t *testing.T) {
	t.Parallel()
	inFilledMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		_, err := m.backup(t, dir, mirror.Options{})
		require.NoError(t, err)
		before := m.contents(t)
		for name := range onDisk(t, dir) {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, name)))
		}
		require.ErrorIs(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{Delete: true}), mirror.ErrTooManyDeletions)
		assert.Equal(t, before, m.contents(t))
		require.ErrorIs(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{Delete: true, MaxDelete: 3}), mirror.ErrTooManyDeletions)
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{Delete: true, MaxDelete: 8}))
		assert.Empty(t, m.contents(t))
	})
}

// A manifest that was keyed by path is refused. Without it, contents are
// compared once, and nothing is transferred again.
func TestAnOldManifestIsRefused(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir, folder := t.TempDir(), m.folder(t, "", "F")
		_, _ = m.file(t, folder, "Re: noted", "one"), m.file(t, "", "other", "two")
		require.NoError(t, os.Mkdir(filepath.Join(dir, "F"), 0o700))
		write(t, filepath.Join(dir, "F", "Re_ noted"), "one")
		write(t, filepath.Join(dir, "other"), "two")
		manifest := filepath.Join(dir, ".practice-manifest.jsonl")
		write(t, manifest, `{"format":1,"matterId":"`+m.id+`"}`+"\n"+`{"path":"F","folderId":"`+folder+`","name":"F"}`+"\n")
		for _, dryRun := range []bool{true, false} {
			_, err := m.backup(t, dir, mirror.Options{Delete: true, DryRun: dryRun})
			require.ErrorIs(t, err, mirror.ErrFormat)
			_, err = m.push(t, dir, mirror.Options{Delete: true, DryRun: dryRun})
			require.ErrorIs(t, err, mirror.ErrFormat)
		}
		require.NoError(t, os.Remove(manifest))
		for range 2 {
			results, err := m.backup(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
			results, err = m.push(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err)
			assert.Empty(t, results.changed())
		}
		assert.Empty(t, m.writes())
		assert.Len(t, testkit.RequestsTo(m.server, practicetest.PartStorage), 2, "each document is compared once")
	})
}

// Sent content that is not listed yet when the next call lists the folder still
// belongs to the same document.
func TestAFileThatIsMovedRightAfterItWasSentIsOneDocument(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "before", "F/x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		id := m.idOf(t, "a")
		write(t, d.at("a"), "after")
		round(true)
		moveFile(t, d.at("a"), d.at("F/b"))
		assert.Equal(t, dirResults{"F/b": "moved"}, round(true))
		assert.Equal(t, map[string]string{"F/": "", "F/x": "x", "F/b": "after"}, m.contents(t))
		assert.Equal(t, id, m.idOf(t, "F/b"))
	})
}

// A create of a process that is killed leaves a record without content. If its
// file is gone, both directions report the record, and a file of its name
// reuses it.
func TestTheEmptyRecordOfACreateIsReportedAndTakenUp(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		write(t, d.at("new"), "never arrives")
		m.server.Inject(practicetest.Fault{Operation: "createFile", Kind: practicetest.FaultResetAfter, Times: 1})
		require.Error(t, mirror.Push(t.Context(), m.client, m.id, d.dir, mirror.Options{}, practice.WithRetries(0)))
		m.server.Settle()
		id := m.emptyRecord(t, "new")
		require.NoError(t, os.Remove(d.at("new")))
		for range 2 {
			assert.Equal(t, dirResults{"new": "ignored"}, round(true))
			assert.Equal(t, dirResults{"new": "ignored"}, round(false))
		}
		write(t, d.at("new"), "arrives")
		assert.Equal(t, dirResults{"new": "resumed"}, round(true))
		assert.Equal(t, "arrives", m.content(t, id))
		assert.Empty(t, round(false))
	})
}

// The service does not list yet what this client has just created.
func TestAFolderThatTheClientJustMadeIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	inEmptyMatter(t, func(t *testing.T, m *testMatter) {
		dir := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(dir, "Letters", "2026"), 0o700))
		write(t, filepath.Join(dir, "Letters", "2026", "a"), "text")
		letters, err := m.client.Documents.CreateFolder(t.Context(), m.id, models.FolderWrite{Name: "Letters"})
		require.NoError(t, err)
		inside := models.FolderWrite{Name: "2026", ParentFolderID: letters.TargetID()}
		require.NoError(t, testkit.Discard(m.client.Documents.CreateFolder(t.Context(), m.id, inside)))
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, dir, mirror.Options{}))
		m.server.Settle()
		assert.Equal(t, map[string]string{"Letters/": "", "Letters/2026/": "", "Letters/2026/a": "text"}, m.contents(t))
		assert.Equal(t, letters.TargetID(), m.folderID(t, "Letters"))
	}, practicetest.WithWriteDelay(300*time.Millisecond))
}

// The remote folder of that name has another local name.
func TestANewFolderMayTakeTheNameOfOneThatIsRenamed(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"F/a": "a"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		moveFile(t, d.at("F"), d.at("G"))
		require.NoError(t, os.Mkdir(d.at("F"), 0o700))
		write(t, d.at("F/b"), "b")
		round(true)
		assert.Equal(t, map[string]string{"F/": "", "F/b": "b", "G/": "", "G/a": "a"}, m.contents(t))
		assert.Empty(t, round(false))
	})
}

// The response to a deletion is lost, and the service still lists the document.
func TestADeletionWithoutAnAnswerIsWaitedFor(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "a", "b": "b", "c": "c"}, func(t *testing.T, m *testMatter, d *mirrorDir, _ func(bool) dirResults) {
		require.NoError(t, os.Remove(d.at("b")))
		m.server.Inject(practicetest.Fault{Operation: "deleteFile", Kind: practicetest.FaultResetAfter, Times: 1})
		options := mirror.Options{Delete: true, MaxDelete: -1}
		require.Error(t, mirror.Push(t.Context(), m.client, m.id, d.dir, options, practice.WithRetries(0)))
		require.NoError(t, mirror.Pull(t.Context(), m.client, m.id, d.dir, options))
		assert.NotContains(t, onDisk(t, d.dir), "b", "it does not come back")
		require.NoError(t, mirror.Push(t.Context(), m.client, m.id, d.dir, options))
		m.server.Settle()
		assert.Equal(t, map[string]string{"a": "a", "c": "c"}, m.contents(t))
	}, practicetest.WithWriteDelay(300*time.Millisecond))
}

// Several folders of one name have distinct local names. Without the manifest
// they are still recognised, however their names were derived.
func TestFoldersOfOneNameAreFoundAgainWithoutAManifest(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ä", 150)
	for _, names := range [][2]string{
		{"F", "F"}, {"Offer (draft)", "Offer (draft)"}, {"Re: F", "Re: F"}, {"F", "f"}, {"A: b", "A_ b"},
		{"a/b", "a/b"}, {"/", "_"}, {"a (x)/b", "a (x)_b"}, {"..", "__"}, {long, long}, {long + "b", long + "c"},
	} {
		inEmptyMatter(t, func(t *testing.T, m *testMatter) {
			dir := t.TempDir()
			for n, name := range names {
				m.file(t, m.folder(t, m.folder(t, "", name), "G"), "x", fmt.Sprint("content ", n))
			}
			_, err := m.backup(t, dir, mirror.Options{})
			require.NoError(t, err)
			before := m.contents(t)
			require.NoError(t, os.Remove(filepath.Join(dir, ".practice-manifest.jsonl")))
			results, err := m.push(t, dir, mirror.Options{Delete: true})
			require.NoError(t, err, names)
			assert.Empty(t, results.changed(), names)
			assert.Equal(t, before, m.contents(t), names)
		})
	}
}

// Several creates of one name were killed. A file of that name becomes the
// content of one of the empty records.
func TestAFileTakesUpOneOfSeveralEmptyRecords(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"arrives", ""} {
		mirrored(t, map[string]string{"x": "x"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
			ids := []string{m.server.AddFile(m.id, models.FileCreate{FileName: "new"}), m.server.AddFile(m.id, models.FileCreate{FileName: "new"})}
			write(t, d.at("new"), content)
			assert.Equal(t, dirResults{"new": "resumed"}, round(true))
			var stored []string
			for _, id := range ids {
				if text, arrived := m.server.FileContent(id); arrived {
					stored = append(stored, string(text))
				}
			}
			assert.Equal(t, []string{content}, stored)
			round(false) // the other record is ignored
			assert.NotContains(t, round(true), "new")
		})
	}
}

// A sent content is a conflict if another user stores a version after it. The
// local file then becomes a second document and is not mistaken for the first.
func TestTheCopyOfAConflictIsNotTakenForTheDocument(t *testing.T) {
	t.Parallel()
	for _, push := range []bool{true, false} {
		mirrored(t, map[string]string{"D/x": "x", "D/y": "y"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
			id := m.idOf(t, "D/x")
			write(t, d.at("D/x"), "mine")
			round(true)
			m.store(t, id, "theirs")
			if push {
				assert.Equal(t, dirResults{"D/x": "conflict"}, round(true))
			} else { // the copy is moved, then the download fails
				m.server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStatus, Status: 404, Skip: 1})
				require.Error(t, mirror.Pull(t.Context(), m.client, m.id, d.dir, mirror.Options{}, practice.WithRetries(0)))
				require.Equal(t, map[string]string{"D/": "", "D/x (local copy)": "mine", "D/y": "y"}, onDisk(t, d.dir))
			}
			moveFile(t, d.at("D"), d.at("F"))
			round(false)
			round(true)
			round(false)
			want := map[string]string{"F/": "", "F/x": "theirs", "F/x (local copy)": "mine", "F/y": "y"}
			assert.Equal(t, want, onDisk(t, d.dir))
			assert.Equal(t, want, m.contents(t))
		})
	}
}

// A folder without entries is recognised by its inode.
func TestAnEmptyFolderThatIsRenamedIsOneFolder(t *testing.T) {
	t.Parallel()
	mirrored(t, map[string]string{"a": "a"}, func(t *testing.T, m *testMatter, d *mirrorDir, round func(bool) dirResults) {
		require.NoError(t, os.Mkdir(d.at("E"), 0o700))
		round(true)
		id := m.folderID(t, "E")
		moveFile(t, d.at("E"), d.at("F"))
		assert.Equal(t, dirResults{"F": "moved folder"}, round(true))
		assert.Equal(t, id, m.folderID(t, "F"))
		assert.Empty(t, round(false))
	})
}
