package csvfile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// mark is the byte order mark. Within a text it is an obsolete invisible
// character, which people do not see and do not mean.
const mark = "\ufeff"

// decode returns the text of a file, without byte order marks and with LF.
func decode(data []byte) (string, error) {
	text, err := decodeUnits(data)
	if err != nil {
		return "", err
	}
	text = strings.ReplaceAll(text, mark, "")
	if !strings.Contains(text, "\n") { // an old form with CR alone
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text, nil
}

// decodeUnits decodes UTF-8 or UTF-16.
func decodeUnits(data []byte) (string, error) {
	order := orderOf(data)
	if order == nil {
		return decode8(data)
	}
	var text strings.Builder
	for len(data) > 0 {
		r, size := next16(data, order)
		if size == 0 || r == 0 {
			return "", badBytes(text.String())
		}
		text.WriteRune(r)
		data = data[size:]
	}
	return text.String(), nil
}

// orderOf returns the byte order of UTF-16, or nil for other encodings. Without
// a mark, the zero bytes of the first line show it: half of each ASCII
// character.
func orderOf(data []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	var zeros [2]int
	for i, b := range first {
		if b == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case zeros[1] > zeros[0]:
		return binary.LittleEndian
	case zeros[0] > zeros[1]:
		return binary.BigEndian
	}
	return nil
}

// next16 returns the first character and its size, which is 0 if there is none.
func next16(data []byte, order binary.ByteOrder) (r rune, size int) {
	if len(data) < 2 {
		return 0, 0
	}
	r = rune(order.Uint16(data))
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(data) < 4 {
		return 0, 0
	}
	r = utf16.DecodeRune(r, rune(order.Uint16(data[2:])))
	if r == utf8.RuneError { // no pair
		return 0, 0
	}
	return r, 4
}

func decode8(data []byte) (string, error) {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			return "", badBytes(string(data[:i]))
		}
		i += size
	}
	return string(data), nil
}

// badBytes returns the error for bytes after a text.
func badBytes(before string) *Error {
	before = strings.TrimPrefix(before, mark)
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return &Error{Line: strings.Count(before, "\n") + 1, Column: utf8.RuneCountInString(line) + 1, Err: ErrEncoding}
}
