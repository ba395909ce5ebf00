package command

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDebugShowsRequestsWithoutSecrets(t *testing.T) {
	s := newStranger(t)
	s.login(t)
	for name, row := range map[string]struct {
		line         []string
		shows, hides []string
		out          string
	}{
		"requests": {
			line:  []string{"matters", "list", "--limit", "1", "-q", "-o", "jsonl", "--debug"},
			shows: []string{"> GET " + s.BaseURL() + "/matters?", "< 200 OK after ", ", request "},
			hides: []string{"Varga"}, out: "Varga",
		},
		"a write": {
			line:  []string{"users", "create", "--set", "email=a@example.test", "--set", "password=Hush-1234", "--debug"},
			shows: []string{"> POST "}, hides: []string{"Hush-1234"}, out: `"href"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := s.run(t, nil, row.line...)
			require.Equal(t, exitDone, got.code, got.err)
			assert.Contains(t, got.out, row.out)
			for _, text := range row.shows {
				assert.Contains(t, got.err, text)
			}
			for _, text := range row.hides {
				assert.NotContains(t, got.err, text)
			}
			assert.NotContains(t, got.err, "Bearer")
		})
	}
}

func TestDebugShowsAFailureAndNoPage(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hush</html>")) }))
	defer page.Close()
	env := map[string]string{"PRACTICE_BASE_URL": page.URL, "PRACTICE_API_KEY": "key", "PRACTICE_ACCESS_TOKEN": "hush"}
	got := execute(t, "", env, "matters", "list", "--debug")
	assert.NotEqual(t, exitDone, got.code)
	assert.NotContains(t, got.err, "hush")
}

func TestNamesAreCompletedAndIdsAreNot(t *testing.T) {
	for line, want := range map[string][]string{
		"memo":                              {"memos"},
		"fees ":                             {"patch", "create", "list"},
		"bank-accounts list --type ":        {"Trust", "Operating"},
		"fees create x --set feeT":          {"feeType="},
		"fees create x --set feeType=":      {"feeType=0", "feeType=1"},
		"matters list --output ":            {"jsonl", "csv"},
		"api ":                              {"GET", "PATCH"},
		"matters get ":                      nil,
		"matters list --jq ":                nil,
		"fees patch --sandbox ":             nil,
		"completion ":                       {"bash", "zsh", "fish"},
		"config ":                           {"use", "remove"},
		"fees patch matter fee --null subj": {"subject"},
	} {
		got := execute(t, "", nil, append([]string{"__complete"}, strings.Split(line, " ")...)...)
		require.Equal(t, exitDone, got.code, got.err)
		var words []string
		for text := range strings.Lines(got.out) {
			word, _, _ := strings.Cut(strings.TrimSpace(text), "\t")
			if !strings.HasPrefix(word, ":") {
				words = append(words, word)
			}
		}
		for _, word := range want {
			assert.Contains(t, words, word, line)
		}
		if want == nil {
			assert.Empty(t, words, line)
			assert.Contains(t, got.out, ":4\n", "no file either: %s", line)
		}
	}
}

func TestProfilesAreCompleted(t *testing.T) {
	s := newStranger(t)
	s.login(t, "--profile", "office")
	assert.Contains(t, s.run(t, nil, "__complete", "whoami", "--profile", "").out, "office\n")
	assert.Contains(t, s.run(t, nil, "__complete", "config", "use", "").out, "office\n")
}

func TestScriptsOfCompletionAreThere(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		got := execute(t, "", nil, "completion", shell)
		assert.Equal(t, exitDone, got.code, got.err)
		assert.Contains(t, got.out, "__complete", shell)
	}
}

func TestTheVersionIsThatOfTheBuild(t *testing.T) {
	assert.Regexp(t, `^practice \S+, go1\.\S+, \w+/\w+`, execute(t, "", nil, "version").out)
	assert.Contains(t, execute(t, "", nil, "version", "-o", "json").out, `"version": "`)
}

func TestEveryHelpFitsATerminal(t *testing.T) {
	lines := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		var help bytes.Buffer
		c.SetOut(&help)
		require.NoError(t, c.Help())
		for line := range strings.Lines(help.String()) {
			lines++
			if !strings.HasPrefix(line, "practice ") { // an example remains on one line, to be copied
				assert.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), helpWidth, "%s: %s", c.CommandPath(), line)
			}
		}
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	root := Tree()
	root.InitDefaultCompletionCmd()
	visit(root)
	assert.Greater(t, lines, 5000)
}

func TestATableGivesWayToTheTerminal(t *testing.T) {
	for _, row := range []struct {
		widths []int
		width  int
		want   []int
	}{
		{[]int{36, 34, 6, 7}, 89, []int{36, 34, 6, 7}},
		{[]int{36, 34, 6, 7}, 80, []int{30, 31, 6, 7}},
		{[]int{6, 7, 8}, 1, []int{6, 6, 6}},
	} {
		narrow(row.widths, row.width)
		assert.Equal(t, row.want, row.widths)
	}
}
