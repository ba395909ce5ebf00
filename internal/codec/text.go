package codec

import (
	"unicode/utf16"
	"unicode/utf8"
)

// Text reads a string; null and {} are the empty string.
func Text[T ~string](dst *T, r *Reader) error {
	*dst = T(r.string())
	return r.err
}

// string reads a string. Most strings have no escapes and follow directly;
// these need no further calls.
func (r *Reader) string() string {
	if start := r.pos + 1; r.err == nil && start < len(r.data) && r.data[r.pos] == '"' {
		if end := plain(r.data, start); end < len(r.data) && r.data[end] == '"' {
			r.start, r.pos = r.pos, end+1
			return r.arena.text(r.data[start:end])
		}
	}
	text, _ := r.Bytes()
	return r.arena.text(text)
}

// Bytes reads a string and returns its bytes, which are valid until the next
// call. present is false for null, {} and after an error.
func (r *Reader) Bytes() (text []byte, present bool) {
	if r.err != nil {
		return nil, false
	}
	if r.peek() == '"' {
		r.start = r.pos
		text, _ = r.text()
		return text, r.err == nil
	}
	if !r.absent() {
		_ = r.unexpected("not a string")
	}
	return nil, false
}

// text reads the string at pos. mended reports whether a part was replaced by
// U+FFFD.
func (r *Reader) text() (text []byte, mended bool) {
	start := r.pos + 1
	end := plain(r.data, start)
	if end < len(r.data) && r.data[end] == '"' {
		r.pos = end + 1
		return r.data[start:end], false
	}
	return r.oddText(start, end)
}

// oddText reads a string that has an escape or a non-ASCII byte at index odd,
// and reports whether it replaced invalid parts.
func (r *Reader) oddText(start, odd int) ([]byte, bool) {
	end, escaped, ok := r.textEnd(odd)
	if !ok {
		return nil, false
	}
	r.pos = end + 1
	text := r.data[start:end]
	if !escaped && utf8.Valid(text) {
		return text, false
	}
	return r.unescape(start, end)
}

// textEnd returns the index of the closing quote, and whether there was an
// escape before it.
func (r *Reader) textEnd(i int) (end int, escaped, ok bool) {
	for i = plain(r.data, i); i < len(r.data); i = plain(r.data, i) {
		switch c := r.data[i]; {
		case c == '"':
			return i, escaped, true
		case c == '\\':
			escaped = true
			i += 2
		case c < ' ':
			_ = r.broken(i, "control character in a string")
			return 0, false, false
		default:
			i++
		}
	}
	_ = r.broken(len(r.data), "unterminated string")
	return 0, false, false
}

// unescape decodes the escapes of a string into the scratch buffer. mended
// reports whether it replaced invalid parts.
func (r *Reader) unescape(start, end int) (text []byte, mended bool) {
	s, out := r.data[start:end], r.scratch[:0]
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\':
			char, n := escape(s[i:])
			if n == 0 {
				_ = r.broken(start+i, "invalid escape in a string")
				return nil, false
			}
			if char == loneSurrogate {
				char, mended = r.mend, true
			}
			out = utf8.AppendRune(out, char)
			i += n
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			char, n := utf8.DecodeRune(s[i:])
			if char == utf8.RuneError && n == 1 {
				char, mended = r.mend, true
			}
			out = utf8.AppendRune(out, char)
			i += n
		}
	}
	r.scratch = out
	return out, mended
}

// loneSurrogate is the result of escape for half a pair.
const loneSurrogate = utf8.MaxRune + 1

// escape decodes the escape at the start of s, and returns its length, or 0 if
// it is invalid.
func escape(s []byte) (char rune, n int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	char, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(char) {
		return char, 6
	}
	if low, ok := unit(s[6:]); ok {
		if pair := utf16.DecodeRune(char, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return loneSurrogate, 6
}

// unit reads one UTF-16 unit, as in \u00e9.
func unit(s []byte) (char rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		char <<= 4
		switch {
		case isDigit(c):
			char |= rune(c - '0')
		case 'a' <= c && c <= 'f':
			char |= rune(c - 'a' + 10)
		case 'A' <= c && c <= 'F':
			char |= rune(c - 'A' + 10)
		default:
			return 0, false
		}
	}
	return char, true
}
