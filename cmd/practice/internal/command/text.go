package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// visible escapes control characters and bidirectional formatting in a text,
// because a record must not control the terminal. It keeps the value of JSON.
func visible(text string, lines bool) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n' && lines, !hidden(r):
			b.WriteRune(r)
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

func hidden(r rune) bool {
	return (r < ' ' || r > '~') &&
		(unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' || r == '\ufeff')
}

// indented returns JSON with one member per line, behind a prefix.
func indented(text []byte, prefix string) []byte {
	var b bytes.Buffer
	if json.Indent(&b, text, prefix, "  ") != nil {
		return []byte(visible(string(text), true))
	}
	return []byte(prefix + visible(b.String(), true))
}

// compact returns JSON without line breaks and spaces.
func compact(text []byte) []byte {
	if !bytes.ContainsFunc(text, hidden) { // most records
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return []byte(visible(b.String(), true))
}

// encode marshals a value on one line, without HTML escapes.
func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return []byte("null")
	}
	return []byte(visible(strings.TrimSuffix(b.String(), "\n"), true))
}

// plainWord matches words that every shell takes as they are.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:@%+,=-]+$`)

// quoted returns a word for the command line of a shell.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
