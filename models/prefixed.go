package models

import (
	"encoding/json"
	"strings"
	"unicode"

	"github.com/practicesdk/practice-go/internal/codec"
)

// findPrefixed sets a field, a string or an Opt, from the member of extra whose
// name has a text between head and tail, and whose value fits the field. If no
// member or several members match, it does not change the field.
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

// takePrefixed clears a field and sets it from the member of extra with that
// prefix, if its value fits.
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

// fits reports whether a JSON value can be decoded into the field.
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

func readPrefixed(text json.RawMessage, field any) { _ = codec.Unmarshal(text, field, Wire) } // never fails: the value fits
