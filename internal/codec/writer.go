package codec

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Writer holds the state shared by the functions that write one JSON text. It
// keeps the first error. The text is not in it: like append, each function gets
// the text so far and returns it with its part appended. Storing the text in
// the Writer would need a write barrier at each step during garbage collection.
type Writer struct {
	reveal   bool
	revealed *[]string // receives the secrets as they are written; nil: not recorded
	err      error
	expected int // expected length of the text
}

// Err returns the first error, or nil.
func (w *Writer) Err() error { return w.err }

// Check keeps the first error.
func (w *Writer) Check(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Reveals reports whether secrets are written as they are.
func (w *Writer) Reveals() bool { return w.reveal }

// Revealed records a secret that was written.
func (w *Writer) Revealed(secret string) {
	if w.revealed != nil {
		*w.revealed = append(*w.revealed, secret)
	}
}

// ErrNotUTF8 reports a string in a request body that is not UTF-8. The service
// would receive a different text.
var ErrNotUTF8 = errors.New("text that is not valid UTF-8")

// Text writes a string. Invalid UTF-8 is an error in a request body and becomes
// U+FFFD elsewhere.
func (w *Writer) Text(b []byte, s string) []byte {
	b, mended := appendText(b, s)
	if mended && w.reveal {
		w.Check(ErrNotUTF8)
	}
	return b
}

// Raw writes a value whose JSON text was kept as received.
func (w *Writer) Raw(b []byte, text string) []byte {
	if w.reveal && !utf8.ValidString(text) {
		w.Check(ErrNotUTF8)
	}
	return append(b, text...)
}

// Name starts a member; its name must not need escapes. Every member and every
// list element begins with a comma, so that no code has to check whether it is
// the first. EndObject and EndList replace the first comma by the opening brace
// or bracket.
func Name(b []byte, name string) []byte {
	return append(append(append(b, ',', '"'), name...), '"', ':')
}

// AnyName starts a member with an arbitrary name.
func (w *Writer) AnyName(b []byte, name string) []byte {
	return append(w.Text(append(b, ','), name), ':')
}

// EndObject ends the object whose members begin at start.
func EndObject(b []byte, start int) []byte { return end(b, start, '{', '}') }

// EndList ends the list whose elements begin at start.
func EndList(b []byte, start int) []byte { return end(b, start, '[', ']') }

func end(b []byte, start int, opener, closer byte) []byte {
	if len(b) == start { // no members or elements
		b = append(b, opener)
	}
	b[start] = opener
	return append(b, closer)
}

// Extra writes the members of an object after the known ones. A member with a
// known name is an error, because the text would contain it twice.
func (w *Writer) Extra(b []byte, object string, known []string) []byte {
	if len(object) <= len("{}") {
		return b
	}
	for name := range Each(object) {
		if slices.Contains(known, name) {
			w.Check(fmt.Errorf("the extra member %q duplicates a field of the struct", name))
			return b
		}
	}
	return w.Raw(append(b, ','), object[1:len(object)-1])
}

// RecordMember writes a record, unless it has no members. name includes
// punctuation, as in ,"id":.
func RecordMember[T any](b []byte, w *Writer, name string, v T, write func(T, []byte, *Writer) []byte) []byte {
	before := len(b)
	b = append(b, name...)
	value := len(b)
	return DropEmpty(write(v, b, w), before, value)
}

// DropEmpty removes a member whose value is a record without members. member
// and value are the positions at which the two begin.
func DropEmpty(b []byte, member, value int) []byte {
	if string(b[value:]) == "{}" {
		return b[:member]
	}
	return b
}
