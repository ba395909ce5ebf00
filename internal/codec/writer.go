package codec

import (
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Writer holds what the functions that write one JSON text share. The first
// error sticks. The text itself is not in it: like append, each function takes
// the text so far and returns it with its part behind. A text in the Writer
// would have to be stored at every step, with a write barrier while the garbage
// collector works.
type Writer struct {
	reveal   bool
	revealed *[]string // takes the secrets as they are written; may be nil
	err      error
	expected int // length of the text
}

// Err returns the first error, or nil.
func (w *Writer) Err() error { return w.err }

// Check keeps the first error.
func (w *Writer) Check(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Reveals reports whether secrets are written in the clear.
func (w *Writer) Reveals() bool { return w.reveal }

// Revealed sets a function that is called with each secret written in the
// clear.
func (w *Writer) Revealed(secret string) {
	if w.revealed != nil {
		*w.revealed = append(*w.revealed, secret)
	}
}

// ErrNotUTF8 reports a text for the body of a request that is not UTF-8. The
// service would get another text.
var ErrNotUTF8 = errors.New("text that is not valid UTF-8")

// Text writes a string. Bytes that are not UTF-8 are an error in the body of a
// request, and become U+FFFD elsewhere.
func (w *Writer) Text(b []byte, s string) []byte {
	b, mended := appendText(b, s)
	if mended && w.reveal {
		w.Check(ErrNotUTF8)
	}
	return b
}

// Raw writes a value whose JSON text was kept as it came.
func (w *Writer) Raw(b []byte, text string) []byte {
	if w.reveal && !utf8.ValidString(text) {
		w.Check(ErrNotUTF8)
	}
	return append(b, text...)
}

// Name starts a member by its bare name, which must need no escaping. Every
// member has a comma before it, and so has every element of a list, so that
// none of them asks whether it is the first: EndObject and EndList put the
// brace or bracket in place of the first comma.
func Name(b []byte, name string) []byte {
	return append(append(append(b, ',', '"'), name...), '"', ':')
}

// AnyName starts a member whose name may be any text.
func (w *Writer) AnyName(b []byte, name string) []byte {
	return append(w.Text(append(b, ','), name), ':')
}

// EndObject ends the object whose members begin at start.
func EndObject(b []byte, start int) []byte { return end(b, start, '{', '}') }

// EndList ends the list whose elements begin at start.
func EndList(b []byte, start int) []byte { return end(b, start, '[', ']') }

func end(b []byte, start int, opener, closer byte) []byte {
	if len(b) == start { // no member, no element
		b = append(b, opener)
	}
	b[start] = opener
	return append(b, closer)
}

// Extra writes the members of an object's text after the known ones, whose
// names are given. A known name among them is an error, because the text would
// hold it twice.
func (w *Writer) Extra(b []byte, object string, known []string) []byte {
	if len(object) <= len("{}") {
		return b
	}
	for name := range Each(object) {
		if slices.Contains(known, name) {
			w.Check(fmt.Errorf("extra member %q has a field of its own", name))
			return b
		}
	}
	return w.Raw(append(b, ','), object[1:len(object)-1])
}

// RecordMember writes a record, unless it turns out to have no members. The
// name comes with all that stands around it, as in ,"id":.
func RecordMember[T any](b []byte, w *Writer, name string, v T, write func(T, []byte, *Writer) []byte) []byte {
	before := len(b)
	b = append(b, name...)
	value := len(b)
	return DropEmpty(write(v, b, w), before, value)
}

// DropEmpty removes a member whose value is a record without members. The
// member begins at the first offset, its value at the second.
func DropEmpty(b []byte, member, value int) []byte {
	if string(b[value:]) == "{}" {
		return b[:member]
	}
	return b
}
