package term

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestALocaleWithoutUTF8GetsLinesOfASCII(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		variables map[string]string
		ascii     bool
	}{
		"nothing said":            {nil, false},
		"C":                       {map[string]string{"LC_ALL": "C"}, true},
		"POSIX":                   {map[string]string{"LANG": "POSIX"}, true},
		"Latin-1":                 {map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
		"UTF-8":                   {map[string]string{"LANG": "de_DE.UTF-8"}, false},
		"UTF-8, another spelling": {map[string]string{"LC_CTYPE": "en_US.utf8@euro"}, false},
		"C with UTF-8":            {map[string]string{"LC_ALL": "C.UTF-8"}, false},
		"the first one decides":   {map[string]string{"LC_ALL": "C", "LANG": "en_US.UTF-8"}, true},
		"a dumb terminal":         {map[string]string{"TERM": "dumb", "LANG": "en_US.UTF-8"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := New(&out, func(name string) string { return tt.variables[name] })
			tree := &Tree{Text: "Matter"}
			tree.Add("Letters").Add("Müller — offer.msg")
			tree.Add("… and 2 more")
			p.Tree(tree)
			p.Line("it took 12.5µs of µs.pdf")
			p.Command("go run ./examples/upload 'Müller'")
			want := "  Matter\n  ├─ Letters\n  │  └─ Müller — offer.msg\n  └─ … and 2 more\n  it took 12.5µs of µs.pdf\n    go run ./examples/upload 'Müller'\n"
			if tt.ascii {
				want = "  Matter\n  +- Letters\n  |  `- Müller — offer.msg\n  `- ... and 2 more\n  it took 12.5us of µs.pdf\n    go run ./examples/upload 'Müller'\n"
			}
			assert.Equal(t, want, out.String(), "a command is never changed: it would name something else")
		})
	}
}

func TestABarIsASCIIToo(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := onTerminal(&out, map[string]string{"LC_ALL": "C"})
	bar := p.Bar("upload", 100)
	bar.Set(50, 100)
	bar.End()
	assert.Contains(t, out.String(), "50%")
	for _, r := range out.String() {
		assert.Less(t, r, rune(0x80), out.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestAnOutputInASCIIThatBreaksIsReported(t *testing.T) {
	t.Parallel()
	p := New(broken{}, func(string) string { return "C" })
	p.Line("–")
	assert.EqualError(t, p.Err(), "gone")
}
