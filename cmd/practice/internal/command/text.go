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
// because a record must not control the terminal.
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

// isPlain reports whether a text contains only visible ASCII characters. That
// is a fast path for most records.
func isPlain(text []byte) bool {
	for _, b := range text {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// visibleJSON is like visible for JSON text. It does not change the value.
func visibleJSON(text []byte) []byte {
	if isPlain(text) || !bytes.ContainsFunc(text, func(r rune) bool { return r != '\n' && hidden(r) }) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if r != '\n' && hidden(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.Bytes()
}

func indented(text []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return text
	}
	return visibleJSON(b.Bytes())
}

// compact returns JSON without line breaks and spaces.
func compact(text []byte) []byte {
	if isPlain(text) {
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return visibleJSON(b.Bytes())
}

// encode marshals a value on one line, without HTML escapes.
func encode(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return []byte("null")
	}
	return visibleJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
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
