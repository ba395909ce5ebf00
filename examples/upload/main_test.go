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
	"time"

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
		"PRACTICE_ACCESS_TOKEN": server.Credentials().AccessToken, "PRACTICE_MATTER_ID": server.Firm().MatterIDs[1],
	}
	return server, func(name string) string { return variables[name] }
}

// directory has ten files in two folders.
func directory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range strings.Split("0123456789", "") {
		path := filepath.Join(dir, "folder "+name[:1], name+".txt")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte("content of "+name), 0o600))
	}
	return dir
}

func TestASlowUploadIsSlowEnoughToInterrupt(t *testing.T) {
	t.Parallel()
	_, env := start(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "scan.pdf"), make([]byte, 1<<20), 0o600))
	began := time.Now()
	require.NoError(t, run(t.Context(), []string{"-slow", dir}, io.Discard, env))
	assert.Greater(t, time.Since(began), time.Second, "1 MiB at 512 KiB a second")
}

func TestWithoutAnythingItShowsAnUpload(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, func(string) string { return "" }))
	assert.Contains(t, out.String(), "  61 files created\n    Evidence/Scanned bundle.pdf\n    Letters/2024/Letter 01.txt\n")
	assert.Contains(t, out.String(), "The same again\n\n  61 files kept, they were there already\n")
	assert.Contains(t, out.String(), "100% |")
	title, _, _ := strings.Cut(out.String(), "\n")
	assert.NoDirExists(t, strings.TrimPrefix(title, "Upload of "))
}

func TestADirectoryIsUploadedToTheServiceOfTheVariables(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	dir := directory(t)
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
	assert.Contains(t, out.String(), "Into matter "+server.Firm().MatterIDs[1]+" of "+server.BaseURL())
	assert.Contains(t, out.String(), "10 files created")
	assert.NotContains(t, out.String(), "\x1b")
	stored, err := server.Client(t).Documents.FS(t.Context(), server.Firm().MatterIDs[1]).ReadFile("folder 7/7.txt")
	require.NoError(t, err)
	assert.Equal(t, "content of 7", string(stored))

	out.Reset()
	require.NoError(t, run(t.Context(), []string{"-matter", server.Firm().MatterID, "-folder", server.Firm().FolderID, dir}, &out, env))
	_, err = server.Client(t).Documents.FS(t.Context(), server.Firm().MatterID).Stat("Letters/folder 7/7.txt")
	require.NoError(t, err)
}

// interruptAfter ends the context with some request to the storage.
func interruptAfter(requests int32, interrupt context.CancelFunc) practice.ClientOption {
	var sent atomic.Int32
	return practice.WithHTTPClient(&http.Client{Transport: counter(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPut && sent.Add(1) == requests {
			interrupt()
		}
		return http.DefaultTransport.RoundTrip(r)
	})})
}

type counter func(*http.Request) (*http.Response, error)

func (c counter) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

func TestCtrlCLeavesWhatTheSameCommandGoesOnWith(t *testing.T) {
	t.Parallel()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	server, env := start(t)
	dir := directory(t)
	ctx, interrupt := context.WithCancel(t.Context())
	var out bytes.Buffer
	err := run(ctx, []string{dir}, &out, env, interruptAfter(4, interrupt))
	require.ErrorIs(t, err, context.Canceled)
	assert.Regexp(t, `\d files? done, 0 failed, \d+ left\. What is done stays; this does the rest:\n  `+
		`  go run ./examples/upload -matter `+server.Firm().MatterIDs[1]+` `+dir, out.String())
	assert.NotContains(t, out.String(), "sandbox", "the service stays")

	server.Settle()
	server.ResetRequests()
	out.Reset()
	require.NoError(t, run(t.Context(), []string{dir}, &out, env))
	assert.Regexp(t, `files? (kept|resumed)`, out.String())
	files := 0
	for entry, err := range server.Client(t).Documents.Walk(t.Context(), server.Firm().MatterIDs[1], practice.WalkOptions{}) {
		require.NoError(t, err)
		if entry.File != nil && strings.HasPrefix(entry.Path(), "folder ") {
			files++
			assert.True(t, entry.File.IsUploaded.Or(false))
		}
	}
	assert.Equal(t, 10, files, "no file is made twice")
}

func TestAnInterruptedExampleSaysThatItsServiceIsGone(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var out bytes.Buffer
	err := run(ctx, nil, &out, func(string) string { return "" }, interruptAfter(2, interrupt))
	require.ErrorIs(t, err, context.Canceled)
	assert.Contains(t, out.String(), "go run ./cmd/practice-sandbox")
	http.DefaultClient.CloseIdleConnections()
}

func TestWhatFailsIsNamed(t *testing.T) {
	t.Parallel()
	server, env := start(t)
	server.Inject(practicetest.Fault{Operation: "storage.put", Kind: practicetest.FaultStatus, Status: 400})
	var out bytes.Buffer
	err := run(t.Context(), []string{directory(t)}, &out, env)
	require.Error(t, err)
	assert.Regexp(t, `1 failed\n    folder \d/\d\.txt: practice: Documents\.ResumeUpload: file `, out.String())
	assert.Contains(t, out.String(), "9 files done, 1 failed, 0 left.")
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	_, env := start(t)
	for _, test := range []struct {
		args []string
		env  func(string) string
		says string
	}{
		{[]string{"-x"}, env, "bad command line: flag provided but not defined: -x"},
		{[]string{"a", "b"}, env, `unexpected argument "b"`},
		{nil, env, "which directory?"},
		{[]string{"a"}, func(name string) string {
			if name == "PRACTICE_MATTER_ID" {
				return ""
			}
			return env(name)
		}, "which matter? Name it with -matter or PRACTICE_MATTER_ID"},
	} {
		err := run(t.Context(), test.args, new(bytes.Buffer), test.env)
		require.ErrorIs(t, err, program.ErrUsage)
		assert.ErrorContains(t, err, test.says)
	}
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, io.Discard, env), flag.ErrHelp)
}
