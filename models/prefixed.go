package models

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/practicesdk/practice-go/internal/codec"
)

// findPrefixed fills a field, a string or an Opt, from the one member of extra
// whose name has something between head and tail, and whose value is of the
// kind of the field. When several fit, or none, the field stays as it is.
func findPrefixed(extra Extra, head, tail string, field any) {
	var found []json.RawMessage
	for name, text := range extra.All() {
		if len(name) > len(head)+len(tail) && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail) && fits(text, field) {
			found = append(found, text)
		}
	}
	if len(found) == 1 {
		readPrefixed(found[0], field)
	}
}

// takePrefixed empties a field and fills it from the member of extra with that
// name, when it is of the right kind.
func takePrefixed(extra Extra, head, prefix, tail string, field any) {
	if prefix == "" {
		return
	}
	clearPrefixed(field)
	if head != "" {
		letters := []rune(prefix)
		letters[0] = unicode.ToUpper(letters[0])
		prefix = string(letters)
	}
	if text, ok := extra.Get(head + prefix + tail); ok && fits(text, field) {
		readPrefixed(text, field)
	}
}

// fits reports whether the text of a value is of the kind of the field.
func fits(text json.RawMessage, field any) bool {
	switch v := field.(type) {
	case *string:
		return text[0] == codec.KindText
	case *Opt[bool]:
		return text[0] == codec.KindTrue || text[0] == codec.KindFalse
	case optional:
		_, inner := v.parts()
		return codec.Unmarshal(text, inner, Wire) == nil && string(text) != "null"
	default:
		return false
	}
}

func clearPrefixed(field any) {
	switch v := field.(type) {
	case *string:
		*v = ""
	case optional:
		state, _ := v.parts()
		*state = optOmitted
	}
}

func readPrefixed(text json.RawMessage, field any) { _ = codec.Unmarshal(text, field, Wire) } // it fits
