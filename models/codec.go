package models

import (
	"encoding/json"

	"github.com/practicesdk/practice-go/internal/codec"
)

// readOpt reads null as null, and anything else as a value with read.
func readOpt[T any](o *Opt[T], r *codec.Reader, read func(*T, *codec.Reader) error) error {
	*o = Opt[T]{state: optNull}
	if r.Null() {
		return r.Err()
	}
	o.state = optSome
	return read(&o.value, r)
}

// readAny reads the elements of generic collections, whose type is not known here: usually a record, sometimes a
// text, and otherwise whatever encoding/json makes of it.
func readAny[T any](dst *T, r *codec.Reader) error {
	switch v := any(dst).(type) {
	case codec.Unmarshaler:
		return v.UnmarshalJSONFrom(r)
	case *string:
		return codec.Text(v, r)
	}
	text := r.Raw()
	if r.Err() == nil && json.Unmarshal(text, dst) != nil {
		return r.Reject("not a value of the element type")
	}
	return r.Err()
}

// writeAny is the counterpart of readAny.
func writeAny[T any](v T, w *codec.Writer) error {
	switch v := any(v).(type) {
	case codec.Marshaler:
		return v.MarshalJSONTo(w)
	case string:
		return codec.WriteText(v, w)
	}
	text, err := json.Marshal(v)
	w.Raw(string(text))
	return err
}
