package codec

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer writes one JSON text without white space. The first error sticks.
type Writer struct {
	buf      []byte
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

// Append calls write, which appends the text of one value, well-formed JSON.
func (w *Writer) Append(write func([]byte) []byte) { w.buf = write(w.buf) }

// Raw writes a value whose JSON text is at hand.
func (w *Writer) Raw(text string) { w.buf = append(w.buf, text...) }

// Null writes null.
func (w *Writer) Null() { w.Raw("null") }

// BeginObject starts an object.
func (w *Writer) BeginObject() { w.buf = append(w.buf, '{') }

// EndObject ends an object.
func (w *Writer) EndObject() { w.buf = append(w.buf, '}') }

// Name starts a member. The name comes with all that may stand around it, as in
// ,"id": and needs no escaping; the comma is left out behind the byte that
// opens the object.
func (w *Writer) Name(member string) { w.buf = w.named(member) }

// comma separates the next value from the text so far, unless that ends with
// the byte that opened the object or list; no value ends with such a byte.
func (w *Writer) comma(opener byte) {
	if w.buf[len(w.buf)-1] != opener {
		w.buf = append(w.buf, ',')
	}
}

// Extra writes the members of an object's text after the known ones, whose
// names are given. A known name among them is an error, because the text would
// hold it twice.
func (w *Writer) Extra(object string, known []string) {
	if len(object) <= len("{}") {
		return
	}
	for name := range Each(object) {
		if slices.Contains(known, name) {
			w.Check(fmt.Errorf("extra member %q has a field of its own", name))
			return
		}
	}
	w.comma('{')
	w.Raw(object[1 : len(object)-1])
}

// ErrNotUTF8 reports a text for the body of a request that is not UTF-8. The
// service would get another text.
var ErrNotUTF8 = errors.New("text that is not valid UTF-8")

// checkText refuses invalid UTF-8 in the body of a request.
func (w *Writer) checkText(s string) {
	if w.reveal && !utf8.ValidString(s) {
		w.Check(ErrNotUTF8)
	}
}

// WriteText writes a string. Bytes that are not UTF-8 are an error in the body
// of a request, and become U+FFFD elsewhere.
func WriteText[T ~string](v T, w *Writer) error {
	w.checkText(string(v))
	w.buf = appendText(w.buf, string(v))
	return nil
}

// WriteInt writes a whole number.
func WriteInt[T ~int | ~int64](v T, w *Writer) error {
	w.buf = strconv.AppendInt(w.buf, int64(v), 10)
	return nil
}

// WriteBool writes true or false.
func WriteBool[T ~bool](v T, w *Writer) error {
	w.buf = strconv.AppendBool(w.buf, bool(v))
	return nil
}

// BeginList starts a list.
func (w *Writer) BeginList() { w.buf = append(w.buf, '[') }

// Element starts an element of a list.
func (w *Writer) Element() { w.comma('[') }

// EndList ends a list.
func (w *Writer) EndList() { w.buf = append(w.buf, ']') }
