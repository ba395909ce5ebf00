//go:build unix

package sandbox

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

	"github.com/practicesdk/practice-go/internal/testmain"
)

// run runs practice-sandbox with the given arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return Run(ctx, "practice-sandbox", args, stdout, stderr)
}

func TestMain(m *testing.M) {
	testmain.CollectLess()
	goleak.VerifyTestMain(m)
}

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

func TestSecretsAreRandomUnlessTheSeedIsGiven(t *testing.T) {
	t.Parallel()
	secrets := func(args ...string) []string {
		all := variables(sandbox(t, func(map[string]string) {}, args...))
		return []string{all["CLIENT_SECRET"], all["API_KEY"], all["ACCESS_TOKEN"], all["REFRESH_TOKEN"]}
	}
	one, two := secrets(), secrets()
	for i := range one {
		assert.NotEqual(t, one[i], two[i])
	}
	one, two = secrets("-seed", "1"), secrets("-seed", "1")
	assert.Equal(t, one, two)
}

func TestTheSandboxIsStrictUnlessToldOtherwise(t *testing.T) {
	t.Parallel()
	misspell := func(v map[string]string) { get(t, v["BASE_URL"]+"/staf/1", v["API_KEY"]) }
	strict := sandbox(t, misspell)
	assert.Equal(t, 1, strict.code)
	assert.Contains(t, strict.errs, "violation: GET /practice/v1/staf/1: the API has no such path\n")
	assert.Contains(t, strict.errs, "requests that the API does not allow: 1")
	lenient := sandbox(t, misspell, "-strict=false")
	assert.Zero(t, lenient.code)
	assert.Empty(t, lenient.errs)
	excused := sandbox(t, func(v map[string]string) {
		misspell(v)
		assert.Equal(t, http.StatusOK, send(t, http.MethodDelete, v["SANDBOX_URL"]+"/violations", v["API_KEY"]))
	})
	assert.Zero(t, excused.code)
}

func TestOtherMachinesAreReachedWhenToldSo(t *testing.T) {
	t.Parallel()
	seen := variables(sandbox(t, func(map[string]string) {}, "-listen", "0.0.0.0:0", "-allow-remote", "-public-url", "http://sandbox:8001",
		"-allow-remote-callbacks"))
	assert.Equal(t, []string{"http://sandbox:8001/practice/v1", "http://sandbox:8001/_sandbox", "http://sandbox:8003/oauth2/token"},
		[]string{seen["BASE_URL"], seen["SANDBOX_URL"], seen["TOKEN_URL"]})
}

func TestTheDescriptionOfTheInterfaceIsPrinted(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-openapi"}, &out, &errs))
	assert.Contains(t, out.String(), "\nopenapi: 3.0.3\n")
}

// ended holds the output and the exit code of a sandbox that has ended.
type ended struct {
	code      int
	out, errs string
}

// sandbox runs the program, calls use, and then ends the program.
func sandbox(t *testing.T, use func(variables map[string]string), args ...string) ended {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	printed, out := io.Pipe()
	var errs bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, args, out, &errs)
		out.Close()
	}()
	var text strings.Builder
	lines := bufio.NewScanner(printed)
	for lines.Scan() {
		text.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "#   curl") {
			use(variables(ended{out: text.String()}))
			cancel()
		}
	}
	return ended{<-code, text.String(), errs.String()}
}

// variables parses the exported variables. The keys lack the prefix PRACTICE_.
func variables(e ended) map[string]string {
	all := map[string]string{}
	for _, parts := range regexp.MustCompile(`(?m)^export PRACTICE_([A-Z_]+)='([^']+)'$`).FindAllStringSubmatch(e.out, -1) {
		all[parts[1]] = parts[2]
	}
	return all
}

func get(t *testing.T, address, key string) { send(t, http.MethodGet, address, key) }

func send(t *testing.T, method, address, key string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("X-Api-Key", key)
	response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestQuotedTextIsOneWordOfTheShell(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", "it's", `$HOME "x" \ ` + "`id`", "two\nlines"} {
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+quote(text)).Output()
		require.NoError(t, err)
		assert.Equal(t, text, string(out))
	}
}

// build compiles the program. TestTheProgram runs it, uses its output to make a
// request, and interrupts it.
func build(t *testing.T) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "practice-sandbox")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-buildvcs=false", "-o", binary, "../../cmd/practice-sandbox").CombinedOutput()
	require.NoError(t, err, string(built))
	return binary
}

// start starts the program and reads its first output.
func start(t *testing.T, binary string, args ...string) (*exec.Cmd, *bufio.Scanner, map[string]string, *strings.Builder) {
	t.Helper()
	program := exec.CommandContext(t.Context(), binary, append([]string{"-listen", "127.0.0.1:0"}, args...)...)
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	complaints := &strings.Builder{}
	program.Stderr = complaints
	require.NoError(t, program.Start())

	variables := map[string]string{}
	assignment := regexp.MustCompile(`^export (PRACTICE_[A-Z_]+)='([^']+)'$`)
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "#") {
		parts := assignment.FindStringSubmatch(lines.Text())
		require.NotNil(t, parts, "not an assignment: %s", lines.Text())
		variables[parts[1]] = parts[2]
	}
	return program, lines, variables, complaints
}

func TestTheProgram(t *testing.T) {
	t.Parallel()
	binary := build(t)
	t.Run("serves until it is interrupted", func(t *testing.T) { t.Parallel(); servesUntilInterrupted(t, binary) })
	t.Run("continues with its state after a kill", func(t *testing.T) { t.Parallel(); outlivesAKill(t, binary) })
}

func servesUntilInterrupted(t *testing.T, binary string) {
	t.Helper()
	program, lines, variables, complaints := start(t, binary, "-events", "20")
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

func outlivesAKill(t *testing.T, binary string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "firm.state")
	var first map[string]string
	for round := range 4 {
		program, _, told, _ := start(t, binary, "-state", file)
		if round == 0 {
			first = told
		}
		for _, name := range []string{"API_KEY", "ACCESS_TOKEN", "CLIENT_SECRET", "MATTER_ID", "TASK_ID"} {
			assert.Equal(t, first["PRACTICE_"+name], told["PRACTICE_"+name], name)
		}
		codes := told["PRACTICE_BASE_URL"] + "/activitycodes"
		assert.Equal(t, round, strings.Count(exchange(t, http.MethodGet, codes, "", told), `"KEPT"`))
		exchange(t, http.MethodPost, codes, `{"code":"KEPT"}`, told)
		exchange(t, http.MethodPost, told["PRACTICE_SANDBOX_URL"]+"/settle", "", told)
		require.NoError(t, program.Process.Kill())
		require.Error(t, program.Wait())
	}

	require.NoError(t, os.WriteFile(file, []byte("no firm\n"), 0o600))
	var out, errs bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), []string{"-state", file}, &out, &errs))
	assert.Contains(t, errs.String(), "the checksum does not match")
	assert.Empty(t, out.String(), "a broken file is no empty firm")
}

func TestAnEmptyStateFileBeginsAFirm(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "firm.state")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	assert.Equal(t, 0, run(ctx, []string{"-state", file}, &out, &errs), errs.String())
	assert.Contains(t, out.String(), "PRACTICE_MATTER_ID")
}

// exchange sends a request with all credentials and returns the response.
func exchange(t *testing.T, method, address, body string, told map[string]string) (answer string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("X-Api-Key", told["PRACTICE_API_KEY"])
	req.Header.Set("Authorization", "Bearer "+told["PRACTICE_ACCESS_TOKEN"])
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Less(t, resp.StatusCode, 300, string(text))
	return string(text)
}
