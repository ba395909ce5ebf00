package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/practicetest"
)

// isProgram is the environment variable that makes this test binary run the
// program.
const isProgram = "MIRROR_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(isProgram) != "" {
		main()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// mirrored returns a service and the task of a directory after its first round.
func mirrored(t *testing.T, dir string, opts ...practicetest.Option) (*practicetest.Server, *task) {
	t.Helper()
	server := practicetest.New(t, opts...)
	m := &task{client: server.Client(t), matterID: server.Firm().MatterID, dir: dir}
	require.NoError(t, m.round(t.Context()))
	return server, m
}

// documents returns the contents of the matter by the paths that they have in
// the service.
func documents(t *testing.T, server *practicetest.Server) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for entry, err := range server.Client(t).Documents.Walk(t.Context(), server.Firm().MatterID, practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.File != nil {
			content, _ := server.FileContent(entry.ID())
			all[entry.Path()] = append(all[entry.Path()], string(content))
		}
	}
	return all
}

func write(t *testing.T, dir, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(content), 0o600))
}

func local(t *testing.T, m *task, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(content)
}

func TestAWeekOfRoundsWithoutAnyChangeChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, m := mirrored(t, dir)
	before := documents(t, server)
	for range 7 {
		require.NoError(t, m.round(t.Context()))
	}
	assert.Equal(t, before, documents(t, server), "whatever the documents are called")
	for _, request := range server.Requests() {
		assert.NotEqual(t, "storage.put", request.Operation)
	}
}

func TestAChangeOnOneSideReachesTheOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, m := mirrored(t, dir, practicetest.WithConsistency(practicetest.Unkind()))
	require.True(t, server.SetFileContent(server.Firm().FileID, []byte("theirs")))
	server.Settle()
	write(t, dir, "Letters/Letter 02.pdf", "ours")
	require.NoError(t, m.round(t.Context()))
	server.Settle()
	assert.Equal(t, "theirs", local(t, m, "1. Agenda.docx"))
	assert.Equal(t, []string{"ours"}, documents(t, server)["Letters/Letter 02.pdf"], "a version of the file, and no second file")
}

func TestADirectionAloneLeavesTheOtherSideAsItIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, m := mirrored(t, dir)
	require.True(t, server.SetFileContent(server.Firm().FileID, []byte("theirs")))
	write(t, dir, "Letters/Letter 02.pdf", "ours")
	before := documents(t, server)
	m.dryRun = true
	require.NoError(t, m.round(t.Context()))
	m.dryRun, m.only = false, "down"
	require.NoError(t, m.round(t.Context()))
	assert.Equal(t, before, documents(t, server))
	assert.Equal(t, "theirs", local(t, m, "1. Agenda.docx"))
	require.True(t, server.SetFileContent(server.Firm().FileID, []byte("theirs again")))
	m.only = "up"
	require.NoError(t, m.round(t.Context()))
	assert.Equal(t, "theirs", local(t, m, "1. Agenda.docx"))
	assert.Equal(t, []string{"ours"}, documents(t, server)["Letters/Letter 02.pdf"])
}

func TestADocumentThatChangedOnBothSidesIsKeptTwiceOnBothSides(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, m := mirrored(t, dir)
	require.True(t, server.SetFileContent(server.Firm().FileID, []byte("theirs")))
	write(t, dir, "1. Agenda.docx", "ours")
	require.NoError(t, m.round(t.Context()))
	there := documents(t, server)
	for name, want := range map[string]string{"1. Agenda.docx": "theirs", "1. Agenda (local copy).docx": "ours"} {
		assert.Equal(t, []string{want}, there[name])
		assert.Equal(t, want, local(t, m, name))
	}
}

func TestNothingIsDeletedOnEitherSide(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	server, m := mirrored(t, dir)
	require.True(t, server.DeleteFile(server.Firm().FileID))
	require.NoError(t, os.Remove(filepath.Join(dir, "Letters", "Letter 02.pdf")))
	require.NoError(t, m.round(t.Context()))
	assert.FileExists(t, filepath.Join(m.dir, "1. Agenda.docx"))
	assert.FileExists(t, filepath.Join(m.dir, "Letters", "Letter 02.pdf"), "it is brought again")
}

func TestWhatDidNotComeIsNotSentAndTheSameCommandGoesOn(t *testing.T) {
	t.Parallel()
	server := practicetest.New(t)
	server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStatus, Status: 404, Times: 2})
	dir := t.TempDir()
	m := &task{client: server.Client(t), matterID: server.Firm().MatterID, dir: dir}
	write(t, dir, "New.txt", "ours")
	require.ErrorIs(t, m.round(t.Context()), practice.ErrNotFound)
	assert.NotContains(t, documents(t, server), "New.txt")
	require.NoError(t, m.round(t.Context()))
	assert.Equal(t, []string{"ours"}, documents(t, server)["New.txt"])
}
