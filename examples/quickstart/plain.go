package main

import (
	"strings"
	"unicode"
)

// plain makes one line of a text of the service, and takes out what could steer
// a terminal or turn the reading order around.
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
