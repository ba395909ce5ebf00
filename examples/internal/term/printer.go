// Package term prints the output of the example programs. All text passes
// Clean, so that no text of a service can control the terminal. Tables and
// trees are drawn by go-pretty, progress bars by progressbar.
package term

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

const (
	bold  = "\x1b[1m"
	faint = "\x1b[2m"
	green = "\x1b[32m"
	red   = "\x1b[31m"
	plain = "\x1b[0m"
)

// Printer writes to a terminal or another writer.
type Printer struct {
	out    io.Writer
	exact  io.Writer // the same, without replacing characters
	live   bool      // a terminal, where a line can be written over
	colour bool
	width  func() int // 0 for lines of any width
	err    error
}

// New returns a printer to out. On a terminal it uses colour, unless NO_COLOR
// is set, and folds lines to the width. Elsewhere lines stay whole, for
// programs that read them.
func New(out io.Writer, env func(name string) string) *Printer {
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return newPrinter(out, false, env)
	}
	p := newPrinter(out, true, env)
	p.width = func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil || width < narrowest {
			return usualWidth
		}
		return width
	}
	return p
}

// Widths of terminals, in columns. A terminal without a width gets the usual
// one.
const (
	usualWidth = 80
	narrowest  = 20
)

// Width returns the width of the output in columns, or 0 if there is no limit.
func (p *Printer) Width() int { return p.width() }

func newPrinter(out io.Writer, terminal bool, env func(name string) string) *Printer {
	live := terminal && env("TERM") != "dumb"
	width := 0
	if terminal {
		width = usualWidth
	}
	exact := out
	if inASCII(env) {
		out = ascii{out}
	}
	return &Printer{out: out, exact: exact, live: live, colour: live && env("NO_COLOR") == "", width: func() int { return width }}
}

// Err returns the first error of the output.
func (p *Printer) Err() error { return p.err }

// Title prints the first line of a program.
func (p *Printer) Title(format string, args ...any) { p.line(bold, "", format, args) }

// Heading prints the heading of a section.
func (p *Printer) Heading(format string, args ...any) {
	p.Blank()
	p.line(bold, "", format, args)
	p.Blank()
}

// Line prints one line of a section.
func (p *Printer) Line(format string, args ...any) { p.line("", indent, format, args) }

// Note prints an explanation.
func (p *Printer) Note(format string, args ...any) { p.line(faint, indent, format, args) }

// Good prints a success.
func (p *Printer) Good(format string, args ...any) { p.line(green, indent, format, args) }

// Bad prints a failure.
func (p *Printer) Bad(format string, args ...any) { p.line(red, indent, format, args) }

// Blank prints an empty line.
func (p *Printer) Blank() { p.write("\n") }

const indent = "  "

func (p *Printer) line(colour, margin, format string, args []any) {
	for _, text := range fold(Clean(fmt.Sprintf(format, args...)), p.room(margin)) {
		if p.colour && colour != "" {
			text = colour + text + plain
		}
		p.write(margin + text + "\n")
		if margin == indent {
			margin += indent + indent // continuation lines
		}
	}
}

// room returns the width without the margin, or 0 if there is no limit.
func (p *Printer) room(margin string) int {
	width := p.width()
	if width == 0 {
		return 0
	}
	if margin != "" {
		width -= 3 * len(indent)
	}
	return width
}

// Command prints a command line, which is neither folded nor changed to ASCII,
// so that it can be copied to a shell.
func (p *Printer) Command(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.exact, indent+indent+Clean(text)+"\n")
	}
}

// Count returns n and thing, in the plural unless n is 1.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing
}

func (p *Printer) write(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.out, text)
	}
}
