package codec

import "unicode/utf8"

// appendText appends a string as JSON, with U+FFFD for invalid UTF-8; mended
// reports whether there was any. It copies first and checks afterwards, because
// escapes are rare.
func appendText[T string | []byte](dst []byte, s T) (text []byte, mended bool) {
	dst = append(dst, '"')
	start := len(dst)
	dst = append(dst, s...)
	if odd := plain(dst, start); odd < len(dst) {
		dst, mended = appendEscaped(dst[:odd], []byte(s[odd-start:]))
	}
	return append(dst, '"'), mended
}

// appendEscaped appends the rest of a text from its first character that must
// be escaped or replaced. mended reports whether one was replaced.
func appendEscaped(dst, s []byte) (text []byte, mended bool) {
	for i := 0; i < len(s); {
		if s[i] >= utf8.RuneSelf {
			char, n := utf8.DecodeRune(s[i:])
			mended = mended || char == utf8.RuneError && n == 1
			dst = utf8.AppendRune(dst, char)
			i += n
		} else {
			dst = appendEscape(dst, s[i])
			i++
		}
		next := plain(s, i)
		dst = append(dst, s[i:next]...)
		i = next
	}
	return dst, mended
}

// appendEscape appends an ASCII character that must be escaped.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', '0'+c>>4, hexDigits[c&15])
	}
}

const hexDigits = "0123456789abcdef"
