package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/practicetest"
)

// isProgram is the variable that makes this test binary the program.
const isProgram = "MIRROR_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(isProgram) != "" {
		main()
	}
	goleak.VerifyTestMain(m)
}

func TestWithoutAnythingItShowsThreeRounds(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	assert.Contains(t, out.String(), "  1 file conflict changed on both sides, a copy of the local change is kept\n    1. Agenda.docx\n")
	assert.Contains(t, out.String(), "  2 files created\n    1. Agenda (local copy).docx\n    Note.txt\n  1 file updated\n    Letters/Letter 02.pdf\n")
	assert.Contains(t, out.String(), "Once more\n")
	assert.NotContains(t, out.String()[bytes.LastIndex(out.Bytes(), []byte("Once more")):], "created", "the last round has nothing to do")
}

func start(t *testing.T) (server *practicetest.Server, env func(string) string) {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Empty(t, server.Violations())
		require.NoError(t, server.Close())
	})
	variables := map[string]string{
		"PRACTICE_BASE_URL": server.BaseURL(), "PRACTICE_API_KEY": server.Credentials().APIKey,
		"PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken, "PRACTICE_MATTER_ID": server.Firm().MatterID,
	}
	return server, func(name string) string { return variables[name] }
}

// documents returns the contents of the matter by the paths that they have in
// the service.
func documents(t *testing.T, server *practicetest.Server) map[string][]string {
	t.Helper()
	c := server.Credentials()
	client, err := practice.NewClient(server.BaseURL(), practice.WithAPIKey(c.APIKey), practice.WithAccessToken(c.AccessToken))
	require.NoError(t, err)
	defer client.CloseIdleConnections()
	all := map[string][]string{}
	for entry, err := range client.Documents.Walk(t.Context(), server.Firm().MatterID, practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.File != nil {
			content, _ := server.FileContent(entry.ID())
			all[entry.Path()] = append(all[entry.Path()], string(content))
		}
	}
	return all
}

func TestAWeekOfRoundsWithoutAnyChangeChangesNothing(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	before, dir := documents(t, server), t.TempDir()
	for range 7 {
		require.NoError(t, run(t.Context(), []string{dir}, new(bytes.Buffer), env))
	}
	assert.Equal(t, before, documents(t, server), "whatever the documents are called")
	for _, request := range server.Requests() {
		assert.NotEqual(t, "storage.put", request.Operation)
	}
}

func TestAChangeOnOneSideReachesTheOther(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "matter")
	require.NoError(t, run(t.Context(), []string{dir}, new(bytes.Buffer), env))
	require.True(t, server.SetFileContent(server.Firm().FileID, []byte("theirs")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "Letters", "Letter 02.pdf"), []byte("ours"), 0o600))
	require.NoError(t, run(t.Context(), []string{dir}, new(bytes.Buffer), env))

	local, err := os.ReadFile(filepath.Join(dir, "1. Agenda.docx"))
	require.NoError(t, err)
	assert.Equal(t, "theirs", string(local))
	assert.Equal(t, []string{"ours"}, documents(t, server)["Letters/Letter 02.pdf"], "a version of the file, and no second file")
}

func TestADocumentThatChangedOnBothSidesIsKeptTwiceOnBothSides(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "matter")
	require.NoError(t, run(t.Context(), []string{dir}, new(bytes.Buffer), env))
	require.True(t, server.SetFileContent(server.Firm().FileID, []byte("theirs")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "1. Agenda.docx"), []byte("ours"), 0o600))
	require.NoError(t, run(t.Context(), []string{dir}, new(bytes.Buffer), env))

	there := documents(t, server)
	assert.Equal(t, []string{"theirs"}, there["1. Agenda.docx"])
	assert.Equal(t, []string{"ours"}, there["1. Agenda (local copy).docx"])
	for name, want := range map[string]string{"1. Agenda.docx": "theirs", "1. Agenda (local copy).docx": "ours"} {
		local, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, want, string(local))
	}
}

func TestNothingIsDeletedOnEitherSide(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "matter")
	require.NoError(t, run(t.Context(), []string{dir}, new(bytes.Buffer), env))
	require.True(t, server.DeleteFile(server.Firm().FileID))
	require.NoError(t, os.Remove(filepath.Join(dir, "Letters", "Letter 02.pdf")))
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
	assert.Contains(t, out.String(), "1. Agenda.docx")
	assert.FileExists(t, filepath.Join(dir, "1. Agenda.docx"))
	assert.FileExists(t, filepath.Join(dir, "Letters", "Letter 02.pdf"), "it is brought again")
}

func TestARoundThatBreaksOffSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStatus, Status: 404, Times: 2})
	dir := t.TempDir()
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{dir}, &out, env), practice.ErrNotFound)
	assert.Contains(t, out.String(), "go run ./examples/mirror -matter "+server.Firm().MatterID+" "+dir)
	assert.NotContains(t, out.String(), "To the service", "what did not come is not sent")
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	_, env := start(t)
	for _, args := range [][]string{{"-x"}, {"a", "b"}, {}} {
		require.ErrorIs(t, run(t.Context(), args, new(bytes.Buffer), env), program.ErrUsage)
	}
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, env), flag.ErrHelp)
	assert.Empty(t, out.String())
}
