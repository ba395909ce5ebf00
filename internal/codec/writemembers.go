package codec

// Member writes a member in any case.
func Member[T any](w *Writer, name string, v T, write func(T, *Writer) error) {
	w.Name(name)
	if err := write(v, w); err != nil {
		w.fail(err)
	}
}

// BasicMember writes a text, number or boolean, unless it is zero.
func BasicMember[T ~string | ~int | ~int64 | ~bool](w *Writer, name string, v T, write func(T, *Writer) error) {
	if zero := *new(T); v != zero {
		Member(w, name, v, write)
	}
}

// ValueMember writes a value that knows whether it is absent, unless it is.
func ValueMember[T interface{ IsZero() bool }](w *Writer, name string, v T, write func(T, *Writer) error) {
	if !v.IsZero() {
		Member(w, name, v, write)
	}
}

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
		w.fail(err)
	}
	if string(w.buf[value:]) == "{}" {
		w.buf = w.buf[:before]
	}
}
