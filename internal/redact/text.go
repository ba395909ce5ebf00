package redact

import (
	"fmt"
	"io"
	"strings"
)

// OneLine shortens a text of the service, and escapes characters that could
// fake log lines or control a terminal.
func OneLine(text string) string {
	const limit = 512
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	return Bounded(clean, limit)
}

// Bounded truncates a text to limit bytes.
func Bounded(text string, limit int) string {
	if len(text) > limit {
		return strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}

// Format writes the text of an error for every verb of package fmt, which would
// otherwise print the fields of the error.
func Format(state fmt.State, verb rune, text string) {
	switch verb {
	case 'q', 'x', 'X':
		_, _ = fmt.Fprintf(state, fmt.FormatString(state, verb), text)
	default:
		_, _ = io.WriteString(state, text)
	}
}
