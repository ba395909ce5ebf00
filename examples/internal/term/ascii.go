package term

import (
	"io"
	"regexp"
	"strings"
)

// inASCII reports whether the terminal or the locale supports ASCII only. No
// locale at all counts as UTF-8.
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

// ascii replaces what the programs draw (lines, bars, dots) and the unit of
// durations by ASCII characters. Other letters belong to names and stay.
type ascii struct{ out io.Writer }

func (a ascii) Write(text []byte) (int, error) {
	if _, err := a.out.Write(microseconds.ReplaceAll([]byte(drawn.Replace(strings.Map(undrawn, string(text)))), []byte("${1}us"))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// ellipsis marks three dots until the other characters are replaced. Clean
// removes it from texts.
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
