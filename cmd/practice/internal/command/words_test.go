package command

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	practice "github.com/practicesdk/practice-go"
)

// TestNoHelpHasNamesOfGo reads every page of help.
func TestNoHelpHasNamesOfGo(t *testing.T) {
	t.Parallel()
	ofGo := regexp.MustCompile(`\[[A-Z][a-z]\w*[.\]]|models\.|\bErr[A-Z]|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z][a-z]+IDs?\b`)
	pages := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		var help bytes.Buffer
		c.SetOut(&help)
		require.NoError(t, c.Help())
		text, _, _ := strings.Cut(help.String(), "\nExamples:")
		text = strings.ReplaceAll(text, "PostgreSQL", "") // a product's name
		assert.NotRegexp(t, ofGo, text, c.CommandPath())  // flags and examples have values
		assert.LessOrEqual(t, strings.Count(help.String(), "--profile string"), 1)
		if c.HasParent() {
			assert.NotContains(t, help.String(), "--profile string", "the flags of every command are explained once")
		}
		if c.Parent() != nil && c.Parent().HasParent() && c.Parent().Name() != "config" {
			assert.NotEmpty(t, c.Short, c.CommandPath())
		}
		pages++
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(Tree())
	assert.Greater(t, pages, 260)
}

func TestDescriptionsSpeakOfCommandsAndMembers(t *testing.T) {
	t.Parallel()
	a := &app{}
	a.command()
	v := vocabularyOf(practice.Operations())
	for doc, want := range map[string]string{
		"Returns a memo. See [models.Memo.IsDeleted].":                    "Returns a memo. See isDeleted.",
		"Deletes a memo, which EnsureMemo brings back. It is gone.":       "Deletes a memo. It is gone.",
		"Adds a memo. FindCreated looks for it.":                          "Adds a memo.",
		"Fails with an [AmbiguousWriteError]; see [FeesService.Patch].":   "Fails with an exit code 5; see practice fees patch.",
		"Changes PlainText, never ID. Update replaces all.":               "Changes plainText, never id. practice memos update replaces all.",
		"Takes a UUID, or JSON.\n\nModify changes fields.\n\nText is it.": "Takes a UUID, or JSON.\n\nText is it.",
	} {
		assert.Equal(t, want, v.plain(practice.Operation{GoMethod: "Memos.Get", Doc: doc}))
	}
}
