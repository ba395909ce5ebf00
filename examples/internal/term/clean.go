package term

import (
	"strings"
	"unicode"
)

// Clean makes one line of a text and takes out what could steer a terminal or
// turn the reading order around: control characters, and the marks of
// bidirectional text.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}
