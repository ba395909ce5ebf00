package term

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestATableFitsEveryTerminalAndKeepsItsNumbers(t *testing.T) {
	t.Parallel()
	table := &Table{Columns: []Column{{Name: "Type"}, {Name: "Account"}, {Name: "Matters", Right: true}, {Name: "Balance", Right: true}}}
	table.Add("ControlledMoney", "Controlled money of the estate of 文書", "12", "123457712.57")
	table.Add("Trust", "", "0", "-0.05")
	for width := narrowest; width <= 120; width++ {
		var out bytes.Buffer
		p := onTerminal(&out, map[string]string{"TERM": "dumb"})
		p.width = func() int { return width }
		p.Table(table)
		require.NoError(t, p.Err())
		for line := range strings.Lines(out.String()) {
			words := strings.Fields(line)
			long := len(words) == 1 && !strings.Contains(line, "─") // a word of a narrow terminal stays whole
			assert.True(t, long || text.StringWidth(strings.TrimSuffix(line, "\n")) <= width, "%d: %q", width, line)
		}
		for _, number := range []string{"123457712.57", "-0.05"} {
			assert.Equal(t, 1, strings.Count(out.String(), number), "%d: %s", width, out.String())
		}
	}
}

func TestATableThatNoTerminalFitsIsBlocksOfLines(t *testing.T) {
	t.Parallel()
	table := &Table{Columns: []Column{{Name: "Account"}, {Name: "Number", Right: true}, {Name: "Balance", Right: true}}}
	table.Add("Trust account", "10004", "34042.87")
	table.Add("", "10001", "0.00")
	var out bytes.Buffer
	p := onTerminal(&out, map[string]string{"TERM": "dumb"})
	p.width = func() int { return 30 }
	p.Table(table)
	assert.Equal(t, "  Account: Trust account\n  Number: 10004\n  Balance: 34042.87\n\n  Number: 10001\n  Balance: 0.00\n", out.String())
}
