// Package textfile reads text files as people save them.
package textfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Mark is the byte order mark. Within a text it is an obsolete invisible
// character, which people do not see and do not mean.
const Mark = "\ufeff"

// Error reports bytes that are neither UTF-8 nor UTF-16.
type Error struct{ Line, Column int } // from 1; the column is that of a character

// Error returns the place, and what to choose when saving.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, Advice)
}

// Advice tells a person how to save the file.
const Advice = "this is neither UTF-8 nor UTF-16: choose UTF-8 when saving the file"

// Decode returns the text of a file in UTF-8 or UTF-16, without its byte order
// mark. UTF-16 without a mark shows by its zero bytes. Other bytes are an
// *Error.
func Decode(data []byte) (string, error) {
	order := orderOf(data)
	if order == nil {
		return decode8(bytes.TrimPrefix(data, []byte(Mark)))
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
	return strings.TrimPrefix(text.String(), Mark), nil
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
	before = strings.TrimPrefix(before, Mark)
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return &Error{strings.Count(before, "\n") + 1, utf8.RuneCountInString(line) + 1}
}
