package term

import (
	"bytes"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALineIsFoldedAtSpaces(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		line  string
		width int
		want  []string
	}{
		"it fits":                {"one two", 7, []string{"one two"}},
		"no limit":               {"one two", 0, []string{"one two"}},
		"at the last space":      {"one two three", 9, []string{"one two", "three"}},
		"wide letters":           {"文書 文書", 6, []string{"文書", "文書"}},
		"a wide word":            {"see https://example.test/a/b now", 10, []string{"see", "https://example.test/a/b", "now"}},
		"nothing but one word":   {"https://example.test", 5, []string{"https://example.test"}},
		"its margin is kept":     {"  one two", 6, []string{"  one", "two"}},
		"the margin of a word":   {"      word", 5, []string{"      word"}},
		"spaces are not doubled": {"one   two", 4, []string{"one", "two"}},
	} {
		assert.Equal(t, tt.want, fold(tt.line, tt.width), name)
	}
}

func TestATerminalGetsFoldedLinesTablesAndTrees(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 30)
	var out, file bytes.Buffer
	for _, p := range []*Printer{onTerminal(&out, map[string]string{"TERM": "dumb"}), New(&file, none)} {
		p.Title("%s", long)
		p.Line("%s", long)
		table := &Table{Columns: []Column{{Name: "Name"}, {Name: "Text"}}}
		table.Add("a name", long)
		p.Table(table)
		tree := &Tree{Text: long}
		tree.Add(long).Add(long)
		p.Tree(tree)
		require.NoError(t, p.Err())
	}
	for line := range strings.Lines(out.String()) {
		assert.LessOrEqual(t, text.StringWidth(strings.TrimSuffix(line, "\n")), usualWidth, line)
	}
	assert.Equal(t, 6*30, strings.Count(out.String(), "word"), "nothing is lost")
	assert.Contains(t, file.String(), "\n  "+strings.TrimRight(long, " "), "others get whole lines")
	assert.Equal(t, 8, strings.Count(file.String(), "\n"))
}

func TestACommandIsNeverFolded(t *testing.T) {
	t.Parallel()
	command := strings.Repeat("word ", 30) + "end"
	var out bytes.Buffer
	onTerminal(&out, nil).Command(command)
	assert.Equal(t, "    "+command+"\n", out.String())
}

func TestABarSurvivesATerminalThatBecomesNarrower(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	width := 80
	s := &screen{out: &out, width: func() int { return width }}
	draw := func() {
		n, err := s.Write([]byte("\rupload  50% |███     |"))
		require.NoError(t, err)
		assert.Equal(t, len("\rupload  50% |███     |"), n)
	}
	draw()
	width = 11
	draw()
	draw()
	width = 80
	draw()
	assert.Equal(t, "\rupload  50% |███     |\n\rupload  50\rupload  50\rupload  50% |███     |", out.String())
}
