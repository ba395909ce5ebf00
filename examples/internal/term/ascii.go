package term

import (
	"io"
	"regexp"
	"strings"
)

// inASCII tells whether the terminal or the locale knows no more than ASCII. A locale that
// is not named at all says nothing.
func inASCII(env func(name string) string) bool {
	if env("TERM") == "dumb" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the first that is set decides
		if locale := env(name); locale != "" {
			_, set, _ := strings.Cut(strings.ToLower(locale), ".")
			set, _, _ = strings.Cut(set, "@")
			return set != "utf-8" && set != "utf8"
		}
	}
	return false
}

// ascii writes what the programs draw, lines, bars and dots, and the unit of durations, with
// signs of ASCII. Other letters stay as they are: they belong to names, which programs that
// read the output want whole.
type ascii struct{ out io.Writer }

func (a ascii) Write(text []byte) (int, error) {
	if _, err := a.out.Write(microseconds.ReplaceAll([]byte(drawn.Replace(strings.Map(undrawn, string(text)))), []byte("${1}us"))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// ellipsis stands for three dots until the other signs are replaced; Clean leaves none of it
// in a text.
const ellipsis = '\x1f'

var microseconds = regexp.MustCompile(`(\d)[µμ]s\b`)

var drawn = strings.NewReplacer(string(ellipsis), "...")

func undrawn(r rune) rune {
	switch {
	case r == '…':
		return ellipsis
	case r == '–', r == '─', r == '━':
		return '-'
	case r == '│', r == '┃':
		return '|'
	case r == '└', r == '╰':
		return '`'
	case '┌' <= r && r <= '╿': // what is left of the lines crosses or turns
		return '+'
	case '▀' <= r && r <= '▟':
		return '#'
	default:
		return r
	}
}
