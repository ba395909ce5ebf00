package term

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
)

// fold breaks a text at spaces into lines that fit a width. A word that is wider stays
// whole, so that an address can still be copied. A width of 0 is no limit.
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

// breakOf gives the last space that a width has room for, else the first one of all;
// spaces at the beginning are no place to break.
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
