package term

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// fold returns line broken at spaces into lines of at most width columns; 0
// means no limit. Wider words stay whole, so that addresses and IDs can be
// copied: go-pretty's text.WrapSoft cuts them, and ansi.Wordwrap of
// charmbracelet/x breaks them at hyphens.
func fold(line string, width int) []string {
	var lines []string
	for width > 0 && text.StringWidth(line) > width {
		cut := breakOf(line, width)
		if cut < 0 {
			break
		}
		lines = append(lines, strings.TrimRight(line[:cut], " "))
		line = strings.TrimLeft(line[cut:], " ")
	}
	return append(lines, line)
}

// breakOf returns the index of the last space within width, else of the first
// one, or -1. Leading spaces do not count.
func breakOf(line string, width int) int {
	cut, used, begun := -1, 0, false
	for i, r := range line {
		if r == ' ' && begun {
			if used > width && cut >= 0 {
				break
			}
			cut = i
		}
		begun = begun || r != ' '
		used += text.RuneWidth(r)
		if used > width && cut >= 0 {
			break
		}
	}
	return cut
}
