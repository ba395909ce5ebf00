// Package textfile reads text files as people save them.
package textfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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
const Advice = "the text is neither UTF-8 nor UTF-16: save the file as UTF-8"

// Decode returns the text of a file in UTF-8 or UTF-16, without its byte order
// mark. UTF-16 without a mark shows by its zero bytes. Other bytes are an
// *Error.
func Decode(data []byte) (string, error) {
	text, err := io.ReadAll(newReader(bytes.NewReader(data), firstLine(data)))
	if err != nil {
		return "", err
	}
	return string(text), nil
}

// looked is how much of a file NewReader looks at for the first line.
const looked = 64 << 10

// NewReader returns a reader of the text that Decode returns for the bytes of
// r, without the marks within it. It holds only a part of the file. The first
// line decides about UTF-16 without a mark, up to 64 KiB of it.
func NewReader(r io.Reader) io.Reader {
	buffered := bufio.NewReaderSize(r, looked)
	begin, _ := buffered.Peek(looked) // an error comes again when it is read
	text := newReader(buffered, firstLine(begin))
	text.unmarked = true
	return text
}

func firstLine(data []byte) []byte {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return line
}

func newReader(r io.Reader, first []byte) *reader {
	return &reader{bytes: bufio.NewReader(r), order: orderOf(first), line: 1, column: 1, first: true}
}

// reader decodes character by character.
type reader struct {
	bytes        *bufio.Reader
	order        binary.ByteOrder // of UTF-16; nil for UTF-8
	line, column int              // of the next character
	first        bool
	unmarked     bool   // whether marks within the text are left out
	text         []byte // decoded, not read yet
	err          error  // after text
}

// Read reads decoded text.
func (r *reader) Read(p []byte) (n int, err error) {
	for len(r.text) < len(p) && r.err == nil {
		r.next()
	}
	n = copy(p, r.text)
	r.text = append(r.text[:0], r.text[n:]...)
	if len(r.text) == 0 {
		err = r.err
	}
	return n, err
}

// next decodes a character.
func (r *reader) next() {
	decode := r.next8
	if r.order != nil {
		decode = r.next16
	}
	c, err := decode()
	mark := (r.first || r.unmarked) && c == '\ufeff'
	r.first = false
	switch {
	case err != nil:
		r.err = err
		return
	case mark:
		return
	case c == 0:
		r.err = r.bad()
		return
	case c == '\n':
		r.line, r.column = r.line+1, 0
	}
	r.column++
	r.text = utf8.AppendRune(r.text, c)
}

func (r *reader) bad() error { return &Error{r.line, r.column} }

func (r *reader) next8() (rune, error) {
	c, size, err := r.bytes.ReadRune()
	if err == nil && c == utf8.RuneError && size == 1 {
		err = r.bad()
	}
	return c, err
}

// next16 decodes a character of UTF-16, which may be a pair.
func (r *reader) next16() (rune, error) {
	c, err := r.unit()
	if err != nil || !utf16.IsSurrogate(c) {
		return c, err
	}
	second, err := r.unit()
	if errors.Is(err, io.EOF) {
		err = r.bad()
	}
	if err != nil {
		return 0, err
	}
	if c = utf16.DecodeRune(c, second); c == utf8.RuneError { // no pair
		return 0, r.bad()
	}
	return c, nil
}

func (r *reader) unit() (rune, error) {
	var two [2]byte
	_, err := io.ReadFull(r.bytes, two[:])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = r.bad()
	}
	return rune(r.order.Uint16(two[:])), err
}

// orderOf returns the byte order of UTF-16, or nil for other encodings. Without
// a mark, the zero bytes of the first line show it: half of each ASCII
// character.
func orderOf(first []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(first, []byte{0xff, 0xfe}):
		return binary.LittleEndian
	case bytes.HasPrefix(first, []byte{0xfe, 0xff}):
		return binary.BigEndian
	}
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
