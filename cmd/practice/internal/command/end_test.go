package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	worldMatter = "47dad59d-4f50-4910-aedb-bd998950cf02"
	worldRecord = "9b412d02-f11b-44eb-8c11-b25d8a3b43aa"
)

// world is a service in memory that counts what it executes, and fails as a
// test wants.
type world struct {
	cancel          context.CancelFunc
	requests, wrote int
	fails           reply // nil: nothing fails
	still           bool  // no read shows what was written
}

// reply is how a request ends; a nil response and a nil error: as usual.
type reply func(w *world, r *http.Request) (*http.Response, error)

func responds(status int, body string) (*http.Response, error) {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

func (w *world) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	w.requests++
	if r.Body != nil {
		_, _ = io.ReadAll(r.Body)
		_ = r.Body.Close()
	}
	if w.fails != nil {
		resp, err = w.fails(w, r)
	}
	if resp == nil && err == nil {
		resp, err = w.serves(r)
	}
	if resp != nil {
		resp.Request = r
	}
	return resp, err
}

func (w *world) serves(r *http.Request) (*http.Response, error) {
	switch {
	case r.Method != http.MethodGet:
		w.wrote++
		return responds(http.StatusAccepted, fmt.Sprintf(`{"id":"%s","href":"https://service.test/matters/%s/memos/%[1]s"}`, worldRecord, worldMatter))
	case strings.HasSuffix(r.URL.Path, "/matters"):
		page := `{"offset":0,"limit":1,"size":2,"value":[{"id":"` + worldMatter + `","title":"a"}]}`
		if offset := r.URL.Query().Get("Offset"); offset != "" && offset != "0" {
			page = `{"offset":1,"limit":1,"size":2,"value":[{"id":"` + worldRecord + `","title":"b"}]}`
		}
		return responds(http.StatusOK, page)
	}
	version := w.wrote
	if w.still {
		version = 0
	}
	return responds(http.StatusOK, fmt.Sprintf(`{"id":"%s","title":"a","versionId":"%d"}`, r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:], version))
}

// says makes a request end with a status and a body, and executes it first if
// executed is set.
func says(status int, body string, executed bool) reply {
	return func(w *world, r *http.Request) (*http.Response, error) {
		if executed && r.Method != http.MethodGet {
			w.wrote++
		}
		return responds(status, body)
	}
}

// breaks makes a request end without a response.
func breaks(err error, executed bool) reply {
	return func(w *world, r *http.Request) (*http.Response, error) {
		if executed && r.Method != http.MethodGet {
			w.wrote++
		}
		return nil, err
	}
}

// interrupts is Ctrl-C while a request is under way.
func interrupts(executed bool) reply {
	return func(w *world, r *http.Request) (*http.Response, error) {
		if executed && r.Method != http.MethodGet {
			w.wrote++
		}
		w.cancel()
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
}

// writerFunc is an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }

// scenario is one failure in one phase.
type scenario struct {
	phase phase
	name  string
	flags []string
	stdin string
	fails reply
	out   error // of every write to stdout
	stop  bool  // Ctrl-C when the response has been written
	early bool  // Ctrl-C before the command begins
	still bool
	env   map[string]string
	// codes for a read, a list, a create, a change and a deletion; -1: the
	// failure cannot happen there.
	codes [5]int
}

var lost = &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}

var scenarios = []scenario{
	{"", "nothing fails", nil, "", nil, nil, false, false, false, nil, [5]int{0, 0, 0, 0, 0}},
	{"", "nothing fails, and it is awaited", []string{"--wait"}, "", nil, nil, false, false, false, nil, [5]int{-1, -1, 0, 0, -1}},
	{phaseParse, "an unknown flag", []string{"--colour"}, "", nil, nil, false, false, false, nil, [5]int{2, 2, 2, 2, 2}},
	{phaseParse, "a filter that is none", []string{"--jq", "|"}, "", nil, nil, false, false, false, nil, [5]int{2, 2, 2, 2, 2}},
	{phaseParse, "a format that is none", []string{"-o", "xml"}, "", nil, nil, false, false, false, nil, [5]int{2, 2, 2, 2, 2}},
	{phaseParse, "a body that is no file", []string{"--body", "@nowhere"}, "", nil, nil, false, false, false, nil, [5]int{-1, -1, 2, 2, -1}},
	{phaseCheck, "a member that there is not", []string{"--set", "titel=a"}, "", nil, nil, false, false, false, nil, [5]int{-1, -1, 2, 2, -1}},
	{phaseCheck, "a profile that there is not", []string{"--profile", "nowhere"}, "", nil, nil, false, false, false, nil, [5]int{2, 2, 2, 2, 2}},
	{phaseCheck, "no profile", nil, "", nil, nil, false, false, false, map[string]string{"PRACTICE_BASE_URL": ""}, [5]int{4, 4, 4, 4, 4}},
	{phaseCheck, "no key", nil, "", nil, nil, false, false, false, map[string]string{"PRACTICE_API_KEY": ""}, [5]int{2, 2, 2, 2, 2}},
	{phaseCheck, "a read-only profile", nil, "", nil, nil, false, false, false, map[string]string{"PRACTICE_READ_ONLY": "1"}, [5]int{0, 0, 4, 4, 4}},
	{phaseCheck, "Ctrl-C before it begins", nil, "", nil, nil, false, true, false, nil, [5]int{130, 130, 130, 130, 130}},
	{phaseAsk, "nobody answers", []string{"--yes=false"}, "", nil, nil, false, false, false, nil, [5]int{-1, -1, -1, 2, 2}},
	{phaseAsk, "the answer is no", []string{"--yes=false"}, "no\n", nil, nil, false, false, false, nil, [5]int{-1, -1, -1, 2, 2}},
	{phaseSend, "401", nil, "", says(401, `{}`, false), nil, false, false, false, nil, [5]int{4, 4, 4, 4, 4}},
	{phaseSend, "403", nil, "", says(403, `{}`, false), nil, false, false, false, nil, [5]int{4, 4, 4, 4, 4}},
	{phaseSend, "404", nil, "", says(404, `{}`, false), nil, false, false, false, nil, [5]int{3, 3, 3, 3, 3}},
	{phaseSend, "400", nil, "", says(400, `{}`, false), nil, false, false, false, nil, [5]int{1, 1, 1, 1, 1}},
	{phaseSend, "409", nil, "", says(409, `{}`, false), nil, false, false, false, nil, [5]int{1, 1, 1, 1, 1}},
	{phaseSend, "429", nil, "", says(429, `{}`, false), nil, false, false, false, nil, [5]int{1, 1, 1, 1, 1}},
	{phaseSend, "500 before it is executed", nil, "", says(500, `{}`, false), nil, false, false, false, nil, [5]int{1, 1, 5, 5, 5}},
	{phaseSend, "500 after it is executed", nil, "", says(500, `{}`, true), nil, false, false, false, nil, [5]int{1, 1, 5, 5, 5}},
	{phaseSend, "HTML of a gateway", nil, "", says(502, `<html>`, false), nil, false, false, false, nil, [5]int{1, 1, 5, 5, 5}},
	{phaseSend, "HTML with a success", nil, "", says(200, `<html><body>`, false), nil, false, false, false, nil, [5]int{1, 1, 5, 5, 5}},
	{phaseSend, "no response, and nothing is executed", nil, "", breaks(lost, false), nil, false, false, false, nil, [5]int{1, 1, 5, 5, 5}},
	{phaseSend, "no response, and it is executed", nil, "", breaks(lost, true), nil, false, false, false, nil, [5]int{1, 1, 5, 5, 5}},
	{phaseSend, "no connection", nil, "", breaks(&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}, false), nil, false, false, false, nil, [5]int{1, 1, 1, 1, 1}},
	{phaseSend, "Ctrl-C before it is executed", nil, "", interrupts(false), nil, false, false, false, nil, [5]int{130, 130, 5, 5, 5}},
	{phaseSend, "Ctrl-C after it is executed", nil, "", interrupts(true), nil, false, false, false, nil, [5]int{130, 130, 5, 5, 5}},
	{phaseRead, "torn JSON", nil, "", says(200, `{"id":"`+worldRecord, true), nil, false, false, false, nil, [5]int{1, 1, 7, 7, 7}},
	{phaseRead, "a response without content", nil, "", says(200, ``, true), nil, false, false, false, nil, [5]int{1, 1, 0, 0, 0}},
	{phaseRead, "another record", nil, "", says(200, `{"id":"8e92ffee-6d7a-4c87-82de-e657e56e22e3"}`, true), nil, false, false, false, nil, [5]int{1, 1, 0, 0, 0}},
	{phaseShow, "a filter", []string{"--jq", `error("x")`}, "", nil, nil, false, false, false, nil, [5]int{1, 1, 7, 7, 7}},
	{phaseShow, "Ctrl-C while a filter does not end", []string{"--jq", `def f: f; f`}, "", func(w *world, _ *http.Request) (*http.Response, error) {
		w.cancel()
		return nil, nil
	}, nil, false, false, false, nil, [5]int{130, 130, 130, 130, 130}},
	{phaseShow, "a sum", []string{"--jq", `.id`, "--sum", "rate"}, "", nil, nil, false, false, false, nil, [5]int{1, 1, 7, 7, 7}},
	{phaseShow, "a column", []string{"--jq", `.`, "--columns", "colour", "-o", "csv"}, "", nil, nil, false, false, false, nil, [5]int{1, 1, 7, 7, 7}},
	{phaseShow, "a full disk", nil, "", nil, syscall.ENOSPC, false, false, false, nil, [5]int{1, 1, 7, 7, 7}},
	{phaseShow, "a full disk behind a filter that fails", []string{"--jq", `error("x")`}, "", nil, syscall.ENOSPC, false, false, false, nil, [5]int{1, 1, 7, 7, 7}},
	{phaseShow, "a closed pipe", nil, "", nil, syscall.EPIPE, false, false, false, nil, [5]int{141, 141, 7, 7, 7}},
	{phaseWait, "nothing is seen", []string{"--wait"}, "", nil, nil, false, false, true, nil, [5]int{-1, -1, -1, 7, 7}},
	{phaseWait, "Ctrl-C while it waits", []string{"--wait"}, "", nil, nil, true, false, true, nil, [5]int{-1, -1, 130, 130, 130}},
	{phaseWait, "reads are not allowed", []string{"--wait"}, "", func(w *world, _ *http.Request) (*http.Response, error) {
		if w.wrote > 0 {
			return responds(403, `{}`)
		}
		return nil, nil
	}, nil, false, false, false, nil, [5]int{-1, -1, 7, 7, 7}},
}

var kindsOfCommands = [5]string{"read", "list", "create", "change", "delete"}

func lineOf(kind string) []string {
	switch kind {
	case "read":
		return []string{"matters", "get", worldMatter}
	case "list":
		return []string{"matters", "list", "--all", "--limit", "1"}
	case "create":
		return []string{"memos", "create", worldMatter, "--set", "title=a", "--set", "text=b"}
	case "change":
		return []string{"fees", "patch", worldMatter, worldRecord, "--set", "rate=1", "--yes"}
	}
	return []string{"memos", "delete", worldMatter, worldRecord, "--yes"}
}

// TestEachFailureInEachPhaseEndsWithItsCode provokes every failure in every
// phase of every kind of command, as text and as JSON. Apart from the code of
// its row, what a command says must agree with what the service has executed.
func TestEachFailureInEachPhaseEndsWithItsCode(t *testing.T) {
	t.Parallel()
	for _, s := range scenarios {
		for i, kind := range kindsOfCommands {
			if s.codes[i] < 0 {
				continue
			}
			for _, format := range []string{"", formatJSON} {
				line := append(lineOf(kind), s.flags...)
				if format != "" && !slices.Contains(s.flags, "-o") {
					line = append(line, "-o", format)
				}
				t.Run(strings.TrimSpace(strings.Join([]string{string(s.phase), s.name, kind, format}, ", ")), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { s.try(t, kind, line, s.codes[i]) })
				})
			}
		}
	}
}

func (s scenario) try(t *testing.T, kind string, line []string, want int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &world{cancel: cancel, fails: s.fails, still: s.still}
	var out, said bytes.Buffer
	stdout := writerFunc(func(text []byte) (int, error) {
		if s.stop {
			cancel()
		}
		if s.out != nil {
			return 0, &os.PathError{Op: "write", Path: "stdout", Err: s.out}
		}
		return out.Write(text)
	})
	env := map[string]string{
		"PRACTICE_BASE_URL": "https://service.test", "PRACTICE_API_KEY": "key-of-the-firm", "PRACTICE_ACCESS_TOKEN": "token-of-the-firm", "PRACTICE_CONFIG_DIR": "/nonexistent",
	}
	for name, value := range s.env {
		env[name] = value
	}
	if s.early {
		cancel()
	}
	a := &app{Streams: Streams{strings.NewReader(s.stdin), stdout, &said}, env: func(name string) string { return env[name] }, wire: &http.Client{Transport: w}}
	code := a.execute(ctx, line)
	a.close()
	assert.Equal(t, s.name == "429", strings.Contains(said.String(), "Waiting before the next request"), said.String())
	require.Equal(t, want, code, "%s%s", out.String(), said.String())
	agrees(t, kind, code, w, out.String(), said.String(), a.format == formatJSON)
}

// agrees checks that a command says what the service has executed.
func agrees(t *testing.T, kind string, code int, w *world, out, said string, machine bool) {
	t.Helper()
	writes := kind != "read" && kind != "list"
	shown := strings.Contains(out+said, worldRecord)
	switch code {
	case exitMisused:
		assert.Zero(t, w.requests, "nothing was sent")
		assert.Empty(t, out)
	case exitFailed, exitNotFound, exitNotAllowed:
		assert.Zero(t, w.wrote, "nothing was written")
	case exitAfterwards:
		assert.Equal(t, 1, w.wrote, "it was accepted once")
		assert.True(t, shown, "what was accepted is named: %q %q", out, said)
		assert.Contains(t, said, "The service has accepted the write")
	case exitUnknown:
		assert.True(t, writes)
		assert.Contains(t, said, "Before you repeat it, run practice ")
	case exitInterrupted:
		assert.Equal(t, w.wrote > 0, strings.Contains(said, "accepted"), "it says what was accepted: %s", said)
		assert.True(t, w.wrote == 0 || shown, said)
	}
	assert.LessOrEqual(t, w.wrote, map[string]int{"create": 1, "change": 9, "delete": 9}[kind])
	if out != "" && machine {
		assert.True(t, json.Valid([]byte(out)) || strings.HasPrefix(out, `{"id"`) && code == exitAfterwards, "stdout is JSON at every end: %q", out)
	}
	if machine && code != exitDone && code != exitClosed {
		var problem struct {
			ExitCode int
			Accepted any
		}
		require.NoError(t, json.Unmarshal([]byte(said[strings.IndexByte(said, '{'):]), &problem), said)
		assert.Equal(t, code, problem.ExitCode)
		assert.Equal(t, writes && (code == exitAfterwards || code == exitInterrupted && w.wrote > 0), problem.Accepted != nil, said)
	}
	assert.NotContains(t, said, "key-of-the-firm")
	assert.NotContains(t, said, "token-of-the-firm")
}

// TestEveryRowOfTheTableOfEndsIsReached compares the codes of the table with
// those of the scenarios and of the tests of lists.
func TestEveryRowOfTheTableOfEndsIsReached(t *testing.T) {
	t.Parallel()
	reached := map[int]bool{exitIncomplete: true} // TestAListThatEndsEarlySaysSo
	for _, s := range scenarios {
		for _, code := range s.codes {
			reached[code] = true
		}
	}
	for _, row := range endings {
		assert.True(t, reached[row.code], row.when)
	}
	assert.True(t, endings[len(endings)-1].holds(phaseSend, notDone, errors.New("anything")))
}

const manualOfTheCommand = "../../../../docs/cli.md"

// TestTheTableOfEndsIsInTheManual compares the table of docs/cli.md with the
// one that decides. -update writes it anew.
func TestTheTableOfEndsIsInTheManual(t *testing.T) {
	text, err := os.ReadFile(manualOfTheCommand)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "| Exit code |")
	require.True(t, found)
	after := rest[strings.Index(rest, "|\n\n")+2:]
	var table strings.Builder
	table.WriteString("| Exit code | When | stdout has | The message says |\n|---|---|---|---|\n| 0 | done | the result | |\n")
	for _, row := range endings {
		fmt.Fprintf(&table, "| %d | %s | %s | %s |\n", row.code, row.when, row.stdout, row.advice)
	}
	want := before + strings.ReplaceAll(table.String(), "|  |", "| |") + after
	if *update {
		require.NoError(t, os.WriteFile(manualOfTheCommand, []byte(want), 0o600))
		return
	}
	assert.Equal(t, want, string(text), "go generate ./cmd/practice/internal/command writes it")
}
