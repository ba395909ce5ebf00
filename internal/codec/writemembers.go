package codec

import "strconv"

// Each of these writes a member as [Writer.Name] and the method of its value
// do, in one step.

// TextMember writes a member that is a string.
func (w *Writer) TextMember(member, s string) {
	w.checkText(s)
	w.buf = appendText(w.named(member), s)
}

// IntMember writes a member that is a whole number.
func (w *Writer) IntMember(member string, n int64) {
	w.buf = strconv.AppendInt(w.named(member), n, 10)
}

// BoolMember writes a boolean member.
func (w *Writer) BoolMember(member string, b bool) { w.buf = strconv.AppendBool(w.named(member), b) }

// NullMember writes a member that is null.
func (w *Writer) NullMember(member string) { w.buf = append(w.named(member), "null"...) }

// named returns the text so far with the name of the next member appended.
func (w *Writer) named(member string) []byte {
	if w.buf[len(w.buf)-1] == '{' {
		member = member[1:]
	}
	return append(w.buf, member...)
}

// RecordMember writes a record, unless it turns out to have no members.
func RecordMember[T any](w *Writer, name string, v T, write func(T, *Writer) error) {
	before := len(w.buf)
	w.Name(name)
	value := len(w.buf)
	if err := write(v, w); err != nil {
		w.Check(err)
	}
	if string(w.buf[value:]) == "{}" {
		w.buf = w.buf[:before]
	}
}

// Member starts a member by its bare name, which must need no escaping.
func (w *Writer) Member(name string) {
	if w.buf[len(w.buf)-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(append(append(w.buf, '"'), name...), '"', ':')
}

// Len returns the length of the text so far.
func (w *Writer) Len() int { return len(w.buf) }

// DropEmpty removes a member whose value is a record without members. The
// member begins at the first offset, its value at the second.
func (w *Writer) DropEmpty(member, value int) {
	if string(w.buf[value:]) == "{}" {
		w.buf = w.buf[:member]
	}
}

// AnyName starts a member whose name may be any text.
func (w *Writer) AnyName(name string) {
	if w.buf[len(w.buf)-1] != '{' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(appendText(w.buf, name), ':')
}
