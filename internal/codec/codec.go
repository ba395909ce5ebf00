package codec

import (
	"errors"
	"unicode/utf8"
)

// Form holds the functions that read and write the values of one package. With
// it the methods of these values can be unexported.
type Form interface {
	// Read decodes the next value into v, a pointer. It overwrites the old
	// value of v.
	Read(v any, r *Reader) error
	// Write appends v, a pointer, to b as one JSON value. w keeps the error.
	Write(v any, b []byte, w *Writer) []byte
}

// Blanker is a Form that knows elements without values. Such an element of an
// isolated list is a fault.
type Blanker interface {
	// Blank reports whether v, a pointer to a record, has no value in any
	// member with a known name.
	Blank(v any) bool
}

// Unmarshaler decodes itself from the next value. It is for values of packages
// without a Form.
type Unmarshaler interface {
	UnmarshalJSONFrom(r *Reader) error
}

// Decode decodes the whole of data into v. It returns the faults of isolated
// elements in the order of the text. Any other fault is the error, and v is
// then unusable.
func Decode(data []byte, v any, form Form) ([]Fault, error) {
	return decode(data, v, form, utf8.RuneError)
}

// Inexact stands in the texts that [DecodeMarked] reads for what is not text:
// half a surrogate pair, or a byte that is not UTF-8. It is a noncharacter, so
// that no text has it.
const Inexact = '\U0010FFFF'

// DecodeMarked is [Decode] with Inexact in place of U+FFFD.
func DecodeMarked(data []byte, v any, form Form) ([]Fault, error) {
	return decode(data, v, form, Inexact)
}

func decode(data []byte, v any, form Form, mend rune) ([]Fault, error) {
	r := readers.Get().(*Reader)
	r.begin(data)
	r.form, r.mend = form, mend
	if err := form.Read(v, r); err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	faults := r.faults
	r.rest()
	return faults, nil
}

// Unmarshal is [Decode] for UnmarshalJSON methods. It returns faults of
// elements as its error.
func Unmarshal(data []byte, v any, form Form) error {
	faults, err := Decode(data, v, form)
	if err != nil {
		return err
	}
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = fault.Err
	}
	return errors.Join(errs...)
}

// Marshal returns the JSON text of v. Secrets are redacted.
func Marshal(v any, form Form) ([]byte, error) {
	return appendValue(nil, v, form, false)
}

// AppendRequest appends the JSON text of v, including its secrets. It is only
// for request bodies. The error is [ErrNotUTF8] if a string in v is not UTF-8.
func AppendRequest(dst []byte, v any, form Form) ([]byte, error) {
	return appendValue(dst, v, form, true)
}

// Revealed returns the secrets that [AppendRequest] writes.
func Revealed(v any, form Form) (secrets []string) {
	w := writers.Get().(*Writer)
	w.reveal, w.revealed = true, &secrets
	_ = form.Write(v, nil, w) // a value that cannot be written was not sent
	w.rest(w.expected)
	return secrets
}

func appendValue(dst []byte, v any, form Form, reveal bool) ([]byte, error) {
	w := writers.Get().(*Writer)
	if dst == nil {
		dst = make([]byte, 0, w.expected)
	}
	w.reveal = reveal
	text := form.Write(v, dst, w)
	err := w.err
	w.rest(len(text) - len(dst))
	if err != nil {
		return nil, err
	}
	return text, nil
}
