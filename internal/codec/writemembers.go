package codec

// ListMember writes a list, unless it is nil.
func ListMember[T any](w *Writer, name string, list []T, write func(T, *Writer) error) {
	if list != nil {
		w.Name(name)
		_ = WriteList(list, w, write)
	}
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
