package codec

import "errors"

// Form holds the functions that read and write the values of one package. It
// lets a package keep these methods unexported, out of its documentation.
type Form interface {
	// Read reads v, a pointer, from the value the reader stands at. The old
	// value of v is lost.
	Read(v any, r *Reader) error
	// Write appends v, a pointer, to b as one JSON value. The error is kept by
	// w.
	Write(v any, b []byte, w *Writer) []byte
}

// Unmarshaler reads itself from the value the reader stands at. Values of
// packages without a Form of their own do.
type Unmarshaler interface {
	UnmarshalJSONFrom(r *Reader) error
}

// Decode reads the whole of data into v. It returns the faults of isolated
// elements in the order of the text; any other fault is the error, and v is
// then unusable.
func Decode(data []byte, v any, form Form) ([]Fault, error) {
	r := readers.Get().(*Reader)
	r.begin(data)
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

// Unmarshal is [Decode] for UnmarshalJSON methods, which cannot report faults
// apart: they are the error.
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

// AppendRequest appends the JSON text of v with its secrets in the clear. It is
// for the bodies of requests only, and [ErrNotUTF8] when a text of v is not
// UTF-8.
func AppendRequest(dst []byte, v any, form Form) ([]byte, error) {
	return appendValue(dst, v, form, true)
}

// Revealed returns the secrets that [AppendRequest] writes in the clear.
func Revealed(v any, form Form) (secrets []string) {
	w := writers.Get().(*Writer)
	w.reveal, w.revealed = true, &secrets
	_ = form.Write(v, nil, w) // what could not be written was not sent
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
