package main

import (
	"strings"
	"unicode"
)

// plain returns a text of the service on one line, without control characters
// and bidirectional formatting, which could manipulate a terminal.
func plain(text string) string {
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
