package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/examples/internal/program"
	"github.com/practicesdk/practice-go/practicetest"
)

// childFile is the variable that makes this test binary the program.
const childFile = "SIGN_IN_TEST_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(childFile); file != "" {
		os.Exit(program.Run("sign-in", usage, os.Stdout, os.Stderr, func(ctx context.Context) error {
			return run(ctx, []string{file}, os.Stdout, os.Getenv)
		}))
	}
	goleak.VerifyTestMain(m)
}

func none(string) string { return "" }

func TestWithoutAnythingItPlaysTheUser(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), nil, &out, none))
	assert.Regexp(t, `^Signed in to .+\n$`, out.String())
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.ErrorIs(t, run(t.Context(), []string{"-h"}, &out, none), flag.ErrHelp)
	service := func(name string) string {
		return map[string]string{"PRACTICE_BASE_URL": "https://api.example.test"}[name]
	}
	require.ErrorIs(t, run(t.Context(), nil, &out, service), program.ErrUsage)
	require.ErrorIs(t, run(t.Context(), []string{"-x"}, &out, none), program.ErrUsage)
	require.ErrorIs(t, run(t.Context(), []string{"a", "b"}, &out, none), program.ErrUsage)
}

func TestMissingVariablesAreNamed(t *testing.T) {
	t.Parallel()
	env := map[string]string{"PRACTICE_BASE_URL": "https://api.example.test", "PRACTICE_TOKEN_URL": "https://sign-in.example.test/token"}
	err := run(t.Context(), []string{filepath.Join(t.TempDir(), "tokens.json")}, io.Discard, func(name string) string { return env[name] })
	require.EqualError(t, err, "set PRACTICE_API_KEY, PRACTICE_AUTHORIZE_URL, PRACTICE_CLIENT_ID as well")
}

// A user whose machine has no browser at hand sees the address, and signs in
// all the same.
func TestTheAddressIsShownWhateverTheBrowserDoes(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]error{"a browser that fails": errors.New("no such program"), "a browser that works": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, err := practicetest.Start(practicetest.WithStrict(true))
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, server.Close()) })
			var out bytes.Buffer
			s := settingsOfEmbedded(server)
			s.open = offer(&out, func(address string) error {
				require.NoError(t, visit(address))
				return failure
			})
			require.NoError(t, s.show(t.Context(), auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}, &out))
			assert.Contains(t, out.String(), "Sign in here: "+server.AuthorizeURL())
			assert.Equal(t, failure != nil, bytes.Contains(out.Bytes(), []byte("No browser could be opened for that: no such program")))
			assert.Contains(t, out.String(), "Signed in to")
		})
	}
}

// Processes share one-time refresh tokens through the file: each time that the
// access token ends, one of them spends the refresh token, and the others take
// what it saved.
func TestProcessesAtOnceShareTheTokens(t *testing.T) {
	t.Parallel()
	server, err := practicetest.Start(practicetest.WithStrict(true), practicetest.WithOneTimeRefresh(true))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
	var out bytes.Buffer
	require.NoError(t, settingsOfEmbedded(server).show(t.Context(), file, &out), "the user signs in")
	server.ResetRequests()

	const expiries, processes = 5, 4
	for range expiries {
		server.ExpireTokens()
		var running []*exec.Cmd
		for range processes {
			child := process(t, server, file.Path)
			require.NoError(t, child.Start())
			running = append(running, child)
		}
		for _, child := range running {
			require.NoError(t, child.Wait(), child.Stderr.(*bytes.Buffer).String())
		}
	}
	refreshed := 0
	for _, request := range server.Requests() {
		if form, err := url.ParseQuery(string(request.Body)); err == nil && form.Get("grant_type") == "refresh_token" {
			refreshed++
		}
	}
	assert.Equal(t, expiries, refreshed)
}

func process(t *testing.T, server *practicetest.Server, file string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	require.NoError(t, err)
	c := server.Credentials()
	child := exec.CommandContext(t.Context(), binary)
	child.Stderr = new(bytes.Buffer)
	child.Env = append(os.Environ(), childFile+"="+file, "PRACTICE_BASE_URL="+server.BaseURL(), "PRACTICE_API_KEY="+c.APIKey,
		"PRACTICE_AUTHORIZE_URL="+server.AuthorizeURL(), "PRACTICE_TOKEN_URL="+server.TokenURL(), "PRACTICE_CLIENT_ID="+c.ClientID, "PRACTICE_CLIENT_SECRET="+c.ClientSecret)
	return child
}
