package codec

import "unicode/utf8"

// appendText appends a string as JSON. It copies first and looks afterwards, because there is rarely anything to escape.
func appendText[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := len(dst)
	dst = append(dst, s...)
	if odd := plain(dst, start); odd < len(dst) {
		dst = appendEscaped(dst[:odd], []byte(s[odd-start:]))
	}
	return append(dst, '"')
}

func appendEscaped(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			char, n := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, char)
			i += n
			continue
		}
		i++
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', '0'+c>>4, hexDigits[c&15])
		}
	}
	return dst
}

const hexDigits = "0123456789abcdef"
