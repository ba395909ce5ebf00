package term

import (
	"bytes"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func none(string) string { return "" }

// onTerminal returns a printer that takes out for a terminal.
func onTerminal(out io.Writer, variables map[string]string) *Printer {
	return newPrinter(out, true, func(name string) string { return variables[name] })
}

func TestWhatCouldSteerATerminalIsTakenOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain, Müller ✉":             "plain, Müller ✉",
		"\x1b[2Jcleared":              "[2Jcleared",
		"one\r\ntwo\tthree":           "one  two three",
		"\u202egnp.exe":               "gnp.exe",
		"\u2066a\u2069\u200eb":        "ab",
		"\x00\x07\x7f\u009b31mred":    "31mred",
		"a\u2028b\u2029c":             "a b c",
		"नी\u200dल":                   "नी\u200dल", // a joiner is part of the spelling
		string([]byte{'a', 0xff}):     "a\ufffd",
		"\u00a0kept apart\u00a0still": " kept apart still",
	} {
		assert.Equal(t, want, Clean(text), "%q", text)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\r\n\u202e")
	f.Add("Müller\u009b2J")
	f.Fuzz(func(t *testing.T, text string) {
		clean := Clean(text)
		for _, r := range clean {
			require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%q left %q", text, clean)
		}
		require.Equal(t, clean, Clean(clean))
	})
}

func TestEverythingPrintedIsClean(t *testing.T) {
	t.Parallel()
	const bad = "x\x1b[2J\ny"
	var out bytes.Buffer
	p := New(&out, none)
	p.Title("%s", bad)
	p.Heading("%s", bad)
	p.Line("%s", bad)
	p.Note("%s", bad)
	p.Good("%s", bad)
	p.Bad("%s", bad)
	p.Table(&Table{Columns: []Column{{Name: "Name"}}, Rows: [][]string{{bad}}})
	tree := &Tree{Text: bad}
	tree.Add(bad).Add(bad)
	p.Tree(tree)
	bar := p.Bar(bad, 1)
	bar.Set(1, 1)
	bar.End()
	require.NoError(t, p.Err())
	assert.NotContains(t, out.String(), "\x1b")
	assert.Equal(t, 11, strings.Count(out.String(), "x[2J y"))
}

func TestABarOnATerminalTellsTheTimeLeft(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		printer func(io.Writer) *Printer
		want    bool
	}{
		"a terminal":    {func(w io.Writer) *Printer { return onTerminal(w, nil) }, true},
		"anything else": {func(w io.Writer) *Printer { return New(w, none) }, false},
	} {
		var out bytes.Buffer
		bar := tt.printer(&out).Bar("upload", 1000)
		bar.Files(3)
		bar.Set(10, 1000)
		shown := bar.bar.String()
		assert.Contains(t, shown, "upload 3 files", name)
		assert.Equal(t, tt.want, regexp.MustCompile(`\[\S*:\S*\]`).MatchString(shown), "%s: %s", name, shown)
	}
}

func TestColourIsForTerminalsThatWantIt(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		printer func(io.Writer) *Printer
		want    string
	}{
		"a terminal":           {func(w io.Writer) *Printer { return onTerminal(w, nil) }, "  \x1b[32mdone\x1b[0m\n"},
		"a terminal, NO_COLOR": {func(w io.Writer) *Printer { return onTerminal(w, map[string]string{"NO_COLOR": "1"}) }, "  done\n"},
		"a dumb terminal":      {func(w io.Writer) *Printer { return onTerminal(w, map[string]string{"TERM": "dumb"}) }, "  done\n"},
		"anything else":        {func(w io.Writer) *Printer { return New(w, none) }, "  done\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			tt.printer(&out).Good("done")
			assert.Equal(t, tt.want, out.String())
		})
	}
}

func TestAFileIsNoTerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	New(file, none).Good("done")
	require.NoError(t, file.Close())
	written, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	assert.Equal(t, "  done\n", string(written))
}

func TestATableAlignsNumbersToTheRight(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	table := &Table{Columns: []Column{{Name: "Name"}, {Name: "Balance", Right: true}}}
	table.Add("Trust", "1234567.80")
	table.Add("文書", "-0.05")
	New(&out, none).Table(table)
	assert.Equal(t, ""+
		"  Name      Balance\n"+
		"  ───────────────────\n"+
		"  Trust  1234567.80\n"+
		"  文書        -0.05\n", out.String())
}

func TestATree(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	root := &Tree{Text: "Matter"}
	letters := root.Add("Letters/")
	letters.Add("Draft.docx")
	letters.Add("Final.docx")
	root.Add("Notes.txt")
	p := New(&out, none)
	p.Tree(root)
	p.Tree(&Tree{Text: "Empty"})
	assert.Equal(t, ""+
		"  Matter\n"+
		"  ├─ Letters/\n"+
		"  │  ├─ Draft.docx\n"+
		"  │  └─ Final.docx\n"+
		"  └─ Notes.txt\n"+
		"  Empty\n", out.String())
}

func TestABarGrowsOnATerminalAndIsPrintedOnceElsewhere(t *testing.T) {
	t.Parallel()
	transfer := func(p *Printer) {
		bar := p.Bar("upload", 4)
		for done := range int64(4) {
			bar.Set(done+1, 4)
		}
		bar.End()
	}
	var live, file bytes.Buffer
	transfer(onTerminal(&live, nil))
	transfer(New(&file, none))
	assert.Contains(t, live.String(), "\r")
	assert.Contains(t, live.String(), "100% |██████████████████████████████|")
	assert.NotContains(t, file.String(), "\r")
	assert.Equal(t, 1, strings.Count(file.String(), "\n"))
	assert.Regexp(t, `^  upload 100% \|█{30}\|.*\n$`, file.String())
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestTheFirstErrorOfTheOutputIsKept(t *testing.T) {
	t.Parallel()
	p := New(fullDisk{}, none)
	p.Line("lost")
	p.Line("lost too")
	assert.EqualError(t, p.Err(), "no space left")
}

func TestCount(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"0 files", "1 file", "2 files"}, []string{Count(0, "file"), Count(1, "file"), Count(2, "file")})
}
