package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/practicetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

func TestWithoutAnythingItShowsTwoBackups(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	assert.Contains(t, out.String(), "  31 files created\n    1. Agenda.docx\n")
	assert.Contains(t, out.String(), "  1 file created\n    Note for the file.txt\n  1 file updated\n    1. Agenda.docx\n"+
		"  1 file ignored, there is no content to transfer\n    Letters/Not uploaded.pdf\n  30 files kept, they were there already\n")
	title, _, _ := strings.Cut(out.String(), "\n")
	assert.NoDirExists(t, strings.TrimPrefix(title, "Backup to "))
}

func TestABackupOfTheServiceOfTheVariablesWritesNothingToIt(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "backup")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
	assert.Contains(t, out.String(), "31 files created")
	content, ok := server.FileContent(server.Firm().FileID)
	require.True(t, ok)
	local, err := os.ReadFile(filepath.Join(dir, "1. Agenda.docx"))
	require.NoError(t, err)
	assert.Equal(t, content, local)
	for _, r := range server.Requests() {
		assert.Equal(t, http.MethodGet, r.Method)
	}

	require.True(t, server.DeleteFile(server.Firm().FileID))
	out.Reset()
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
	assert.Contains(t, out.String(), "30 files kept")
	assert.FileExists(t, filepath.Join(dir, "1. Agenda.docx"), "a backup keeps what is gone")

	sub := filepath.Join(t.TempDir(), "letters")
	require.NoError(t, run(t.Context(), []string{"-folder", server.Firm().FolderID, sub}, &out, env))
	assert.FileExists(t, filepath.Join(sub, "Letter 01.pdf"))
}

type counter func(*http.Request) (*http.Response, error)

func (c counter) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

func TestCtrlCLeavesWhatTheSameCommandGoesOnWith(t *testing.T) {
	t.Parallel()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	server, env := start(t)
	dir := filepath.Join(t.TempDir(), "my backup")
	ctx, interrupt := context.WithCancel(t.Context())
	var received atomic.Int32
	interrupted := practice.WithHTTPClient(&http.Client{Transport: counter(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/download") && received.Add(1) == 10 {
			interrupt()
		}
		return http.DefaultTransport.RoundTrip(r)
	})})
	var out bytes.Buffer
	require.ErrorIs(t, run(ctx, []string{dir}, &out, env, interrupted), context.Canceled)
	assert.Contains(t, out.String(), "  go run ./examples/backup -matter "+server.Firm().MatterID+" '"+dir+"'\n")
	out.Reset()
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
	assert.Regexp(t, `files? kept`, out.String())
	list, err := filepath.Glob(filepath.Join(dir, "*", "*.pdf"))
	require.NoError(t, err)
	assert.Len(t, list, 22)
}

func TestWhatFailsIsNamed(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	server.Inject(practicetest.Fault{Operation: "storage.get", Kind: practicetest.FaultStatus, Status: 404, Times: 2})
	var out bytes.Buffer
	err := run(t.Context(), []string{t.TempDir()}, &out, env)
	require.ErrorIs(t, err, practice.ErrNotFound)
	assert.Contains(t, out.String(), "failed\n    ")
	assert.Contains(t, out.String(), "this does the rest:")
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	_, env := start(t)
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"-x"}, "bad command line: flag provided but not defined: -x"},
		{[]string{"a", "b"}, `unexpected argument "b"`},
		{nil, "which directory?"},
	} {
		err := run(t.Context(), test.args, new(bytes.Buffer), env)
		require.ErrorIs(t, err, program.ErrUsage)
		assert.ErrorContains(t, err, test.says)
	}
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, io.Discard, env), flag.ErrHelp)
}
