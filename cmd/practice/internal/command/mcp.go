package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	practice "github.com/practicesdk/practice-go"
	"github.com/practicesdk/practice-go/cmd/practice/internal/assistant"
)

// assistants is the profile of practice login --for-assistants.
const assistants = "assistants"

// mcp holds the options of the command that serves assistants.
type mcp struct {
	*app
	allow                                []string
	matter                               string
	personal, confirm, wide, printConfig bool
}

func (a *app) mcpCommand() *cobra.Command {
	m := &mcp{app: a}
	c := &cobra.Command{
		Use: "mcp", Short: "Serve an assistant over the Model Context Protocol", Args: takes, PreRunE: a.really,
		Long: "Serves an assistant with the Model Context Protocol over stdin and stdout, until the assistant closes stdin. The assistant can read data that is not secret. " +
			"It can write only with the operations in --allow, and only after a preview. The default profile is " + assistants + ", which practice login --for-assistants creates.",
		Example: "practice mcp --print-config\npractice --sandbox mcp --allow createMemo,createTask",
		RunE:    func(c *cobra.Command, _ []string) error { return m.run(c.Context()) },
	}
	flags := c.Flags()
	flags.StringSliceVar(&m.allow, "allow", nil, "ids of the write operations that the assistant can send, such as createMemo")
	flags.StringVar(&m.matter, "matter", "", "id of the only matter that the assistant can access")
	flags.BoolVar(&m.personal, "personal", false, "show all personal data, not only names and email addresses")
	flags.BoolVar(&m.confirm, "require-confirmation", false, "refuse writes if the client cannot ask the person for confirmation")
	flags.BoolVar(&m.wide, "wide-token", false, "accept an access token with more scopes than the assistant needs")
	flags.BoolVar(&m.printConfig, "print-config", false, "print the configuration for an assistant and exit")
	completeWith(c, "allow", allowable)
	completeWith(c, "matter", words())
	return c
}

// allowable completes the ids that --allow takes.
func allowable(_ *cobra.Command, _ []string, begun string) (ids []string, _ cobra.ShellCompDirective) {
	before := begun[:strings.LastIndexByte(begun, ',')+1]
	for _, id := range assistant.Allowable() {
		ids = append(ids, before+id)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (m *mcp) run(ctx context.Context) error {
	policy, err := assistant.NewPolicy(m.allow, m.matter)
	if err != nil {
		return misuse{err}
	}
	if m.printConfig {
		_, err := fmt.Fprintf(m.Out, "%s\n", indented(m.config(), ""))
		return phaseShow.of(err)
	}
	if err := m.chooseProfile(); err != nil {
		return phaseCheck.of(err)
	}
	t, err := m.target(ctx)
	if err == nil && t.ReadOnly && len(m.allow) > 0 {
		err = readOnlyError{t}
	}
	if err != nil {
		return phaseCheck.of(err)
	}
	served, err := m.assistant(t, policy)
	if err != nil {
		return phaseCheck.of(err)
	}
	if err := served.Check(ctx); err != nil {
		return phaseSend.of(err)
	}
	return phaseSend.of(served.Serve(ctx, m.In, m.Out))
}

// chooseProfile chooses the profile for assistants if no other firm is named.
func (m *mcp) chooseProfile() error {
	if m.sandbox != "" || m.profileName() != "" || m.ofEnvironment() {
		return nil
	}
	all, err := m.profiles(false)
	if err == nil && all.Profiles[assistants] != nil {
		m.profile = assistants
	}
	return err
}

// assistant returns the assistant for a target. The token of a sandbox may have
// all scopes.
func (m *mcp) assistant(t *target, policy *assistant.Policy) (*assistant.Assistant, error) {
	journal, err := m.fileOf("assistants.journal")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(journal), 0o700)
	}
	if err != nil {
		return nil, err
	}
	base := t.BaseURL
	if t.AccountID != "" {
		base = strings.TrimSuffix(base, "/") + "/" + t.AccountID
	}
	return assistant.New(assistant.Options{
		Policy: policy, BaseURL: base, Scopes: t.Scopes, Version: thisBuild()["version"], Journal: journal,
		Personal: m.personal, Confirm: m.confirm, Wide: m.wide || m.sandbox != "", Now: time.Now, Log: func(line string) { m.say("%s", line) },
	}, func(guard practice.ClientOption) (*practice.Client, error) { return m.client(t, guard) })
}

// config returns the configuration for programs that start servers of the
// protocol. It asks them to have each call of write approved by a person.
func (m *mcp) config() []byte {
	program, err := os.Executable()
	if err != nil {
		program = "practice"
	}
	args := []string{"mcp"}
	add := func(given bool, words ...string) {
		if given {
			args = append(args, words...)
		}
	}
	add(m.sandbox == inMemory, "--sandbox")
	if m.sandbox != "" && m.sandbox != inMemory {
		file, err := filepath.Abs(m.sandbox)
		if err != nil {
			file = m.sandbox
		}
		args = append(args, "--sandbox="+file)
	}
	name := assistants
	if m.ofEnvironment() {
		name = environment
	}
	add(m.sandbox == "", "--profile", cmp.Or(m.profileName(), name))
	add(len(m.allow) > 0, "--allow", strings.Join(m.allow, ","))
	add(m.matter != "", "--matter", m.matter)
	add(m.personal, "--personal")
	add(m.confirm, "--require-confirmation")
	add(m.wide, "--wide-token")
	server := map[string]any{"command": program, "args": args}
	if len(m.allow) > 0 {
		server["require_approval"] = map[string]any{"always": map[string]any{"tool_names": []string{"write"}}}
	}
	return encode(map[string]any{"mcpServers": map[string]any{"practice": server}})
}

// scopesForAssistants returns the scopes of a profile for assistants, with those
// of the writes that they may send.
func scopesForAssistants(allow []string) ([]string, error) {
	policy, err := assistant.NewPolicy(allow, "")
	if err != nil {
		return nil, misuse{err}
	}
	return slices.Clip(policy.Scopes()), nil
}
