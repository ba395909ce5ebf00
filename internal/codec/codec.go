package codec

import "errors"

// Unmarshaler reads itself from the value the reader stands at.
type Unmarshaler interface {
	UnmarshalJSONFrom(*Reader) error
}

// Marshaler writes itself as one JSON value.
type Marshaler interface {
	MarshalJSONTo(*Writer) error
}

// Decode reads the whole of data into v. It gives the faults of isolated elements in the order of the text; any
// other fault is the error, and v is then of no use.
func Decode(data []byte, v Unmarshaler) ([]Fault, error) {
	r := readers.Get().(*Reader)
	r.begin(data)
	if err := v.UnmarshalJSONFrom(r); err != nil {
		return nil, err
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	faults := r.faults
	r.rest()
	return faults, nil
}

// Unmarshal is [Decode] for UnmarshalJSON methods, which cannot report faults apart: they are the error.
func Unmarshal(data []byte, v Unmarshaler) error {
	faults, err := Decode(data, v)
	if err != nil {
		return err
	}
	errs := make([]error, len(faults))
	for i, fault := range faults {
		errs[i] = fault.Err
	}
	return errors.Join(errs...)
}

// Marshal gives the JSON text of v. Secrets are redacted.
func Marshal(v Marshaler) ([]byte, error) {
	return appendValue(nil, v, false)
}

// AppendRequest appends the JSON text of v with its secrets in the clear. It is for the bodies of requests only.
func AppendRequest(dst []byte, v Marshaler) ([]byte, error) {
	return appendValue(dst, v, true)
}

func appendValue(dst []byte, v Marshaler, reveal bool) ([]byte, error) {
	w := writers.Get().(*Writer)
	if dst == nil {
		dst = make([]byte, 0, w.expected)
	}
	start := len(dst)
	w.buf, w.reveal = dst, reveal
	err := v.MarshalJSONTo(w)
	text := w.buf
	w.rest(len(text) - start)
	if err != nil {
		return nil, err
	}
	return text, nil
}
