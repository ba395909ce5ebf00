package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/practicesdk/practice-go/auth"
	"github.com/practicesdk/practice-go/practicetest"
)

// tokenFile is the environment variable that makes this test binary run the
// program.
const tokenFile = "SIGN_IN_TEST_FILE"

func TestMain(m *testing.M) {
	if file := os.Getenv(tokenFile); file != "" {
		os.Args = []string{"sign-in", file}
		main()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func start(t *testing.T) *practicetest.Server {
	t.Helper()
	server, err := practicetest.Start(practicetest.WithStrict(true), practicetest.WithOneTimeRefresh(true))
	require.NoError(t, err)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		require.NoError(t, server.Close())
	})
	return server
}

// A user without a browser on the machine opens the URL elsewhere and signs in.
// A later run needs no user.
func TestTheUserSignsInOnceWhateverTheBrowserDoes(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]error{"a browser that fails": errors.New("no such program"), "a browser that works": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, opened := demonstration(start(t)), 0
			visit := a.open
			a.open = func(address string) error {
				opened++
				return errors.Join(visit(address), failure)
			}
			file := auth.TokenFile{Path: filepath.Join(t.TempDir(), "tokens.json")}
			for range 3 {
				firm, err := a.firm(t.Context(), file)
				require.NoError(t, err)
				assert.NotEmpty(t, firm.Name)
			}
			assert.Equal(t, 1, opened)
		})
	}
}

// Processes share one-time refresh tokens through the file: whenever the access
// token expires, one of them uses the refresh token, and the others use the
// tokens that it saved.
func TestProcessesAtOnceShareTheTokens(t *testing.T) {
	t.Parallel()
	server := start(t)
	file := filepath.Join(t.TempDir(), "tokens.json")
	_, err := demonstration(server).firm(t.Context(), auth.TokenFile{Path: file})
	require.NoError(t, err, "the user signs in")
	server.ResetRequests()
	const expiries, processes = 5, 4
	for range expiries {
		server.ExpireTokens()
		var running []*exec.Cmd
		for range processes {
			child := process(t, server, file)
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
	child.Env = append(os.Environ(), tokenFile+"="+file, "PRACTICE_BASE_URL="+server.BaseURL(), "PRACTICE_API_KEY="+c.APIKey,
		"PRACTICE_AUTHORIZE_URL="+server.AuthorizeURL(), "PRACTICE_TOKEN_URL="+server.TokenURL(), "PRACTICE_CLIENT_ID="+c.ClientID, "PRACTICE_CLIENT_SECRET="+c.ClientSecret)
	return child
}
