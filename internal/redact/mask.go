package redact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Mask removes secrets from texts that the library did not write, such as
// errors and responses. The zero value removes nothing.
type Mask struct{ whole, forms []string }

// masked replaces a secret.
const masked = "[redacted]"

// A secret shorter than sure is masked only as a whole word, and a secret
// shorter than least is not masked.
const (
	least = 4
	sure  = 8
)

// NewMask returns a Mask for secrets, including their escaped forms in URLs,
// forms and JSON.
func NewMask(secrets ...string) Mask {
	var m Mask
	for _, secret := range secrets {
		if len(secret) < least {
			continue
		}
		m.whole = append(m.whole, secret)
		quoted, err := json.Marshal(secret)
		m.forms = append(m.forms, secret, url.QueryEscape(secret), url.PathEscape(secret))
		if err == nil {
			m.forms = append(m.forms, string(quoted[1:len(quoted)-1]))
		}
	}
	m.whole, m.forms = longerFirst(m.whole), longerFirst(m.forms)
	return m
}

// longerFirst sorts texts so that a text precedes its parts.
func longerFirst(texts []string) []string {
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.Compact(texts)
}

// Text returns text without the secrets.
func (m Mask) Text(text string) string {
	for _, form := range m.forms {
		if strings.Contains(text, form) {
			text = replaced(text, form)
		}
	}
	if strings.ContainsAny(text, escapes) {
		for _, secret := range m.whole {
			text = replacedEscaped(text, secret)
		}
	}
	return text
}

// Bytes returns text without the secrets. If there are none, it returns the
// same slice.
func (m Mask) Bytes(text []byte) []byte {
	for _, form := range m.forms {
		if bytes.Contains(text, []byte(form)) {
			return []byte(m.Text(string(text)))
		}
	}
	if len(m.whole) > 0 && bytes.ContainsAny(text, escapes) {
		if clean := m.Text(string(text)); clean != string(text) {
			return []byte(clean)
		}
	}
	return text
}

// escapes holds the characters that begin an escape in JSON, in a URL or in
// HTML.
const escapes = `\%&`

// replacedEscaped replaces a secret of which any characters are escaped.
func replacedEscaped(text, secret string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); {
		end, found := escapedAt(text, i, secret)
		if !found || len(secret) < sure && inWord(text[:i], text[end:]) {
			i++
			continue
		}
		b.WriteString(text[from:i] + masked)
		i, from = end, end
	}
	return b.String() + text[from:]
}

// escapedAt reports whether the secret begins at an index, escaped or not, and
// returns its end.
func escapedAt(text string, at int, secret string) (end int, found bool) {
	for len(secret) > 0 {
		if text[at:] == "" {
			return 0, false
		}
		plain, length := unescapedAs(text[at:], secret)
		if plain == "" {
			return 0, false
		}
		at, secret = at+length, secret[len(plain):]
	}
	return at, true
}

// unescapedAs returns the part of a secret at the beginning of text, escaped or
// not, and its length in text. The & of an HTML reference may be escaped
// itself: in JSON, in a URL or in HTML.
func unescapedAs(text, secret string) (plain string, length int) {
	if text[0] == secret[0] && text[0] != '&' {
		return text[:1], 1
	}
	next, end := "&", 1
	if text[0] != '&' {
		next, end = unescaped(text)
	}
	for next != "" {
		if strings.HasPrefix(secret, next) {
			plain, length = next, end
		}
		if next != "&" {
			break
		}
		entity, more := entityAt(text[end:])
		next, end = entity, end+more
	}
	return plain, length
}

// unescaped returns the character of the escape at the beginning of text, and
// the length of the escape. JSON inside JSON has more than one backslash.
func unescaped(text string) (plain string, length int) {
	rest := strings.TrimLeft(text, `\`)
	length = len(text) - len(rest)
	switch {
	case length == 0 && len(text) >= 3 && text[0] == '%':
		code, err := strconv.ParseUint(text[1:3], 16, 8)
		if err != nil {
			return "", 0
		}
		return string([]byte{byte(code)}), 3
	case length == 0 || rest == "":
		return "", 0
	case rest[0] != 'u':
		return named(rest[0]), length + 1
	}
	unit, ok := codeUnit(rest)
	if !ok {
		return "", 0
	}
	length += 5
	if second, ok := codeUnit(strings.TrimLeft(rest[5:], `\`)); ok && utf16.IsSurrogate(unit) {
		between := len(rest[5:]) - len(strings.TrimLeft(rest[5:], `\`))
		unit, length = utf16.DecodeRune(unit, second), length+between+5
	}
	if unit == utf8.RuneError {
		return "", 0
	}
	return string(unit), length
}

// codeUnit parses the letter u and four hexadecimal digits, and returns false
// for other texts.
func codeUnit(text string) (rune, bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	code, err := strconv.ParseUint(text[1:5], 16, 16)
	return rune(code), err == nil
}

// named returns the character of a single-letter escape.
func named(letter byte) string {
	if i := strings.IndexByte(`bfnrt`, letter); i >= 0 {
		return "\b\f\n\r\t"[i : i+1]
	}
	return string([]byte{letter})
}

func replaced(text, form string) string {
	if len(form) >= sure {
		return strings.ReplaceAll(text, form, masked)
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, form)
		if !found {
			return b.String() + text
		}
		b.WriteString(before)
		if inWord(b.String(), after) {
			b.WriteString(form)
		} else {
			b.WriteString(masked)
		}
		text = after
	}
}

// inWord reports whether a word continues before or after the text between the
// two strings.
func inWord(before, after string) bool {
	return before != "" && ofWord(before[len(before)-1]) || after != "" && ofWord(after[0])
}

func ofWord(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c|' ' >= 'a' && c|' ' <= 'z' || c >= 0x80
}

// Error returns an error whose text is without the secrets, or err itself if
// there are none. errors.Is and errors.As examine err.
func (m Mask) Error(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	clean := m.Text(text)
	if clean == text {
		return err
	}
	return &maskedError{text: clean, err: func() error { return err }}
}

// maskedError holds the error in a function, because fmt does not print the
// contents of functions.
type maskedError struct {
	text string
	err  func() error
}

func (e *maskedError) Error() string        { return e.text }
func (e *maskedError) Is(target error) bool { return errors.Is(e.err(), target) }
func (e *maskedError) As(target any) bool   { return errors.As(e.err(), target) }
