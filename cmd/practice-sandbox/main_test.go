//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAnAddressThatCannotBeListenedAtIsReported(t *testing.T) {
	t.Parallel()
	taken, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for _, address := range []string{taken.Addr().String(), "127.0.0.1", "127.0.0.1:nonsense", "127.0.0.1:65535"} {
		var out, errs bytes.Buffer
		assert.Equal(t, 1, run(t.Context(), []string{"-listen", address}, &out, &errs), address)
		assert.Contains(t, errs.String(), "practice-sandbox: ")
		assert.Empty(t, out.String())
	}
}

func TestAnOutputThatIsClosedEndsTheProgram(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	require.NoError(t, r.Close())
	var errs bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), nil, w, &errs))
	assert.Contains(t, errs.String(), "closed pipe")
}

func TestEqualSeedsMakeUpEqualFirms(t *testing.T) {
	t.Parallel()
	firm := func(args ...string) string {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var out, errs bytes.Buffer
		require.Zero(t, run(ctx, args, &out, &errs), errs.String())
		_, ids, _ := strings.Cut(out.String(), "export PRACTICE_ACCOUNT_ID=")
		return ids
	}
	assert.Equal(t, firm("-seed", "7", "-rate-limit", "0.5"), firm("-seed", "7"))
	assert.NotEqual(t, firm("-seed", "7"), firm("-seed", "8"))
}

func TestQuotedTextIsOneWordOfTheShell(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "it's", `$HOME "x" \ ` + "`id`", "two\nlines"} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+quote(text)).Output()
		require.NoError(t, err)
		assert.Equal(t, text, string(out))
	}
}

// TestTheProgram builds the program, starts it, takes what it prints, makes a call
// with it, and interrupts it.
func TestTheProgram(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "practice-sandbox")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, string(built))

	program := exec.CommandContext(t.Context(), binary, "-listen", "127.0.0.1:0", "-events", "20")
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	var complaints strings.Builder
	program.Stderr = &complaints
	require.NoError(t, program.Start())

	variables := map[string]string{}
	assignment := regexp.MustCompile(`^export (PRACTICE_[A-Z_]+)='([^']+)'$`)
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "#") {
		parts := assignment.FindStringSubmatch(lines.Text())
		require.NotNil(t, parts, "not an assignment: %s", lines.Text())
		variables[parts[1]] = parts[2]
	}
	for _, name := range []string{
		"BASE_URL", "TOKEN_URL", "CLIENT_ID", "CLIENT_SECRET", "API_KEY", "ACCESS_TOKEN",
		"MATTER_ID", "CONTACT_ID", "STAFF_ID", "SUBSCRIPTION_ID",
	} {
		assert.NotEmpty(t, variables["PRACTICE_"+name], name)
	}

	address := variables["PRACTICE_BASE_URL"] + "/staff/" + variables["PRACTICE_STAFF_ID"]
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	req.Header.Set("X-Api-Key", variables["PRACTICE_API_KEY"])
	req.Header.Set("Authorization", "Bearer "+variables["PRACTICE_ACCESS_TOKEN"])
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	var member struct{ ID string }
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&member))
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, variables["PRACTICE_STAFF_ID"], member.ID)

	require.NoError(t, program.Process.Signal(os.Interrupt))
	for lines.Scan() {
		assert.True(t, strings.HasPrefix(lines.Text(), "#"), "the rest is comment: %s", lines.Text())
	}
	require.NoError(t, program.Wait(), "it ends well")
	assert.Empty(t, complaints.String())
}
