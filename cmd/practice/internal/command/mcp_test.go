package command

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/practicesdk/practice-go/cmd/practice/internal/assistant"
)

// serve runs practice mcp and calls use with a client of the protocol.
func (s *stranger) serve(t *testing.T, revision string, use func(*sdk.ClientSession), args ...string) result {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	var errs bytes.Buffer
	a := &app{Streams: Streams{in, out, &errs}, env: variables(t, s.env)}
	defer a.close()
	ended := make(chan int, 1)
	go func() {
		ended <- a.execute(t.Context(), append([]string{"mcp"}, args...))
		_ = out.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err == nil {
		use(session)
		_ = session.Close()
	}
	_ = toServer.Close()
	return result{<-ended, "", errs.String()}
}

func called(t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any) (string, bool) {
	t.Helper()
	got, err := session.CallTool(context.WithoutCancel(t.Context()), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	require.NoError(t, err)
	return got.Content[0].(*sdk.TextContent).Text, got.IsError
}

func TestAssistantsHaveAProfileOfTheirOwn(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--profile", "office")
	s.login(t, "--for-assistants", "--allow", "createMemo")
	var config struct {
		Current  string
		Profiles map[string]profile
	}
	require.NoError(t, json.Unmarshal([]byte(s.files(t)["config.json"]), &config))
	assert.Equal(t, "office", config.Current, "the profile of the person stays the current one")
	own := config.Profiles[assistants]
	assert.True(t, own.Assistants)
	for _, scope := range own.Scopes {
		assert.True(t, strings.HasSuffix(scope, "/read") || slices.Contains([]string{"memos/write", "search/write"}, scope), scope)
	}
	for _, c := range []struct{ args, says string }{
		{"--for-assistants --profile office", "belongs to a person"},
		{"--for-assistants --scopes fees/write", "sets the scopes"},
		{"--allow createMemo", "requires --for-assistants"},
		{"--for-assistants --allow createWebhook", "sends data out"},
	} {
		got := s.run(t, strings.NewReader(""), append([]string{"login"}, strings.Fields(c.args)...)...)
		assert.Equal(t, exitMisused, got.code, c.args)
		assert.Contains(t, got.err, c.says)
	}
	for _, revision := range assistant.Revisions() {
		got := s.serve(t, revision, func(session *sdk.ClientSession) {
			text, failed := called(t, session, "preview_write", map[string]any{
				"operation": "createMemo", "arguments": map[string]any{"matterId": s.Firm().MatterID}, "body": map[string]any{"title": "t", "text": "x"},
			})
			require.False(t, failed, text)
			_, handle, _ := strings.Cut(text, "with preview ")
			handle, _, _ = strings.Cut(handle, " ")
			text, failed = called(t, session, "write", map[string]any{"preview": handle})
			assert.False(t, failed, text)
			text, _ = called(t, session, "matter_overview", map[string]any{"matterId": s.Firm().MatterID})
			assert.NotContains(t, text, "left out", "the scopes suffice")
		}, "--allow", "createMemo")
		assert.Equal(t, exitDone, got.code, got.err)
		assert.Contains(t, got.err, "write: operation createMemo, preview ")
	}
}

func TestAnAssistantIsRefusedWithWhatItDoesNotNeed(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--profile", "office")
	s.login(t, "--profile", "reader", "--read-only")
	s.login(t, "--for-assistants")
	unused := func(*sdk.ClientSession) { t.Error("the server must not start") }
	for args, code := range map[string]int{
		"--profile office":                       exitFailed,
		"--profile reader --allow createMemo":    exitNotAllowed,
		"--profile nobody":                       exitMisused,
		"--allow deleteMemo":                     exitMisused,
		"--allow createTask --matter x":          exitMisused,
		"--dry-run":                              exitMisused,
		"extra":                                  exitMisused,
		"--profile office --allow create*":       exitMisused,
		"--profile reader --allow nothing":       exitMisused,
		"--profile reader --matter x --personal": exitFailed,
	} {
		got := s.serve(t, "", unused, strings.Fields(args)...)
		assert.Equal(t, code, got.code, args+": "+got.err)
	}
	got := s.serve(t, "", func(*sdk.ClientSession) {}, "--profile", "office", "--wide-token")
	assert.Equal(t, exitDone, got.code, got.err)
}

func TestTheConfigurationAsksForEachWrite(t *testing.T) {
	s := newStranger(t)
	got := s.run(t, nil, "mcp", "--print-config", "--allow", "createMemo,createTask", "--require-confirmation", "--personal")
	require.Equal(t, exitDone, got.code, got.err)
	var config struct {
		Servers map[string]struct {
			Command  string
			Args     []string
			Approval struct {
				Always struct {
					Tools []string `json:"tool_names"`
				}
			} `json:"require_approval"`
		} `json:"mcpServers"`
	}
	require.NoError(t, json.Unmarshal([]byte(got.out), &config))
	own := config.Servers["practice"]
	assert.NotEmpty(t, own.Command)
	assert.Equal(t, "mcp --profile assistants --allow createMemo,createTask --personal --require-confirmation", strings.Join(own.Args, " "))
	assert.Equal(t, []string{"write"}, own.Approval.Always.Tools)
	got = s.run(t, nil, "--sandbox", "mcp", "--print-config", "--matter", "m")
	assert.NotContains(t, got.out, "write")
	assert.Contains(t, got.out, `"--sandbox"`)
}

// The assistant starts the server in another folder, and with the profile that is
// named.
func TestTheConfigurationNamesTheFirmOfTheCommand(t *testing.T) {
	t.Parallel()
	got := execute(t, "", nil, "--sandbox=firm.json", "mcp", "--print-config")
	require.Equal(t, exitDone, got.code, got.err)
	file, err := filepath.Abs("firm.json")
	require.NoError(t, err)
	assert.Contains(t, got.out, string(encode("--sandbox="+file)))
	got = execute(t, "", map[string]string{"PRACTICE_BASE_URL": "https://b.example.test"}, "mcp", "--print-config")
	require.Equal(t, exitDone, got.code, got.err)
	assert.Contains(t, got.out, `"environment"`)
	assert.NotContains(t, got.out, `"assistants"`)
}

func TestTheIDsOfAllowAreCompleted(t *testing.T) {
	t.Parallel()
	got := execute(t, "", nil, "__complete", "mcp", "--allow", "createMemo,createT")
	assert.Contains(t, got.out, "createMemo,createTask")
	assert.NotContains(t, got.out, "delete")
}
